import Messages
import Model

/// The items that are queued, their order, and the current one. It does no I/O.
///
/// It contains the numbers of rows, not the items: a queue of 100,000 items needs 2.4 MB of memory, and the items stay
/// in the database.
struct Queue: Hashable, Sendable {
  struct Slot: Hashable, Sendable {
    var row: Int64
    /// The number by which the row is ordered; it grows along the queue, with gaps.
    var place: Int64
    /// The place before the queue was shuffled; zero if it is not shuffled.
    var originalPlace: Int64 = 0
  }

  /// The slots, in the order of playing.
  var slots: [Slot]
  /// The index of the current slot; nil at the end, and if nothing was started.
  var current: Int?
  /// The number of the queue's version, which grows with every change of the items or their order.
  var revision: Int64
  /// The number of the next row; no number is used twice.
  var nextRow: Int64
  var order = Playback.Order.queued
  var seed: UInt64 = 0
  var repeats = Playback.Repeat.off
  var continuation: Playback.Continuation?
  /// True if albums of the continuation follow after the last item.
  var continues: Bool { continuation.map { $0.isOff != true } ?? false }
  /// The album of the item that was queued last.
  var lastAlbum: AlbumID?

  static let limit = 250_000
  /// The distance between the places of two appended rows. The places of `limit` rows fit into an `Int64`.
  static let step: Int64 = 1 << 40

  /// Creates an empty queue, or one from its stored values.
  init(slots: [Slot] = [], current: Int? = nil, revision: Int64 = 0, nextRow: Int64 = 1) {
    self.slots = slots
    self.current = current.flatMap { slots.indices.contains($0) ? $0 : nil }
    self.revision = revision
    self.nextRow = max(nextRow, (slots.map(\.row).max() ?? 0) + 1)
  }

  var summary: Playback.QueueSummary {
    Playback.QueueSummary(revision: revision, count: slots.count, current: current)
  }

  var currentSlot: Slot? { current.map { slots[$0] } }

  /// The slot that was queued last, in the order before shuffling.
  var lastQueued: Slot? { order == .queued ? slots.last : slots.max { $0.originalPlace < $1.originalPlace } }

  /// Returns the slot that plays after `distance` tracks have come to their end; nil after the end of the queue.
  func slot(ahead distance: Int) -> Slot? {
    guard let current else { return nil }
    switch repeats {
    case .one: return slots[current]
    case .all: return slots[(current + distance) % slots.count]
    case .off, .unknown: return slots.indices.contains(current + distance) ? slots[current + distance] : nil
    }
  }

  /// Returns at most `count` indices around the current one, or from the start if nothing is current.
  func window(_ count: Int) -> Range<Int> {
    let first = max(0, min((current ?? 0) - count / 2, slots.count - count))
    return first..<min(slots.count, first + count)
  }

  /// Returns true if more of the continuation is wanted: while the last item plays, or, in a queue that is not
  /// shuffled, while any item of the album that was queued last plays. `album` is the album of the playing item.
  func wantsMore(playing album: AlbumID?) -> Bool {
    guard continues, repeats == .off, let current else { return false }
    return current == slots.count - 1 || order == .queued && album != nil && album == lastAlbum
  }
}

// MARK: - The current item

extension Queue {
  /// Goes to the next item when the current one ends. After the last one nothing is current; all items stay in the
  /// queue.
  mutating func advance() {
    if repeats != .one { skip() }
  }

  /// Goes to the next item, even if the current one is repeated.
  mutating func skip() {
    guard let current else { return }
    self.current = current + 1 < slots.count ? current + 1 : repeats == .all ? 0 : nil
  }

  /// Goes back to the previous slot. Returns false at the first one, or if nothing is current.
  mutating func goBack() -> Bool {
    guard let current, current > 0 else { return false }
    self.current = current - 1
    return true
  }

  /// Makes the item at an index current. Throws `playback.noSuchItem`.
  mutating func jump(to index: Int) throws(LunaraError) {
    try check(index)
    current = index
  }

  /// Makes nothing current; all items stay in the queue.
  mutating func stop() { current = nil }

  /// Throws `playback.noSuchItem` for an index that does not exist.
  func check(_ index: Int) throws(LunaraError) {
    guard !slots.indices.contains(index) else { return }
    throw LunaraError(
      "playback.noSuchItem",
      slots.isEmpty
        ? "The queue is empty." : "The queue has no item \(index): they count from 0 to \(slots.count - 1).")
  }

  /// Inserts the items of a move before the current item, which follows after them; if nothing is current before the
  /// item `next` at which the room would start, or at the end if that is nil. The queue keeps its own order, repeat
  /// mode and continuation. Throws the errors of `load`.
  mutating func insert(_ moved: Playback.Moved, orBefore next: Int?) throws(LunaraError) -> [Change] {
    try checkLoad(of: moved.count, besides: slots.count)
    let index = current ?? next ?? slots.count
    let changes = insert(moved.count, at: index, behind: index > 0 ? slots[index - 1] : nil)
    current = index + max(0, min(moved.current, moved.count - 1))
    return changes
  }

  /// Replaces the queue by the items of a move, with their order, repeat mode and continuation. `originalPlaces` are
  /// the places of the items before they were shuffled; empty if they are not shuffled. Throws the errors of `load`.
  mutating func replace(with moved: Playback.Moved, originalPlaces: [Int64]) throws(LunaraError) -> [Change] {
    let changes = try load(moved.count, .now, startAt: moved.current).changes
    repeats = moved.modes.repeats == .unknown ? .off : moved.modes.repeats
    continuation = moved.continuation
    return changes + shuffled(moved.modes.order, originalPlaces: originalPlaces)
  }

  /// Takes the present order as a shuffled one, unless `wanted` is `queued`. `originalPlaces` are the places of the
  /// slots before they were shuffled.
  mutating func shuffled(_ wanted: Playback.Order, seed: UInt64 = 0, originalPlaces: [Int64]) -> [Change] {
    guard wanted != .queued, wanted != .unknown, originalPlaces.count == slots.count else { return [] }
    order = wanted
    self.seed = seed
    for (rank, index) in slots.indices.sorted(by: { originalPlaces[$0] < originalPlaces[$1] }).enumerated() {
      slots[index].originalPlace = Int64(rank + 1) * Self.step
    }
    return [.renumbered(slots.indices)]
  }
}
