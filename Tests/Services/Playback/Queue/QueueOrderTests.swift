import Messages
import Model
import Testing

@testable import lunara_playback

/// Orders, repeats and continuations of a queue.
struct QueueOrderTests {
  private func queue(_ count: Int, current: Int? = nil) throws -> Queue {
    var queue = Queue()
    _ = try queue.load(count, .later)
    if let current { try queue.jump(to: current) }
    return queue
  }

  private func rows(_ queue: Queue) -> [Int64] { queue.slots.map(\.row) }

  @Test func aMixedQueueBeginsWithTheCurrentItemAndIsUndone() throws {
    var queue = try queue(50, current: 20)
    _ = queue.order(.tracks, seed: 7)
    #expect(queue.current == 0 && queue.currentSlot?.row == 21)
    #expect(rows(queue) != Array(1...50) && Set(rows(queue)) == Set(1...50))
    queue.advance()
    let row = queue.currentSlot?.row
    let changes = queue.order(.queued, seed: 0)
    #expect(changes == [.unshuffled])
    #expect(rows(queue) == Array(1...50))
    #expect(queue.currentSlot?.row == row)
  }

  @Test func theSeedDecidesTheMixedOrder() throws {
    var first = try queue(50)
    var second = first
    var third = first
    _ = first.order(.tracks, seed: 1)
    _ = second.order(.tracks, seed: 2)
    _ = third.order(.tracks, seed: 2)
    _ = third.order(.tracks, seed: 1)
    #expect(rows(first) != rows(second))
    #expect(rows(first) == rows(third))
    let again = first.order(.tracks, seed: 1)
    #expect(again.isEmpty)
  }

  @Test func mixedAlbumsStayWholeAndTheCurrentOneGoesOn() throws {
    var queue = try queue(12, current: 5)
    // Four albums of three tracks each.
    let albums = Dictionary(uniqueKeysWithValues: (1...12).map { (Int64($0), ($0 - 1) / 3) })
    _ = queue.order(.albums, seed: 3, albums: albums)
    #expect(rows(queue).first == 6)
    #expect(Array(rows(queue).suffix(2)) == [4, 5])
    let others = Array(rows(queue).dropFirst().dropLast(2))
    for start in stride(from: 0, to: 9, by: 3) {
      let first = others[start]
      #expect(first % 3 == 1 && Array(others[start..<start + 3]) == [first, first + 1, first + 2])
    }
  }

  @Test func whatIsQueuedWhileMixedHasAPlaceInBothOrders() throws {
    var queue = try queue(10, current: 4)
    _ = queue.order(.tracks, seed: 5)
    _ = try queue.load(2, .next)
    _ = try queue.load(1, .later)
    #expect(Array(rows(queue).prefix(3)) == [5, 11, 12] && rows(queue).last == 13)
    _ = queue.order(.queued, seed: 0)
    #expect(rows(queue) == [1, 2, 3, 4, 5, 11, 12, 6, 7, 8, 9, 10, 13])
    #expect(queue.current == 4)
  }

  @Test func anEmptyQueueCannotBeMixed() {
    var queue = Queue()
    let changes = queue.order(.tracks, seed: 1)
    #expect(changes.isEmpty && queue.order == .queued && queue.revision == 0)
  }

  @Test func repeatAllWrapsAndRepeatOneStays() throws {
    var queue = try queue(3, current: 2)
    queue.repeats = .all
    #expect(queue.slot(ahead: 1)?.row == 1 && queue.slot(ahead: 5)?.row == 2)
    queue.advance()
    #expect(queue.current == 0)
    queue.repeats = .one
    #expect(queue.slot(ahead: 1)?.row == 1)
    queue.advance()
    #expect(queue.current == 0)
    // A person's `next` leaves the track all the same.
    queue.skip()
    #expect(queue.current == 1)
    queue.skip()
    queue.skip()
    #expect(queue.current == nil)
  }

  @Test func moreIsWantedWhileTheLastAlbumPlays() throws {
    let (first, last) = (AlbumID(source: "files", native: "a"), AlbumID(source: "files", native: "b"))
    var queue = try queue(6, current: 0)
    queue.lastAlbum = last
    #expect(!queue.wantsMore(playing: last))
    queue.continuation = Playback.Continuation(list: Library.AlbumList(), after: last)
    #expect(!queue.wantsMore(playing: first) && queue.wantsMore(playing: last))
    #expect(!queue.wantsMore(playing: nil))
    for mode in [Playback.Repeat.one, .all] {
      queue.repeats = mode
      #expect(!queue.wantsMore(playing: last))
    }
    queue.repeats = .off
    // The album was removed from the queue, so its last item decides.
    try queue.jump(to: 5)
    #expect(queue.wantsMore(playing: first))
    queue.stop()
    #expect(!queue.wantsMore(playing: last))
  }

  @Test func aNewLoadAndAClearDropTheContinuation() throws {
    for clears in [true, false] {
      var queue = try queue(3, current: 0)
      queue.continuation = Playback.Continuation(
        list: Library.AlbumList(), after: AlbumID(source: "files", native: "a"))
      queue.repeats = .all
      if clears { _ = queue.clear() } else { _ = try queue.load(1, .now) }
      #expect(queue.continuation == nil)
      #expect(queue.repeats == (clears ? .all : .off))
    }
  }

  @Test func forgettingTheCurrentItemGoesToTheNextThatStays() throws {
    var queue = try queue(6, current: 2)
    let changes = queue.remove([1, 3, 4])
    #expect(changes == [.removed([1, 3, 4])])
    #expect(rows(queue) == [2, 5, 6] && queue.currentSlot?.row == 5)
    let none = queue.remove([77])
    #expect(none.isEmpty)
    _ = queue.remove([5, 6])
    #expect(queue.current == nil && rows(queue) == [2])
  }
}
