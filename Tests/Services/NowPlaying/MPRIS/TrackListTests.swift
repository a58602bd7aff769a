import Messages
import Model
import Testing

@testable import lunara_nowplaying

struct TrackListTests {
  private func queue(_ numbers: some Sequence<Int>, current: Int?, count: Int, revision: Int64 = 1, first: Int = 0)
    -> Playback.QueueState
  {
    Playback.QueueState(
      revision: revision, count: count, current: current, first: first, items: numbers.map { item($0) })
  }

  private func list(_ numbers: some Sequence<Int>) -> TrackList {
    var list = TrackList()
    list.update(queue(numbers, current: 0, count: 99))
    return list
  }

  @Test func theListStaysWhileTheQueueDoesAndTheCurrentTrackIsWithin() {
    var list = TrackList()
    list.update(queue(0..<50, current: 5, count: 500))
    let before = list
    list.update(queue(3..<53, current: 28, count: 500, first: 3))
    #expect(list.paths == before.paths)
    list.update(queue(20..<70, current: 45, count: 500, first: 20))
    #expect(list.paths.first == TrackPath.of(EntryID(rawValue: "e20")))
    #expect(list.index(of: TrackPath.of(EntryID(rawValue: "e45")))?.0 == 45)
  }

  @Test func anotherRevisionOfTheQueueIsAnotherList() {
    var list = TrackList()
    list.update(queue(0..<3, current: 0, count: 3))
    list.update(queue(0..<4, current: 0, count: 4, revision: 2))
    #expect(list.items.count == 4)
  }

  @Test func fewChangesAreToldOneByOneAndManyAtOnce() {
    #expect(TrackListChange.between(list(0..<5), list(0..<5)) == [])
    #expect(
      TrackListChange.between(list(0..<5), list(0..<6))
        == [.added(item(5), after: TrackPath.of(EntryID(rawValue: "e4")))])
    #expect(
      TrackListChange.between(list(0..<5), list([7] + Array(1..<5)))
        == [.removed(TrackPath.of(EntryID(rawValue: "e0"))), .added(item(7), after: TrackPath.none)])
    #expect(TrackListChange.between(list(0..<5), list(0..<20)) == [.replaced])
    #expect(TrackListChange.between(list(0..<5), list([1, 0, 2, 3, 4])) == [.replaced])
    #expect(TrackListChange.between(list(0..<20), list([])) == [.replaced])
  }

  @Test func editsInARowAreToldOfTogether() {
    var propertyTiming = TrackListChangeTiming(TrackList())
    var list = TrackList()
    for count in 1...100 {
      var queue = queueState(current: 0, count: count)
      queue.revision = Int64(count)
      list.update(queue)
      propertyTiming.update(list, at: Int64(count))
      #expect(propertyTiming.popDue(at: Int64(count)) == [])
    }
    #expect(propertyTiming.due == 1 + PropertyChangeTiming.gathering)
    #expect(propertyTiming.popDue(at: 1 + PropertyChangeTiming.gathering) == [.replaced])
    #expect(propertyTiming.sent == list && propertyTiming.due == nil)
  }

  @Test func anEditThatIsUndoneIsNotToldOf() {
    var (list, longer) = (TrackList(), TrackList())
    list.update(queueState(current: 0, count: 2))
    longer.update(queueState(current: 0, count: 3))
    var propertyTiming = TrackListChangeTiming(list)
    propertyTiming.update(longer, at: 1)
    propertyTiming.update(list, at: 2)
    #expect(propertyTiming.due == nil)
  }
}
