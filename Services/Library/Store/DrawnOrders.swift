import Messages
import Synchronization

/// The random orders that were drawn last, so that a browser that scrolls through one does not have the whole catalogue
/// sorted for each part it shows. An order of 100,000 albums is 800 kB.
final class RandomOrderCache: Sendable {
  /// How many are kept.
  private static let most = 2

  /// What an order follows from.
  struct Key: Hashable {
    /// The catalogue as it was: an order holds until something changes in it.
    var generation: Int64
    var tag: Library.Tag?
    var seed: Int64
  }

  private let kept = Mutex<[(key: Key, numbers: [Int64])]>([])

  /// The numbers of an order; `draw` makes them where they are not kept.
  func numbers(_ key: Key, _ draw: () throws -> [Int64]) rethrows -> [Int64] {
    if let found = kept.withLock({ kept in kept.first { $0.key == key } }) { return found.numbers }
    let numbers = try draw()
    kept.withLock { kept in
      // An order of a catalogue that has changed is nobody's any more.
      kept.removeAll { $0.key.generation != key.generation || $0.key == key }
      if kept.count >= Self.most { kept.removeFirst() }
      kept.append((key, numbers))
    }
    return numbers
  }
}
