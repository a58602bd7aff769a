import Messages
import Model
import Testing

@testable import lunara_playback

/// The operations of the queue value.
struct QueueTests {
  /// A queue of rows 1 to `count`.
  private func queue(_ count: Int, current: Int? = nil) throws -> Queue {
    var queue = Queue()
    if count > 0 { _ = try queue.load(count, .later) }
    if let current { try queue.jump(to: current) }
    return queue
  }

  private func rows(_ queue: Queue) -> [Int64] { queue.slots.map(\.row) }

  @Test func aLoadNowReplacesAllAndStarts() throws {
    var queue = try queue(5, current: 3)
    let loaded = try queue.load(3, .now)
    #expect(loaded.starts)
    #expect(rows(queue) == [6, 7, 8])
    #expect(queue.current == 0)
    guard case .replaced(let block)? = loaded.changes.first else { return #expect(Bool(false), "\(loaded.changes)") }
    #expect(loaded.changes.count == 1 && block.count == 3)
  }

  @Test(arguments: [(0, 0), (2, 2), (3, 2), (99, 2), (-1, 0)])
  func aLoadNowStartsAtTheTrackAskedForOrTheNearest(asked: Int, expected: Int) throws {
    var queue = Queue()
    _ = try queue.load(3, .now, startAt: asked)
    #expect(queue.current == expected)
  }

  @Test func aLoadNextGoesBehindTheCurrentOneAndStartsNothing() throws {
    var queue = try queue(3, current: 1)
    let loaded = try queue.load(2, .next)
    #expect(!loaded.starts)
    #expect(rows(queue) == [1, 2, 4, 5, 3])
    #expect(queue.current == 1)
  }

  @Test func aLoadNextIntoAnIdleQueueGoesToItsEndAndStarts() throws {
    var queue = try queue(2)
    let loaded = try queue.load(2, .next)
    #expect(loaded.starts)
    #expect(rows(queue) == [1, 2, 3, 4])
    #expect(queue.current == 2)
  }

  @Test func aLoadLaterGoesToTheEndAndStartsNothing() throws {
    var queue = try queue(2, current: 0)
    let loaded = try queue.load(2, .later)
    #expect(!loaded.starts)
    #expect(rows(queue) == [1, 2, 3, 4])
    #expect(queue.current == 0)
    var idle = Queue()
    _ = try idle.load(2, .later)
    #expect(idle.current == nil)
  }

  @Test(
    arguments: [
      // (current, where an idle room would start, rows afterwards, current afterwards)
      (2, 0, [1, 2, 4, 5, 3], 3), (nil, 1, [1, 4, 5, 2, 3], 2), (nil, nil, [1, 2, 3, 4, 5], 4),
    ] as [(Int?, Int?, [Int64], Int)])
  func theItemsOfAMoveComeBeforeTheCurrentItemOrThatAtWhichTheRoomWouldStart(
    current: Int?, start: Int?, rows: [Int64], playing: Int
  ) throws {
    var queue = try queue(3, current: current)
    let moved = Playback.Moved(
      revision: 1, count: 2, current: 1, position: .zero, isPlaying: true, listen: nil, modes: Playback.Modes(),
      continuation: nil)
    _ = try queue.insert(moved, orBefore: start)
    #expect(self.rows(queue) == rows && queue.current == playing)
  }

  @Test(arguments: [Playback.LoadMode.now, .next, .later])
  func aLoadOfNothingIsRefused(mode: Playback.LoadMode) throws {
    var queue = try queue(2, current: 0)
    let before = queue
    #expect(throws: LunaraError.self) { try queue.load(0, mode) }
    #expect(queue == before)
  }

  @Test func aQueueHasALimit() throws {
    var queue = try queue(Queue.limit - 1, current: 0)
    #expect(throws: LunaraError.self) { try queue.load(2, .later) }
    _ = try queue.load(1, .later)
    // A load that replaces the queue counts only the new items.
    _ = try queue.load(Queue.limit, .now)
    #expect(queue.slots.count == Queue.limit)
  }

  @Test func atItsEndNothingIsCurrentAndAllIsKept() throws {
    var queue = try queue(2, current: 0)
    queue.advance()
    #expect(queue.current == 1)
    let revision = queue.revision
    queue.advance()
    #expect(queue.current == nil)
    #expect(rows(queue) == [1, 2])
    #expect(queue.revision == revision)
    queue.advance()
    #expect(queue.current == nil)
  }

  @Test func goingBackStopsAtTheFirstItem() throws {
    var queue = try queue(2, current: 1)
    let first = queue.goBack()
    #expect(first && queue.current == 0)
    let second = queue.goBack()
    #expect(!second && queue.current == 0)
    queue.stop()
    let third = queue.goBack()
    #expect(!third)
    #expect(queue.current == nil)
  }

  @Test(arguments: [-1, 3, Int.max, Int.min])
  func anInvalidIndexIsRefusedAndChangesNothing(index: Int) throws {
    var queue = try queue(3, current: 1)
    let before = queue
    #expect(throws: LunaraError.self) { try queue.jump(to: index) }
    #expect(throws: LunaraError.self) { try queue.remove(at: index) }
    #expect(throws: LunaraError.self) { try queue.move(from: index, to: 0) }
    #expect(throws: LunaraError.self) { try queue.move(from: 0, to: index) }
    #expect(queue == before)
  }

  @Test(arguments: [(0, 2, 1), (2, 2, 2), (4, 2, 2), (4, 4, nil), (0, nil, nil)] as [(Int, Int?, Int?)])
  func removingKeepsTheCurrentOneOrGoesToTheNext(index: Int, current: Int?, after: Int?) throws {
    var queue = try queue(5, current: current)
    let before = rows(queue)
    let changes = try queue.remove(at: index)
    #expect(changes == [.removed([before[index]])])
    #expect(queue.current == after)
    #expect(rows(queue) == before.filter { $0 != before[index] })
  }

  @Test func movingKeepsTheCurrentOneCurrent() throws {
    for from in 0..<5 {
      for to in 0..<5 {
        for current in 0..<5 {
          var queue = try queue(5, current: current)
          var model = rows(queue)
          let row = model[current]
          model.insert(model.remove(at: from), at: to)
          _ = try queue.move(from: from, to: to)
          #expect(rows(queue) == model)
          #expect(queue.currentSlot?.row == row)
        }
      }
    }
  }

  @Test func movingAnItemToItsOwnPlaceIsNoChange() throws {
    var queue = try queue(3)
    let before = queue
    let changes = try queue.move(from: 1, to: 1)
    #expect(changes == [])
    #expect(queue == before)
  }

  @Test func clearingEmptiesAndClearingAgainIsNoChange() throws {
    var queue = try queue(3, current: 1)
    let first = queue.clear()
    #expect(first == [.cleared])
    #expect(queue.slots.isEmpty && queue.current == nil)
    let before = queue
    let second = queue.clear()
    #expect(second == [])
    #expect(queue == before)
  }

  @Test func anInsertionWithoutRoomRenumbers() throws {
    var queue = try queue(2, current: 0)
    var renumbered = 0
    for _ in 0..<100 {
      for case .renumbered in try queue.load(1, .next).changes { renumbered += 1 }
    }
    #expect(renumbered > 0 && renumbered < 5)
    #expect(rows(queue) == [1] + (3...102).reversed() + [2])
    #expect(zip(queue.slots, queue.slots.dropFirst()).allSatisfy { $0.place < $1.place })
  }

  @Test func anInsertionWithoutRoomMovesItsNeighboursOnly() throws {
    var queue = try queue(100_000, current: 50_000)
    var moved = 0
    for _ in 0..<1000 {
      for case .renumbered(let range) in try queue.load(1, .next).changes { moved += range.count }
    }
    #expect(moved > 0 && moved < 20_000)
    #expect(zip(queue.slots, queue.slots.dropFirst()).allSatisfy { $0.place < $1.place })
    #expect(queue.currentSlot?.row == 50_001)
  }

  @Test func theWindowSurroundsTheCurrentItem() throws {
    var queue = try queue(200, current: 100)
    #expect(queue.window(50) == 75..<125)
    try queue.jump(to: 3)
    #expect(queue.window(50) == 0..<50)
    try queue.jump(to: 199)
    #expect(queue.window(50) == 150..<200)
    queue.stop()
    #expect(queue.window(50) == 0..<50)
    #expect(try self.queue(3, current: 2).window(50) == 0..<3)
    #expect(Queue().window(50) == 0..<0)
  }

  @Test func theNextItemIsKnown() throws {
    let queue = try queue(3, current: 1)
    #expect(queue.slot(ahead: 0)?.row == 2)
    #expect(queue.slot(ahead: 1)?.row == 3)
    #expect(queue.slot(ahead: 2) == nil)
    #expect(Queue().slot(ahead: 1) == nil)
  }

  @Test func aStoredQueueThatPointsOutsideHasNothingCurrent() {
    #expect(Queue(slots: [.init(row: 4, place: 1)], current: 1).current == nil)
    #expect(Queue(slots: [.init(row: 4, place: 1)], current: 0).nextRow == 5)
  }
}
