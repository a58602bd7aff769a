import Model
import Testing

@testable import lunara_web

@Suite struct EventFeedTests {
  private let trouble = LunaraError("playback.fileMissing", "It is gone.")

  @Test func everythingComesFirst() {
    var feed = EventFeed()
    feed.changed(.rooms)
    #expect(feed.take() == [.snapshot])
    #expect(feed.take() == [])
  }

  @Test func aBrowserThatKeepsUpHearsEveryChange() {
    var feed = EventFeed()
    _ = feed.take()
    feed.changed(.rooms)
    #expect(feed.take() == [.newest(.rooms)])
    feed.changed(.rooms)
    #expect(feed.take() == [.newest(.rooms)])
  }

  @Test func aSlowBrowserHearsOnlyTheNewestOfEachTopic() throws {
    let kitchen = try #require(RoomName("kitchen"))
    var feed = EventFeed()
    _ = feed.take()
    for _ in 0..<1000 {
      feed.changed(.queue(kitchen))
      feed.changed(.rooms)
      feed.changed(.queue(kitchen))
    }
    #expect(feed.take() == [.newest(.queue(kitchen)), .newest(.rooms)])
  }

  @Test func ofManyTopicsAFewAreToldAtATimeAndNoneIsForgotten() {
    var feed = EventFeed()
    _ = feed.take()
    let rooms = (0..<20).map { RoomName(from: "room-\($0)") }
    for room in rooms { feed.changed(.queue(room)) }
    var told: [EventFeed.Item] = []
    while case let items = feed.take(), !items.isEmpty {
      #expect(items.count <= EventFeed.topicLimit)
      told += items
    }
    #expect(told == rooms.map { .newest(.queue($0)) })
  }

  @Test func noticesAreKeptInOrderAndBounded() {
    var feed = EventFeed()
    _ = feed.take()
    for number in 0..<20 { feed.failed(LunaraError("playback.fileMissing", "\(number)")) }
    let kept = feed.take()
    #expect(kept.count == EventFeed.noticeLimit)
    #expect(kept.first == .notice(LunaraError("playback.fileMissing", "12")))
    #expect(kept.last == .notice(LunaraError("playback.fileMissing", "19")))
  }

  @Test func aHeartbeatIsSentOnlyWhereNothingElseIs() {
    var feed = EventFeed()
    _ = feed.take()
    feed.beat()
    #expect(feed.take() == [.heartbeat])
    feed.beat()
    feed.failed(trouble)
    #expect(feed.take() == [.notice(trouble)])
    #expect(feed.take() == [])
  }

  @Test func beatsCountUntilTheBrowserReads() {
    var feed = EventFeed()
    feed.beat()
    feed.beat()
    #expect(feed.beatsWaiting == 2)
    _ = feed.take()
    #expect(feed.beatsWaiting == 0)
  }
}
