import Model
import Storage
import Synchronization

/// An album by chance. The longer ago an album was played, the more often it is drawn.
enum RandomAlbum {
  struct Entry: Hashable, Sendable {
    var number: Int64
    /// The time of the last play; nil if it was never played.
    var playedAt: Timestamp?
  }

  /// Returns the chances of an album: eight if it was never played or not for half a year, none if it was played in the
  /// last day.
  static func weight(of entry: Entry, at now: Timestamp) -> Int {
    guard let playedAt = entry.playedAt else { return 8 }
    switch (now.seconds - playedAt.seconds) / RediscoveryFacts.day {
    case ..<1: return 0
    case ..<14: return 1
    case ..<60: return 3
    case ..<182: return 5
    default: return 8
    }
  }

  /// Returns an album that was not drawn lately. Where all were drawn or played lately, returns any of the others, and
  /// else any at all; nil without albums.
  static func draw(
    _ entries: [Entry], drawn: Set<Int64>, at now: Timestamp, using generator: inout some RandomNumberGenerator
  ) -> Int64? {
    let weights = entries.map { drawn.contains($0.number) ? 0 : weight(of: $0, at: now) }
    let total = weights.reduce(0, +)
    guard total > 0 else {
      return
        (entries.filter { !drawn.contains($0.number) }.randomElement(using: &generator)
        ?? entries.randomElement(using: &generator))?.number
    }
    var left = Int.random(in: 0..<total, using: &generator)
    for (entry, weight) in zip(entries, weights) {
      left -= weight
      if left < 0 { return entry.number }
    }
    return nil
  }

  /// Reads the albums of the lists without those that are disliked.
  static func entries(without disliked: Set<Int64>, _ transaction: ReadTransaction) throws -> [Entry] {
    try transaction.rows("SELECT id, nullif(played_at, 0) FROM albums INDEXED BY albums_by_play WHERE listed = 1") {
      Entry(number: try $0.value(0), playedAt: try $0.value(1))
    }.filter { !disliked.contains($0.number) }
  }
}

/// The albums that were drawn last: up to 200, and at most half of the library. They are forgotten when the process
/// ends.
final class RecentDraws: Sendable {
  private static let most = 200
  private let numbers = Mutex<[Int64]>([])

  /// Draws an album of these, and remembers it.
  func draw(
    _ entries: [RandomAlbum.Entry], at now: Timestamp, using generator: inout some RandomNumberGenerator
  ) -> Int64? {
    let drawn = numbers.withLock { Set($0.suffix(entries.count / 2)) }
    guard let number = RandomAlbum.draw(entries, drawn: drawn, at: now, using: &generator) else { return nil }
    numbers.withLock { numbers in
      numbers.removeAll { $0 == number }
      numbers.append(number)
      if numbers.count > Self.most { numbers.removeFirst() }
    }
    return number
  }
}
