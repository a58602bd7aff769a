import Bus
import Messages
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_library

@Suite(.timeLimit(.minutes(1)))
struct PlayReporterTests {
  private final class Told: Sendable {
    let tracks = Mutex<[String]>([])
  }

  private func room(_ track: String, in room: String = "den") -> PlayReporting.Room {
    PlayReporting.Room(
      room: RoomName(from: room), state: .playing, track: TrackID(source: "plex", native: track),
      entry: EntryID(rawValue: track), position: .zero, duration: Milliseconds(100_000), isAway: false)
  }

  /// A reporter, and the tracks whose servers it looked for, one a report.
  private func reporter() -> (PlayReporter, Told) {
    let told = Told()
    let reporter = PlayReporter(log: .quiet) { track in
      told.tracks.withLock { $0.append(track.native) }
      return []
    }
    return (reporter, told)
  }

  @Test func nothingIsToldBeforeTheScrobblerSaidThatItMayBe() async {
    let (reporter, told) = reporter()
    let now = ContinuousClock.now
    await reporter.take([room("t1")], at: now)
    #expect(told.tracks.withLock { $0 }.isEmpty)
    await reporter.take(PlayReporter.Privacy(until: nil), at: now)
    #expect(told.tracks.withLock { $0 } == ["t1"])
  }

  @Test func whileListeningIsPrivateServersOnlyHearThatTheTrackBeforeHasStopped() async {
    let (reporter, told) = reporter()
    let now = ContinuousClock.now
    await reporter.take(PlayReporter.Privacy(until: nil), at: now)
    await reporter.take([room("t1")], at: now)
    await reporter.take(PlayReporter.Privacy(until: now + .seconds(60)), at: now + .seconds(1))
    await reporter.take([room("t2")], at: now + .seconds(2))
    await reporter.take([room("t2")], at: now + .seconds(59))
    #expect(told.tracks.withLock { $0 } == ["t1", "t1"])
    // It ends by itself: rooms say how they stand every ten seconds.
    await reporter.take([room("t2")], at: now + .seconds(60))
    #expect(told.tracks.withLock { $0 } == ["t1", "t1", "t2"])
  }

  @Test func whatWaitsForASlowServerIsNotToldOnceListeningIsPrivate() async {
    let told = Told()
    let gate = AsyncStream<Void>.makeStream()
    let reporter = PlayReporter(log: .quiet) { track in
      let isFirst = told.tracks.withLock {
        $0.append(track.native)
        return $0.count == 1
      }
      if isFirst { for await _ in gate.stream {} }
      return []
    }
    let now = ContinuousClock.now
    let rooms = [room("t1"), room("t2", in: "bath")]
    await reporter.take(PlayReporter.Privacy(until: nil), at: now)
    async let slow: Void = reporter.take(rooms, at: now)
    #expect(await eventually(within: .seconds(40)) { told.tracks.withLock { $0 } == ["t1"] })
    await reporter.take(PlayReporter.Privacy(until: now + .seconds(60)), at: now)
    gate.continuation.finish()
    await slow
    // Both have stopped; the second is not said to play after that.
    #expect(told.tracks.withLock { $0.sorted() } == ["t1", "t1", "t2"])
  }

  @Test func howLongItLastsIsMeasuredByTheScrobblersOwnClock() {
    let now = ContinuousClock.now
    func privacy(until: Int64?, age: Int64) -> ContinuousClock.Instant? {
      let state = Scrobble.OutboxState(
        counted: 0, pending: 0, failed: 0, privateUntil: until.map { Timestamp(seconds: $0) })
      return PlayReporter.Privacy(
        Observed(
          node: .scrobble, value: state, age: Milliseconds(age), saidAt: Timestamp(seconds: 1000), away: true), at: now
      ).until
    }
    #expect(privacy(until: nil, age: 0) == nil)
    #expect(privacy(until: 1060, age: 0) == now + .seconds(60))
    #expect(privacy(until: 1060, age: 20_000) == now + .seconds(40))
    #expect(privacy(until: 1060, age: 90_000) == now - .seconds(30))
  }

  @Test func itFollowsTheScrobblerOnTheBus() async throws {
    let bus = try TestBus()
    let scrobbler = try await bus.node("scrobble@main")
    let den = try await bus.node("playback@den")
    let library = try await bus.node("library@main")
    let (reporter, told) = reporter()
    await reporter.start(on: library)
    await den.publish(
      Playback.RoomState(
        room: RoomName(from: "den"), state: .playing,
        item: PlaySenderTests.counted(TrackID(source: "plex", native: "t1"), "l1").subject.item,
        position: Position(offset: .zero, rate: 1, takenAt: .now()), duration: nil, volume: 50, queueRevision: 1,
        listen: nil))
    await scrobbler.publish(Scrobble.OutboxState(counted: 0, pending: 0, failed: 0))
    #expect(await eventually(within: .seconds(40)) { told.tracks.withLock { $0 } == ["t1"] })
    await reporter.stop()
    for node in [den, scrobbler, library] { await node.close() }
  }
}
