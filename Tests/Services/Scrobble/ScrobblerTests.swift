import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import lunara_scrobble

/// The scrobbler on a bus with a room that reports listens.
@Suite(.timeLimit(.minutes(5)))
struct ScrobblerTests {
  @Test func aListenThatWasHeardCountsAndIsSaidOnce() async throws {
    let household = try await TestScrobbler()
    let counted = Mutex<[Scrobble.ListenCounted]>([])
    await household.listener.follow("scrobble", from: .oldest) { fact in
      do {
        if let fact = try fact.decode(Scrobble.ListenCounted.self) { counted.withLock { $0.append(fact) } }
      } catch {
        Issue.record(error)
      }
    }
    let scrobbler = try await household.scrobbler()
    try await household.report([
      Playback.ListenStarted(subject: subject("l1")),
      Playback.ListenHeard(subject: subject("l1"), heard: Milliseconds(30_000)),
      Playback.ListenHeard(subject: subject("l1"), heard: Milliseconds(120_000)),
      Playback.ListenEnded(subject: subject("l1"), heard: Milliseconds(199_000), reason: .finished),
      Playback.ListenEnded(subject: subject("l2", 1), heard: Milliseconds(20_000), reason: .skipped),
    ])
    #expect(try await household.shows([("l1", 199_000)]))
    #expect(await eventually(equals: 1) { counted.withLock { $0.count } })
    #expect(counted.withLock { $0.first?.subject } == subject("l1"))
    #expect(counted.withLock { $0.first?.heard } == Milliseconds(120_000))
    await scrobbler.stop()
    await household.close()
  }

  @Test func aTrackOfUnknownLengthCountsOnceItHasPlayedToItsEnd() async throws {
    let household = try await TestScrobbler()
    let scrobbler = try await household.scrobbler()
    let (whole, left) = (subject("l1", duration: .zero), subject("l2", 1, duration: .zero))
    try await household.report([
      Playback.ListenHeard(subject: whole, heard: Milliseconds(60_000)),
      Playback.ListenEnded(subject: left, heard: Milliseconds(60_000), reason: .skipped),
      Playback.ListenEnded(subject: whole, heard: Milliseconds(90_000), reason: .finished),
    ])
    #expect(try await household.shows([("l1", 90_000)]))
    await scrobbler.stop()
    await household.close()
  }

  @Test func aListenThatCountedGetsTheNewNamesOfItsTrack() async throws {
    let household = try await TestScrobbler()
    let scrobbler = try await household.scrobbler()
    var renamed = subject("l1")
    renamed.item.track.title = "Renamed"
    try await household.report([Playback.ListenHeard(subject: subject("l1"), heard: Milliseconds(120_000))])
    #expect(try await household.shows([("l1", 120_000)]))
    try await household.report([
      Playback.ListenEnded(subject: renamed, heard: Milliseconds(199_000), reason: .finished)
    ])
    #expect(try await household.shows([("l1", 199_000)]))
    let page = try await household.listener.request(Scrobble.ListScrobbles(), to: .scrobble)
    #expect(page.items.map(\.track.title) == ["Renamed"])
    await scrobbler.stop()
    await household.close()
  }

  @Test func whatWasHeardWhileItWasAwayCountsOnceItIsBack() async throws {
    let household = try await TestScrobbler()
    let first = try await household.scrobbler()
    try await household.report([Playback.ListenHeard(subject: subject("l1"), heard: Milliseconds(120_000))])
    #expect(try await household.shows([("l1", 120_000)]))
    await first.stop()
    try await household.report([
      Playback.ListenEnded(subject: subject("l1"), heard: Milliseconds(199_000), reason: .finished),
      Playback.ListenEnded(subject: subject("l2", 1), heard: Milliseconds(199_000), reason: .finished),
    ])
    let second = try await household.scrobbler()
    #expect(try await household.shows([("l2", 199_000), ("l1", 199_000)]))
    let journaled = try await second.database.read {
      try $0.row("SELECT count(*) FROM bus_facts", as: { try $0.value(0) as Int })
    }
    #expect(journaled == 2)
    await second.stop()
    await household.close()
  }

  @Test func aListenThatWentOnInAnotherRoomCountsOnceAndWhatIsLateTakesNothingBack() async throws {
    let household = try await TestScrobbler()
    let scrobbler = try await household.scrobbler()
    var moved = subject("l1")
    moved.room = RoomName(from: "bath")
    try await household.report([
      Playback.ListenHeard(subject: subject("l1"), heard: Milliseconds(90_000)),
      Playback.ListenHeard(subject: moved, heard: Milliseconds(120_000)),
      Playback.ListenEnded(subject: moved, heard: Milliseconds(199_000), reason: .finished),
      Playback.ListenHeard(subject: subject("l1"), heard: Milliseconds(91_000)),
    ])
    #expect(try await household.shows([("l1", 199_000)]))
    await scrobbler.stop()
    await household.close()
  }

  @Test func theOutboxIsAState() async throws {
    let household = try await TestScrobbler()
    let scrobbler = try await household.scrobbler()
    try await household.report([Playback.ListenHeard(subject: subject("l1"), heard: Milliseconds(120_000))])
    for await states in await household.listener.states(Scrobble.OutboxState.self)
    where states.first?.value.counted == 1 {
      break
    }
    await scrobbler.stop()
    await household.close()
  }

  @Test func aReportThatCannotBeReadIsKeptAndHoldsNothingUp() async throws {
    let household = try await TestScrobbler()
    let scrobbler = try await household.scrobbler()
    try await household.report([
      Playback.ListenHeard(subject: subject("l1"), heard: Milliseconds(120_000)), OddHeard(heard: "much"),
      Playback.ListenHeard(subject: subject("l2", 1), heard: Milliseconds(120_000)),
    ])
    #expect(try await household.shows([("l2", 120_000), ("l1", 120_000)]))
    let kept = try await scrobbler.database.read {
      try $0.rows(
        "SELECT kind, payload FROM unreadable_facts", as: { (try $0.value(0) as String, try $0.value(1) as [UInt8]) })
    }
    #expect(kept.map(\.0) == [OddHeard.kind])
    #expect(kept.map { String(decoding: $0.1, as: UTF8.self) } == [#"{"heard":"much"}"#])
    await scrobbler.stop()
    await household.close()
  }

  @Test func thousandsOfListensAreCaughtUpWith() async throws {
    let household = try await TestScrobbler()
    for start in stride(from: 0, to: 2000, by: 200) {
      try await household.report(
        (start..<start + 200).map { Playback.ListenHeard(subject: subject("l\($0)", $0), heard: Milliseconds(120_000)) }
      )
    }
    let scrobbler = try await household.scrobbler()
    for await states in await household.listener.states(Scrobble.OutboxState.self)
    where states.first?.value.counted == 2000 {
      break
    }
    await scrobbler.stop()
    await household.close()
  }
}

/// A report from a version with another format.
private struct OddHeard: Fact {
  static let kind = Playback.ListenHeard.kind
  static let survives = Durability.process
  var heard: String
}
