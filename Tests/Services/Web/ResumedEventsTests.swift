import HTTP
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Bus
@testable import lunara_web

/// Event streams of browsers that were away, are many, or do not read.
@Suite(.timeLimit(.minutes(2)))
struct ResumedEventsTests {
  @Test func aReturningBrowserGetsTheMissedFacts() async throws {
    let household = try await ServedHousehold().ready()
    let database = try household.bus.database("notes")
    let scrobbler = try await household.bus.node("scrobble@main", database: database)
    func say(_ service: String) async throws {
      let journal = try #require(scrobbler.journal)
      let fact = Scrobble.AccountPaused(service: service, account: "ann", error: nil)
      try await database.write { try journal.append(fact, in: $0) }
    }
    let first = try EventReader(port: household.service.port)
    _ = try await first.next(containing: "event: snapshot\n")
    // The service may not have found the scrobbler's journal yet; facts that were not read yet count as new then.
    try await say("one")
    let heard = try await first.next(containing: #""service":"one""#)
    let id = try #require(heard.firstMatch(of: /event: fact\nid: (scrobble@main:[^\n]+)\ndata: [^\n]*"one"/)).output.1
    first.close()
    try await say("two")
    try await say("three")
    let back = try EventReader(port: household.service.port, after: String(id))
    let missed = try await back.next(containing: #""service":"three""#)
    #expect(missed.contains("event: snapshot\n") && missed.contains(#""service":"two""#))
    #expect(!missed.contains(#""service":"one""#) && !missed.contains("event: reset\n"))
    let lost = try EventReader(port: household.service.port, after: "7.3")
    #expect(try await lost.next(containing: "event: snapshot\n").contains("event: reset\n"))
    for browser in [back, lost] { browser.close() }
    await scrobbler.close()
    await household.stop()
  }

  @Test func twoHundredBrowsersAreToldTheSame() async throws {
    let household = try await ServedHousehold().ready()
    let browsers = try (0..<200).map { _ in try EventReader(port: household.service.port) }
    for browser in browsers { _ = try await browser.next(containing: "event: snapshot\n") }
    await household.room.publish(roomState(volume: 41))
    for browser in browsers { _ = try await browser.next(containing: #""volume":41"#) }
    // Requests are still answered.
    #expect(try await household.get("/api/v1/rooms").status == 200)
    for browser in browsers { browser.close() }
    await household.stop()
  }

  @Test func moreBrowsersThanAreServedAreTurnedAway() async throws {
    let household = HouseholdState()
    let kept = try await (0..<HouseholdState.followerLimit).asyncMap { _ in try await household.events() }
    do {
      _ = try await household.events()
      Issue.record("one more was let in")
    } catch {
      #expect(LunaraError(error).httpStatus == 503)
    }
    #expect(kept.count == HouseholdState.followerLimit)
  }

  @Test func aSignedOutBrowserGetsNoMoreEvents() async throws {
    let household = HouseholdState()
    let (mine, other) = (SessionToken(), SessionToken())
    var events = try await household.events(for: mine).makeAsyncIterator()
    var others = try await household.events(for: other).makeAsyncIterator()
    _ = await events.next()
    _ = await others.next()
    await household.end(sessions: [mine])
    #expect(await events.next() == nil)
    await household.notify(of: LunaraError("playback.fileMissing", "It is gone."))
    #expect(await others.next() != nil)
  }

  @Test func aCardIsToldOfItsRoomOnly() async throws {
    let household = HouseholdState()
    let key = try await household.follow(kitchen)
    #expect(await household.nextChange(for: key) == true)
    await household.update([try observed(catalogueState, by: "library@main")])
    await household.update([try observed(queueState(revision: 9), by: "playback@attic")])
    await household.beat()
    #expect(await household.nextChange(for: key) == false)
    await household.update([try observed(queueState(revision: 10), by: "playback@kitchen")])
    #expect(await household.nextChange(for: key) == true)
    await household.leave(key)
    #expect(await household.nextChange(for: key) == nil)
  }
}

extension Sequence {
  fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async throws -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}
