import Messages
import Model

/// What is queued in which order, and which of it is current: a pure value.
///
/// It holds rows' numbers, not items: a queue of 100,000 items takes 1.6 MB here, and the items stay in the database.
struct Queue: Hashable, Sendable {
  /// One place in the queue.
  struct Slot: Hashable, Sendable {
    /// The row that holds the item.
    var row: Int64
    /// What the row is ordered by; grows along the queue, with room between neighbours.
    var place: Int64
  }

  /// The places, in order.
  private(set) var slots: [Slot]
  /// The index of the current place; nil at the end and where nothing was started.
  private(set) var current: Int?
  /// Grows with every change of what is queued or of its order.
  private(set) var revision: Int64
  /// The number of the next row; never given twice.
  private(set) var nextRow: Int64

  /// The most items a queue takes.
  static let limit = 250_000
  /// The distance of neighbours that were appended. So many rows of that distance fit into an `Int64`.
  static let step: Int64 = 1 << 40

  /// An empty queue, or one as it was stored.
  init(slots: [Slot] = [], current: Int? = nil, revision: Int64 = 0, nextRow: Int64 = 1) {
    self.slots = slots
    self.current = current.flatMap { slots.indices.contains($0) ? $0 : nil }
    self.revision = revision
    self.nextRow = max(nextRow, (slots.map(\.row).max() ?? 0) + 1)
  }

  /// How it stands, in a command's answer.
  var summary: Playback.QueueSummary {
    Playback.QueueSummary(revision: revision, count: slots.count, current: current)
  }

  /// The current place.
  var currentSlot: Slot? { current.map { slots[$0] } }

  /// The place that plays `distance` tracks after the current one; nil beyond the end.
  func slot(ahead distance: Int) -> Slot? {
    guard let current, slots.indices.contains(current + distance) else { return nil }
    return slots[current + distance]
  }

  /// At most `count` indices around the current one, or from the start where nothing is current.
  func window(_ count: Int) -> Range<Int> {
    let first = max(0, min((current ?? 0) - count / 2, slots.count - count))
    return first..<min(slots.count, first + count)
  }
}

// MARK: - Which one is current

extension Queue {
  /// Goes on to the next place, or to the end of the queue: then nothing is current, and all stays queued.
  mutating func advance() {
    guard let current else { return }
    self.current = current + 1 < slots.count ? current + 1 : nil
  }

  /// Goes back to the place before; false on the first one, or where nothing is current.
  mutating func goBack() -> Bool {
    guard let current, current > 0 else { return false }
    self.current = current - 1
    return true
  }

  /// Makes a place current.
  ///
  /// - Throws: `playback.noSuchItem`.
  mutating func jump(to index: Int) throws(LunaraError) {
    try check(index)
    current = index
  }

  /// Leaves nothing current; all stays queued.
  mutating func stop() { current = nil }

  private func check(_ index: Int) throws(LunaraError) {
    guard !slots.indices.contains(index) else { return }
    throw LunaraError(
      "playback.noSuchItem",
      slots.isEmpty
        ? "The queue is empty." : "The queue has no item \(index): they count from 0 to \(slots.count - 1).")
  }
}

// MARK: - What is queued

extension Queue {
  /// What a change means for the rows in the database.
  enum Change: Hashable, Sendable {
    /// All rows go; then these come.
    case replaced(Block)
    /// These rows come.
    case inserted(Block)
    /// This row goes.
    case removed(row: Int64)
    /// This row has another place.
    case moved(Slot)
    /// All rows go.
    case cleared
    /// Every row has another place, after the change before.
    case renumbered
  }

  /// Consecutive rows at evenly spaced places.
  struct Block: Hashable, Sendable {
    var firstRow: Int64
    var count: Int
    var firstPlace: Int64
    var step: Int64

    var slots: [Slot] {
      (0..<Int64(count)).map { Slot(row: firstRow + $0, place: firstPlace + $0 * step) }
    }
  }

