import Messages
import Model

extension Queue {
  /// A change that `QueueStore` writes to the database. Its indices are those of the queue after the change.
  enum Change: Hashable, Sendable {
    /// All rows were removed and this block was inserted.
    case replaced(Block)
    case inserted(Block)
    case removed([Int64])
    /// This row has got another place.
    case moved(Slot)
    case cleared
    /// The rows at these indices have got other places, in addition to the previous change.
    case renumbered(Range<Int>)
    /// Shuffling was undone: every row has got its original place back.
    case unshuffled
  }

  /// Consecutive rows at evenly spaced places.
  struct Block: Hashable, Sendable {
    var firstRow: Int64
    var count: Int
    /// The first place in the order of playing; `step` is the distance between two places.
    var firstPlace: Int64
    var step: Int64
    /// The first place in the order before shuffling, and the distance; both are 0 if the queue is not shuffled.
    var firstOriginalPlace: Int64 = 0
    var originalStep: Int64 = 0

    var slots: [Slot] {
      (0..<Int64(count)).map {
        Slot(row: firstRow + $0, place: firstPlace + $0 * step, originalPlace: firstOriginalPlace + $0 * originalStep)
      }
    }
  }

  /// The changes of a load; `starts` is true if the current item should be started.
  typealias Loaded = (changes: [Change], starts: Bool)

  /// Inserts new rows; the caller stores the items in the rows that the changes name. A replaced queue starts at the
  /// index nearest to `startAt`, neither shuffled nor repeated. Throws `playback.nothingToLoad`, `playback.queueFull`.
  mutating func load(_ count: Int, _ mode: Playback.LoadMode, startAt: Int = 0) throws(LunaraError) -> Loaded {
    try checkLoad(of: count, besides: mode == .now ? 0 : slots.count)
    switch mode {
    case .now:
      slots = []
      order = .queued
      seed = 0
      repeats = .off
      continuation = nil
      let changes: [Change] = insert(count, at: 0, behind: nil).map {
        if case .inserted(let block) = $0 { .replaced(block) } else { $0 }
      }
      current = max(0, min(startAt, count - 1))
      return (changes, true)
    case .next:
      guard let current else {
        let first = slots.count
        let changes = insert(count, at: first, behind: lastQueued)
        self.current = first
        return (changes, true)
      }
      return (insert(count, at: current + 1, behind: slots[current]), false)
    case .later: return (insert(count, at: slots.count, behind: lastQueued), false)
    }
  }

  /// Throws `playback.nothingToLoad`, or `playback.queueFull` if `count` new items and `others` are too many.
  func checkLoad(of count: Int, besides others: Int) throws(LunaraError) {
    guard count > 0 else { throw LunaraError("playback.nothingToLoad", "There is nothing to play in what was chosen.") }
    guard others + count <= Self.limit else {
      throw LunaraError(
        "playback.queueFull",
        "The queue would have more than \(Self.limit) items. Clear it, or choose less.")
    }
  }

  /// Removes the item at an index, like the other `remove`. Throws `playback.noSuchItem`.
  mutating func remove(at index: Int) throws(LunaraError) -> [Change] {
    try check(index)
    return remove([slots[index].row])
  }

  /// Removes the items at all these indices, like the other `remove`. Throws `playback.noSuchItem`.
  mutating func remove(at ranges: [Playback.EditQueue.IndexRange]) throws(LunaraError) -> [Change] {
    var rows: Set<Int64> = []
    // The first index behind those that are in `rows` already.
    var end = 0
    for range in ranges.sorted(by: { $0.from < $1.from }) {
      try check(range.from)
      try check(range.to)
      guard max(range.from, end) <= range.to else { continue }
      rows.formUnion(slots[max(range.from, end)...range.to].map(\.row))
      end = range.to + 1
    }
    return remove(rows)
  }

  /// Removes rows. If the current one is among them, the next remaining row becomes current; after the last one that is
  /// the first row if all are repeated, else none.
  mutating func remove(_ rows: Set<Int64>) -> [Change] {
    let gone = slots.filter { rows.contains($0.row) }.map(\.row)
    guard !gone.isEmpty else { return [] }
    if let current {
      let before = slots[..<current].count { !rows.contains($0.row) }
      let left = slots.count - gone.count
      self.current = before < left ? before : repeats == .all && left > 0 ? 0 : nil
    }
    slots.removeAll { rows.contains($0.row) }
    revision += 1
    return [.removed(gone)]
  }

  /// Moves an item to another index; the current item stays current. Throws `playback.noSuchItem`.
  mutating func move(from: Int, to: Int) throws(LunaraError) -> [Change] {
    try check(from)
    try check(to)
    guard from != to else { return [] }
    let wasCurrent = currentSlot
    var slot = slots.remove(at: from)
    let places = spacedPlaces(1, at: to)
    slot.place = places?.first ?? 0
    slots.insert(slot, at: to)
    current = wasCurrent.flatMap { current in slots.firstIndex { $0.row == current.row } }
    revision += 1
    guard places == nil else { return [.moved(slot)] }
    return [.renumbered(makeRoom(for: to..<to + 1))]
  }

  /// Removes all rows and the continuation.
  mutating func clear() -> [Change] {
    guard !slots.isEmpty || continuation != nil else { return [] }
    slots = []
    current = nil
    order = .queued
    seed = 0
    continuation = nil
    revision += 1
    return [.cleared]
  }

  /// Inserts new rows at an index. In the order before shuffling they follow the slot `behind`.
  mutating func insert(_ count: Int, at index: Int, behind: Slot?) -> [Change] {
    let places = spacedPlaces(count, at: index)
    let originalPlaces =
      order == .queued ? (first: 0, step: 0) : spacedOriginalPlaces(count, behind: behind?.originalPlace ?? 0)
    let block = Block(
      firstRow: nextRow, count: count, firstPlace: places?.first ?? 0, step: places?.step ?? 0,
      firstOriginalPlace: originalPlaces?.first ?? behind?.originalPlace ?? 0, originalStep: originalPlaces?.step ?? 0)
    slots.insert(contentsOf: block.slots, at: index)
    nextRow += Int64(count)
    revision += 1
    if originalPlaces == nil {
      renumberOriginalPlaces(index..<index + count, behind: behind?.row)
      if places == nil { _ = makeRoom(for: index..<index + count) }
      return [.inserted(block), .renumbered(slots.indices)]
    }
    guard places == nil else { return [.inserted(block)] }
    return [.inserted(block), .renumbered(makeRoom(for: index..<index + count))]
  }
}
