import Bus
import Messages
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import Records
@testable import Sources

@Suite(.timeLimit(.minutes(1)))
struct NowPlayingReporterTests {
  /// A clock that a test sets.
  private final class Clock: Sendable {
    private let passed = Mutex(Duration.zero)
    let start = ContinuousClock.now
    @Sendable func now() -> ContinuousClock.Instant { start + passed.withLock { $0 } }
    func set(_ seconds: Int) { passed.withLock { $0 = .seconds(seconds) } }
  }

  /// Holds requests until it is opened.
  private final class Gate: Sendable {
    private let (stream, end) = AsyncStream<Void>.makeStream()
    func wait() async { for await _ in stream {} }
    func open() { end.finish() }
  }

  private final class Count: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    @discardableResult func up() -> Int { count.add(1, ordering: .relaxed).newValue }
  }

  private let clock = Clock()
  /// The number of times that the servers of a track were looked up.
  private let looks = Count()
  private let server = FakeServer()

  private func room(_ track: String, in room: String = "den", _ state: PlaybackState = .playing) -> NowPlayingPlan.Room
  {
    NowPlayingPlan.Room(
      room: RoomName(from: room), state: state, track: TrackID(source: "plex", native: track),
      entry: EntryID(rawValue: track), position: .zero, duration: Milliseconds(100_000), isAway: false)
  }

  /// Makes a reporter whose only server has all tracks.
  private func reporter() -> NowPlayingReporter {
    let (server, looks) = (server, looks)
    return NowPlayingReporter(log: .quiet, now: clock.now) { track in
      looks.up()
      return [ServerFinder.Copy(source: track.source, server: server, native: track.native)]
    }
  }

  /// Makes a reporter whose server is still busy with its first report, of t1, until the gate opens; also returns the
  /// number of reports that reached the server.
  private func reporterWhoseServerIsSlow() async -> (NowPlayingReporter, Gate, asked: Count) {
    let (reporter, gate, asked) = (reporter(), Gate(), Count())
    server.beforeReport.withLock {
      $0 = { _ in if asked.up() == 1 { await gate.wait() } }
    }
    await reporter.update(NowPlayingReporter.Privacy(until: nil))
    await reporter.update([room("t1")])
    #expect(await eventually(equals: 1) { asked.value })
    return (reporter, gate, asked)
  }

  private func told(by server: FakeServer) -> [String] {
    server.reports.withLock { $0.map { "\($0.native) \($0.state.rawValue)" } }
  }

  /// Returns true once the server has got exactly these reports in this order.
  private func isTold(_ reports: [String]) async -> Bool {
    await eventually(equals: reports) { told(by: server) }
  }

  @Test func nothingIsReportedBeforeTheScrobblerAllowsIt() async {
    let reporter = reporter()
    await reporter.update([room("t1")])
    await reporter.update([room("t2")])
    await reporter.update(NowPlayingReporter.Privacy(until: nil))
    #expect(await isTold(["t2 playing"]))
    await reporter.stop()
  }

  @Test func whileListeningIsPrivateServersOnlyHearThatTheTrackBeforeHasStopped() async {
    let reporter = reporter()
    await reporter.update(NowPlayingReporter.Privacy(until: nil))
    await reporter.update([room("t1")])
    #expect(await isTold(["t1 playing"]))
    clock.set(1)
    await reporter.update(NowPlayingReporter.Privacy(until: clock.start + .seconds(60)))
    for second in [2, 59] {
      clock.set(second)
      await reporter.update([room("t2")])
    }
    // The private time ends by itself: rooms publish their state every ten seconds.
    clock.set(60)
    await reporter.update([room("t2")])
    #expect(await isTold(["t1 playing", "t1 stopped", "t2 playing"]))
    await reporter.stop()
  }

  @Test func thatATrackHasStoppedComesAfterTheReportThatIsUnderWay() async {
    let (reporter, gate, asked) = await reporterWhoseServerIsSlow()
    await reporter.update([room("t1", .paused)])
    await reporter.update(NowPlayingReporter.Privacy(until: clock.start + .seconds(60)))
    await reporter.update([room("t2")])
    // The server is slow with the first report: the second waits for it, and during the private time no others are
    // sent.
    #expect(asked.value == 1)
    gate.open()
    #expect(await isTold(["t1 playing", "t1 stopped"]))
    await reporter.stop()
  }

  @Test func aSlowServerGetsOnlyTheLatestReport() async {
    let (reporter, gate, _) = await reporterWhoseServerIsSlow()
    for track in ["t2", "t3", "t4"] { await reporter.update([room(track)]) }
    // Three of the seven lookups are for the reports that t1, t2 and t3 stopped. The first six wait when the seventh
    // comes.
    #expect(await eventually(equals: 7) { looks.value })
    gate.open()
    #expect(await isTold(["t1 playing", "t1 stopped", "t4 playing"]))
    await reporter.stop()
  }

  @Test func aServerThatIsSlowWithOneRoomHearsOfTheOthersAndSoDoOtherServers() async {
    let (gate, other, server) = (Gate(), FakeServer(), server)
    let reporter = NowPlayingReporter(log: .quiet, now: clock.now) { track in
      [
        ServerFinder.Copy(source: "plex", server: server, native: track.native),
        ServerFinder.Copy(source: "attic", server: other, native: track.native),
      ]
    }
    server.beforeReport.withLock { $0 = { if $0.room == RoomName(from: "den") { await gate.wait() } } }
    await reporter.update(NowPlayingReporter.Privacy(until: nil))
    await reporter.update([room("t1"), room("t2", in: "bath")])
    #expect(await isTold(["t2 playing"]))
    #expect(await eventually(equals: ["t1 playing", "t2 playing"]) { told(by: other).sorted() })
    gate.open()
    #expect(await isTold(["t2 playing", "t1 playing"]))
    await reporter.stop()
  }

  @Test func thePrivateTimeIsMeasuredByTheScrobblersClock() {
    let now = ContinuousClock.now
    func privacy(until: Int64?, age: Int64) -> ContinuousClock.Instant? {
      let state = Scrobble.OutboxState(
        counted: 0, pending: 0, failed: 0, privateUntil: until.map { Timestamp(seconds: $0) })
      return NowPlayingReporter.Privacy(
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
    let reporter = reporter()
    await reporter.start(on: library)
    await den.publish(
      Playback.RoomState(
        room: RoomName(from: "den"), state: .playing,
        item: PlaySenderTests.counted(TrackID(source: "plex", native: "t1"), "l1").subject.item,
        position: Position(offset: .zero, rate: 1, takenAt: .now()), duration: nil, volume: 50, queueRevision: 1,
        listen: nil))
    await scrobbler.publish(Scrobble.OutboxState(counted: 0, pending: 0, failed: 0))
    #expect(await isTold(["t1 playing"]))
    await reporter.stop()
    for node in [den, scrobbler, library] { await node.close() }
  }
}