  /// What a load did.
  struct Loaded: Hashable, Sendable {
    var changes: [Change]
    /// Whether the current item is to be started.
    var starts: Bool
  }

  /// Puts new rows into the queue.
  ///
  /// - Parameters:
  ///   - count: how many; the caller stores the items under the rows that the change names.
  ///   - startAt: which of them to start with when they replace the queue; the nearest there is otherwise.
  /// - Throws: `playback.nothingToLoad`, `playback.queueFull`.
  mutating func load(_ count: Int, _ mode: Playback.LoadMode, startAt: Int = 0) throws(LunaraError) -> Loaded {
    guard count > 0 else { throw LunaraError("playback.nothingToLoad", "There is nothing to play in what was chosen.") }
    guard (mode == .now ? 0 : slots.count) + count <= Self.limit else {
      throw LunaraError(
        "playback.queueFull",
        "The queue would have more than \(Self.limit) items. Clear it, or choose less.")
    }
    switch mode {
    case .now:
      slots = []
      let block = take(count, at: 0, first: Self.step, step: Self.step)
      current = max(0, min(startAt, count - 1))
      return Loaded(changes: [.replaced(block)], starts: true)
    case .next:
      guard let current else {
        let first = slots.count
        let changes = insert(count, at: first)
        self.current = first
        return Loaded(changes: changes, starts: true)
      }
      return Loaded(changes: insert(count, at: current + 1), starts: false)
    case .later: return Loaded(changes: insert(count, at: slots.count), starts: false)
    }
  }

  /// Removes one place. Where it was the current one, the next takes its place; none does at the end.
  ///
  /// - Throws: `playback.noSuchItem`.
  mutating func remove(at index: Int) throws(LunaraError) -> [Change] {
    try check(index)
    let slot = slots.remove(at: index)
    revision += 1
    if let current {
      if index < current { self.current = current - 1 } else if current == slots.count { self.current = nil }
    }
    return [.removed(row: slot.row)]
  }

  /// Moves one place to another index; what is current stays current.
  ///
  /// - Throws: `playback.noSuchItem`.
  mutating func move(from: Int, to: Int) throws(LunaraError) -> [Change] {
    try check(from)
    try check(to)
    guard from != to else { return [] }
    let wasCurrent = currentSlot
    var slot = slots.remove(at: from)
    let places = spread(1, at: to)
    slot.place = places?.first ?? 0
    slots.insert(slot, at: to)
    current = wasCurrent.flatMap { current in slots.firstIndex { $0.row == current.row } }
    revision += 1
    guard places == nil else { return [.moved(slot)] }
    renumber()
    return [.renumbered]
  }

  /// Removes all.
  mutating func clear() -> [Change] {
    guard !slots.isEmpty else { return [] }
    slots = []
    current = nil
    revision += 1
    return [.cleared]
  }

  private mutating func insert(_ count: Int, at index: Int) -> [Change] {
    if let places = spread(count, at: index) {
      return [.inserted(take(count, at: index, first: places.first, step: places.step))]
    }
    let block = take(count, at: index, first: 0, step: 0)
    renumber()
    return [.inserted(block), .renumbered]
  }

  private mutating func take(_ count: Int, at index: Int, first: Int64, step: Int64) -> Block {
    let block = Block(firstRow: nextRow, count: count, firstPlace: first, step: step)
    slots.insert(contentsOf: block.slots, at: index)
    nextRow += Int64(count)
    revision += 1
    return block
  }

  /// Places for `count` rows before the one at `index`; nil where there is no room.
  private func spread(_ count: Int, at index: Int) -> (first: Int64, step: Int64)? {
    let before = index > 0 ? slots[index - 1].place : 0
    guard index < slots.count else {
      return before < Int64.max - Int64(count + 1) * Self.step ? (before + Self.step, Self.step) : nil
    }
    let step = (slots[index].place - before) / Int64(count + 1)
    return step > 0 ? (before + step, step) : nil
  }

  private mutating func renumber() {
    for index in slots.indices { slots[index].place = Int64(index + 1) * Self.step }
  }
}
