import Client
import Messages
import Model

/// A room's queue with the numbers that clients use for its entries and versions.
struct NumberedQueue: Sendable {
  var items: [QueueItem] = []
  /// The number of each entry, which it keeps while it is queued.
  var ids: [Int] = []
  /// The version in which each position got its present entry.
  var versions: [Int] = []
  /// The version of the queue.
  var version = 0
  /// The revision of the room's queue.
  var revision: Int64 = 0
  /// The index of the playing or paused item; nil if there is none.
  var current: Int?
  /// The index of the current item, or of the one at which a stopped room starts.
  var shown: Int?

  /// Returns the index of a numbered entry.
  ///
  /// - Throws: `No such song`.
  func index(id: Int) throws(CommandError) -> Int {
    guard let index = ids.firstIndex(of: id) else { throw CommandError.noSuchSong }
    return index
  }

  /// The positions that changed after a version; all if the version is newer than the queue.
  func changes(after old: Int) -> [Int] {
    old > version ? Array(items.indices) : items.indices.filter { versions[$0] > old }
  }
}

/// Numbers the entries of one room's queue.
struct QueueHistory: Sendable {
  private var numbers: [EntryID: Int] = [:]
  private var lastNumber = 0
  private(set) var revision: Int64?
  private(set) var queue = NumberedQueue()
  private(set) var isExpired = false

  /// Updates the queue from the whole queue of the room.
  mutating func update(_ newest: RoomQueue) {
    let version = Self.version(newest.revision)
    let isOlder = revision.map { newest.revision < $0 } ?? true
    var next = NumberedQueue(items: newest.items, version: version)
    var kept: [EntryID: Int] = [:]
    for (index, item) in newest.items.enumerated() {
      let number = numbers[item.entry] ?? nextNumber()
      kept[item.entry] = number
      next.ids.append(number)
      let isSame = !isOlder && queue.items.indices.contains(index) && queue.items[index].entry == item.entry
      next.versions.append(isSame ? queue.versions[index] : version)
    }
    numbers = kept
    revision = newest.revision
    isExpired = false
    next.revision = newest.revision
    queue = next
    move(current: newest.current, next: newest.nextIndex)
  }

  /// Makes the queue be read again at its next use.
  mutating func expire() { isExpired = true }

  /// Updates the current item of the same queue. Indexes that the queue does not have mean none.
  mutating func move(current: Int?, next: Int?) {
    let positions = queue.items.indices
    queue.current = current.flatMap { positions.contains($0) ? $0 : nil }
    queue.shown = queue.current ?? next.flatMap { positions.contains($0) ? $0 : nil }
  }

  private mutating func nextNumber() -> Int {
    lastNumber = lastNumber == Int(Int32.max) ? 1 : lastNumber + 1
    return lastNumber
  }

  /// Versions of the protocol have 31 bits.
  private static func version(_ revision: Int64) -> Int { Int(revision & 0x7FFF_FFFF) }
}
