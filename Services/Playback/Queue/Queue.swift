import Messages
import Model

/// The items that are queued, their order, and which is current: a pure value.
///
/// It holds rows' numbers, not items: a queue of 100,000 items takes 2.4 MB here, and the items stay in the database.
struct Queue: Hashable, Sendable {
  struct Slot: Hashable, Sendable {
    var row: Int64
    /// The number that orders the row; grows along the queue, with room between neighbours.
    var place: Int64
    /// The place before the queue was shuffled; zero if it is not shuffled.
    var originalPlace: Int64 = 0
  }

  /// The slots, in the order in which they play.
  var slots: [Slot]
  /// The index of the current place; nil at the end and where nothing was started.
  var current: Int?
  /// Grows with every change of what is queued or of its order.
  var revision: Int64
  /// The number of the next row; never given twice.
  var nextRow: Int64
  var order = Playback.Order.queued
  var seed: UInt64 = 0
  var repeats = Playback.Repeat.off
  var continuation: Playback.Continuation?
  /// The album of the item that was queued last.
  var lastAlbum: AlbumID?

  static let limit = 250_000
  /// The distance between the places of two appended rows. `limit` rows at this distance fit into an `Int64`.
  static let step: Int64 = 1 << 40

  /// An empty queue, or one as it was stored.
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

  /// The slot that was queued last, whatever the order is now.
  var lastQueued: Slot? { order == .queued ? slots.last : slots.max { $0.originalPlace < $1.originalPlace } }

  /// Returns the slot that plays after `distance` tracks have come to their end; nil beyond the end of the queue.
  func slot(ahead distance: Int) -> Slot? {
    guard let current else { return nil }
    switch repeats {
    case .one: return slots[current]
    case .all: return slots[(current + distance) % slots.count]
    case .off, .unknown: return slots.indices.contains(current + distance) ? slots[current + distance] : nil
    }
  }

  /// At most `count` indices around the current one, or from the start where nothing is current.
  func window(_ count: Int) -> Range<Int> {
    let first = max(0, min((current ?? 0) - count / 2, slots.count - count))
    return first..<min(slots.count, first + count)
  }

  /// Returns true if more of the continuation is wanted: the last item plays, or, unless the queue is shuffled, any
  /// item of the album that was queued last. `album` is the album of the playing item.
  func wantsMore(playing album: AlbumID?) -> Bool {
    guard continuation != nil, repeats == .off, let current else { return false }
    return current == slots.count - 1 || order == .queued && album != nil && album == lastAlbum
  }
}

// MARK: - The current item

extension Queue {
  /// Goes on after the end of the current item. After the last one nothing is current, and all stays queued.
  mutating func advance() {
    if repeats != .one { skip() }
  }

  /// Leaves the current item for the one after it, even where it is repeated.
  mutating func skip() {
    guard let current else { return }
    self.current = current + 1 < slots.count ? current + 1 : repeats == .all ? 0 : nil
  }

  /// Goes back to the slot before; returns false on the first one, or where nothing is current.
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

  /// Leaves nothing current; all stays queued.
  mutating func stop() { current = nil }

  /// Throws `playback.noSuchItem` for an index that is none.
  func check(_ index: Int) throws(LunaraError) {
    guard !slots.indices.contains(index) else { return }
    throw LunaraError(
      "playback.noSuchItem",
      slots.isEmpty
        ? "The queue is empty." : "The queue has no item \(index): they count from 0 to \(slots.count - 1).")
  }

  /// Replaces all that was queued by the items of a move, with their order, repeat mode and
  /// continuation. `originalPlaces` is the places of the items before they were shuffled; empty if they
  /// are not. Throws the errors of `load`.
  mutating func replace(with moved: Playback.Moved, originalPlaces: [Int64]) throws(LunaraError) -> [Change] {
    var changes = try load(moved.count, .now, startAt: moved.current).changes
    repeats = moved.modes.repeats == .unknown ? .off : moved.modes.repeats
    continuation = moved.continuation
    guard moved.modes.order != .queued, moved.modes.order != .unknown, originalPlaces.count == slots.count else {
      return changes
    }
    order = moved.modes.order
    for (rank, index) in slots.indices.sorted(by: { originalPlaces[$0] < originalPlaces[$1] }).enumerated() {
      slots[index].originalPlace = Int64(rank + 1) * Self.step
    }
    changes.append(.renumbered(slots.indices))
    return changes
  }
}
