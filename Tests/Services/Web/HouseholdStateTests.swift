import Messages
import Model
import TestSupport
import Testing

@testable import Bus
@testable import lunara_web

@Suite struct HouseholdStateTests {
  private func seen(_ state: Playback.RoomState) throws -> [Observed<Playback.RoomState>] {
    [try observed(state, by: "playback@\(state.room)")]
  }

  @Test func theOnlyRoomNeedsNoName() async throws {
    let household = HouseholdState()
    #expect(await code { _ = try await household.room(named: nil) } == "client.noRoom")
    await household.update(try seen(roomState()))
    #expect(try await household.room(named: nil) == kitchen)
    let attic = RoomName(from: "attic")
    #expect(await code { _ = try await household.room(named: attic) } == "client.roomUnknown")
    await household.update(try seen(roomState()) + seen(roomState(room: attic)))
    #expect(await code { _ = try await household.room(named: nil) } == "client.roomNeeded")
    #expect(try await household.room(named: attic) == attic)
  }

  @Test func ofSeveralRoomsTheOneThatPlaysIsMeant() async throws {
    let household = HouseholdState()
    var attic = roomState(room: RoomName(from: "attic"))
    attic.state = .paused
    await household.update(try seen(roomState()) + seen(attic))
    #expect(try await household.room(named: nil) == kitchen)
  }

  @Test func aStreamStartsWithEverythingAndIsQuietUntilSomethingChanges() async throws {
    let household = HouseholdState()
    await household.update(try seen(roomState()))
    await household.update([try observed(catalogueState, by: "library@main")])
    var events = try await household.events().makeAsyncIterator()
    let first = try #require(await events.next())
    let text = String(decoding: first, as: UTF8.self)
    #expect(text.hasPrefix("retry: 500\n\nevent: snapshot\nid: -\ndata: {"))
    #expect(text.contains(#""catalogue":{"generation":4,"albums":2"#))
    // An update without a change sends no event: the next event is the one of the change after it.
    await household.update(try seen(roomState(takenAt: Timestamp(seconds: 0))))
    await household.update([try observed(catalogueState, by: "library@main")])
    let second = String(decoding: try #require(await events.next()), as: UTF8.self)
    #expect(second.hasPrefix("event: rooms\ndata: "))
    #expect(!second.contains("event: catalogue"))
  }

  @Test func anOutboxThatHasNotChangedSendsNoEvent() async throws {
    let household = HouseholdState()
    let outbox = Scrobble.OutboxState(counted: 3, pending: 1, failed: 0)
    await household.update([try observed(outbox, by: "scrobble@main")])
    var events = try await household.events().makeAsyncIterator()
    _ = await events.next()
    await household.update([try observed(outbox, by: "scrobble@main")])
    await household.beat()
    #expect(String(decoding: try #require(await events.next()), as: UTF8.self) == "event: heartbeat\ndata: {}\n\n")
    await household.update([try observed(Scrobble.OutboxState(counted: 4, pending: 1, failed: 0), by: "scrobble@main")])
    let text = String(decoding: try #require(await events.next()), as: UTF8.self)
    #expect(text.hasPrefix("event: scrobbles\n") && text.contains(#""counted":4"#))
  }

  @Test func aRoomThatIsGoneIsNotInWhatNewcomersAreTold() async throws {
    let household = HouseholdState()
    let both = [
      try observed(queueState(), by: "playback@kitchen"), try observed(queueState(), by: "playback@attic"),
    ]
    await household.update(both)
    await household.update([both[1]])
    var events = try await household.events().makeAsyncIterator()
    let text = String(decoding: try #require(await events.next()), as: UTF8.self)
    #expect(text.contains(#""room":"attic""#) && !text.contains(#""room":"kitchen""#))
  }

  @Test func aRoomThatGoesBeforeItsQueueIsToldIsNotToldAsNothing() async throws {
    let household = HouseholdState()
    await household.update(try seen(roomState()))
    await household.update([try observed(queueState(), by: "playback@kitchen")])
    var events = try await household.events().makeAsyncIterator()
    _ = await events.next()
    await household.update([try observed(queueState(), by: "playback@attic")])
    await household.update([Observed<Playback.QueueState>]())
    await household.update([Observed<Playback.RoomState>]())
    let text = String(decoding: try #require(await events.next()), as: UTF8.self)
    #expect(text.contains("event: rooms") && !text.contains("event: queue") && !text.contains("null"), "\(text)")
  }

  @Test func ofManyRoomsANewcomerIsToldPieceByPiece() async throws {
    let household = HouseholdState()
    let rooms = (10..<40).map { "room-\($0)" }
    await household.update(try rooms.map { try observed(queueState(), by: "playback@\($0)") })
    var events = try await household.events().makeAsyncIterator()
    var told: [String] = []
    while told.count < rooms.count {
      let text = String(decoding: try #require(await events.next()), as: UTF8.self)
      let found = text.matches(of: /"room":"(room-[0-9]+)"/).map { String($0.1) }
      #expect((1...EventFeed.topicLimit).contains(found.count))
      told += found
    }
    #expect(told == rooms)
  }

  @Test func eachChangeIsSentAsItIsWhenRead() async throws {
    let household = HouseholdState()
    var events = try await household.events().makeAsyncIterator()
    _ = await events.next()
    for revision in 8...10 {
      await household.update([try observed(queueState(revision: Int64(revision)), by: "playback@kitchen")])
      let text = String(decoding: try #require(await events.next()), as: UTF8.self)
      #expect(text.contains("event: queue\n"))
      #expect(text.contains("\"revision\":\(revision)"))
    }
  }

  @Test func aSlowBrowserGetsOneNewestPieceWhenItReads() async throws {
    let household = HouseholdState()
    var events = try await household.events().makeAsyncIterator()
    _ = await events.next()
    for volume in 0...100 { await household.update(try seen(roomState(volume: volume))) }
    let text = String(decoding: try #require(await events.next()), as: UTF8.self)
    #expect(text.matches(of: /event: rooms/).count == 1)
    #expect(text.contains(#""volume":100"#))
  }

  @Test func aBrowserThatNeverReadsIsLetGo() async throws {
    let household = HouseholdState()
    var events = try await household.events().makeAsyncIterator()
    _ = await events.next()
    for _ in 0..<HouseholdState.heartbeatLimit { await household.beat() }
    #expect(await household.followerCount == 1)
    await household.beat()
    #expect(await household.followerCount == 0)
    #expect(await events.next() == nil)
  }

  @Test func aBrowserThatWaitsIsWokenByWhatFails() async throws {
    let household = HouseholdState()
    let stream = try await household.events()
    let heard = Task {
      var pieces: [String] = []
      for await piece in stream { pieces.append(String(decoding: piece, as: UTF8.self)) }
      return pieces
    }
    #expect(await eventually(equals: 1) { household.eventsSent.value })
    await household.notify(of: LunaraError("playback.fileMissing", "It is gone."))
    #expect(await eventually(equals: 2) { household.eventsSent.value })
    await household.close()
    let pieces = await heard.value
    #expect(pieces.last?.contains("event: notice\n") == true)
    #expect(pieces.last?.contains(#""code":"playback.fileMissing""#) == true)
  }

  private func code(_ body: () async throws -> Void) async -> String? {
    do {
      try await body()
      return nil
    } catch {
      return LunaraError(error).code
    }
  }
}
