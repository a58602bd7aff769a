import Messages
import Storage
import Synchronization

/// The lists in which the position of an item cannot be read from an index: random orders, orders by plays, and
/// narrowed lists of tracks. Those that were requested last are kept, so that scrolling through one does not sort the
/// whole catalogue for each window. A list of 100,000 items takes 1.6 MB.
final class ListCache: Sendable {
  private static let most = 4

  /// The kind of items.
  enum Subject: Hashable { case albums, tracks }

  /// An item of a list. The items are sorted by `value`, and those of the same value by `number`.
  struct Place: Hashable, Comparable {
    /// The value by which the list is sorted.
    var value: Int64
    /// The number of the album or track.
    var number: Int64

    static func < (one: Place, other: Place) -> Bool { (one.value, one.number) < (other.value, other.number) }
  }

  struct Key: Hashable {
    /// The catalogue's generation and the last listen: a list is valid until something changes.
    var stamp: Stamp
    var subject: Subject
    var sort: Library.Sort
    var tags: [Library.Tag]
    /// The seed of the random order; nil for others.
    var seed: Int64?
    /// True for a list of every edition.
    var hasEditions = false
  }

  /// The state of the database on which the lists depend.
  struct Stamp: Hashable {
    /// The catalogue's generation.
    var generation: Int64
    /// The largest number of a listen, and the time of the last one that counted, in microseconds; 0 for lists that do
    /// not depend on listens.
    var lastListen: Int64 = 0
    var lastPlay: Int64 = 0
  }

  private struct CachedLists {
    var lists: [(key: Key, places: [Place])] = []
    var plays: [Subject: (stamp: Stamp, plays: [Int64: Int])] = [:]
  }

  private let kept = Mutex(CachedLists())

  /// Returns the places of a list; `make` returns them in their order where they are not kept. A list of what was added
  /// in some days before now changes with time alone, so it is never kept.
  func places(_ key: Key, _ make: () throws -> [Place]) rethrows -> [Place] {
    if key.tags.contains(where: { $0.kind == .added }) { return try make() }
    if let found = kept.withLock({ kept in kept.lists.first { $0.key == key } }) { return found.places }
    let places = try make()
    kept.withLock { kept in
      // Nobody asks for the lists of a catalogue that has changed.
      kept.lists.removeAll { $0.key.stamp.generation != key.stamp.generation || $0.key == key }
      if kept.lists.count >= Self.most { kept.lists.removeFirst() }
      kept.lists.append((key, places))
    }
    return places
  }

  /// Returns the plays of all albums or tracks that have some; `count` counts them where they are not kept.
  func plays(_ subject: Subject, _ stamp: Stamp, _ count: () throws -> [Int64: Int]) rethrows -> [Int64: Int] {
    if let found = kept.withLock({ $0.plays[subject] }), found.stamp == stamp { return found.plays }
    let plays = try count()
    kept.withLock { $0.plays[subject] = (stamp, plays) }
    return plays
  }
}

extension ListCache.Stamp {
  /// Reads the present state for a list of items with these tags. What was played narrows some lists, and orders those
  /// that are not random.
  init(of tags: [Library.Tag], isRandom: Bool, _ transaction: ReadTransaction) throws {
    let dependsOnListens = !isRandom || tags.contains { $0.kind == .unplayed }
    try self.init(withListens: dependsOnListens, transaction)
  }

  /// Reads the present state. Listens are counted by the last that was stored and by the time of the last play.
  init(withListens: Bool, _ transaction: ReadTransaction) throws {
    self.init(generation: try Catalogue.generation(transaction))
    guard withListens else { return }
    lastListen = try transaction.value("SELECT max(id) FROM listens") ?? 0
    lastPlay =
      try transaction.value("SELECT played_at FROM tracks WHERE shelf IS NOT NULL ORDER BY played_at DESC LIMIT 1") ?? 0
  }
}

extension Array where Element == ListCache.Place {
  /// Returns the items behind a place, which need not be in the list, in the direction of the list or, if it is
  /// reversed, in the opposite one.
  func behind(_ place: Element?, isReversed: Bool) -> [Element] {
    guard let place else { return isReversed ? reversed() : self }
    if isReversed { return prefix(upTo: firstIndex { $0 >= place } ?? endIndex).reversed() }
    return Array(suffix(from: firstIndex { $0 > place } ?? endIndex))
  }

  /// Returns the items from a position on, in the direction of the list or in the opposite one.
  func part(from first: Int, limit: Int, isReversed: Bool) -> [Element] {
    guard first < count else { return [] }
    let end = Swift.min(count, first + limit)
    return isReversed ? self[(count - end)..<(count - first)].reversed() : Array(self[first..<end])
  }
}
