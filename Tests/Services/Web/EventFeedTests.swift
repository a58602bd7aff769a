import Model
import Testing

@testable import lunara_web

@Suite struct EventFeedTests {
  private let trouble = LunaraError("playback.fileMissing", "It is gone.")

  @Test func everythingComesFirst() {
    var feed = EventFeed()
    feed.markChanged(.rooms)
    #expect(feed.popItems() == [.snapshot])
    #expect(feed.popItems() == [])
  }

  @Test func aBrowserThatKeepsUpHearsEveryChange() {
    var feed = EventFeed()
    _ = feed.popItems()
    feed.markChanged(.rooms)
    #expect(feed.popItems() == [.newest(.rooms)])
    feed.markChanged(.rooms)
    #expect(feed.popItems() == [.newest(.rooms)])
  }

  @Test func aSlowBrowserHearsOnlyTheNewestOfEachTopic() throws {
    let kitchen = try #require(RoomName("kitchen"))
    var feed = EventFeed()
    _ = feed.popItems()
    for _ in 0..<1000 {
      feed.markChanged(.queue(kitchen))
      feed.markChanged(.rooms)
      feed.markChanged(.queue(kitchen))
    }
    #expect(feed.popItems() == [.newest(.queue(kitchen)), .newest(.rooms)])
  }

  @Test func ofManyTopicsAFewAreToldAtATimeAndNoneIsForgotten() {
    var feed = EventFeed()
    _ = feed.popItems()
    let rooms = (0..<20).map { RoomName(from: "room-\($0)") }
    for room in rooms { feed.markChanged(.queue(room)) }
    var told: [EventFeed.Item] = []
    while case let items = feed.popItems(), !items.isEmpty {
      #expect(items.count <= EventFeed.topicLimit)
      told += items
    }
    #expect(told == rooms.map { .newest(.queue($0)) })
  }

  @Test func noticesAreKeptInOrderAndBounded() {
    var feed = EventFeed()
    _ = feed.popItems()
    for number in 0..<20 { feed.add(LunaraError("playback.fileMissing", "\(number)")) }
    let kept = feed.popItems()
    #expect(kept.count == EventFeed.noticeLimit)
    #expect(kept.first == .notice(LunaraError("playback.fileMissing", "12")))
    #expect(kept.last == .notice(LunaraError("playback.fileMissing", "19")))
  }

  @Test func aHeartbeatIsSentOnlyWhereNothingElseIs() {
    var feed = EventFeed()
    _ = feed.popItems()
    feed.beat()
    #expect(feed.popItems() == [.heartbeat])
    feed.beat()
    feed.add(trouble)
    #expect(feed.popItems() == [.notice(trouble)])
    #expect(feed.popItems() == [])
  }

  @Test func beatsCountUntilTheBrowserReads() {
    var feed = EventFeed()
    feed.beat()
    feed.beat()
    #expect(feed.unreadHeartbeats == 2)
    _ = feed.popItems()
    #expect(feed.unreadHeartbeats == 0)
  }
}
