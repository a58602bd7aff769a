import Glibc
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_playback

/// The changes that count as pulling or inserting headphones.
struct HeadphonesTests {
  typealias Change = Headphones.Change

  private static let headset = SoundServerState.Output(identity: "usb", isHeadphones: true)
  private static let speaker = SoundServerState.Output(identity: "speaker")

  /// A laptop's sound card with its headphone jack in use or not.
  private static func card(plugged: Bool, uses port: String? = nil) -> SoundServerState.Output {
    let jack = SoundServerState.Port(name: "headphones", isHeadphones: true, isEmpty: !plugged)
    let inner = SoundServerState.Port(name: "speaker")
    let active = port ?? (plugged ? "headphones" : "speaker")
    return SoundServerState.Output(
      identity: "card", port: active == "headphones" ? jack : inner, ports: [inner, jack])
  }

  /// Returns the changes for states a second apart.
  private func changes(_ states: [SoundServerState], apart: Milliseconds = Milliseconds(1000)) -> [Change?] {
    var headphones = Headphones()
    var now = MonotonicTime(nanoseconds: 0)
    return states.map { state in
      now = now + apart
      return headphones.update(state, at: now)
    }
  }

  @Test func headphonesOfTheirOwnThatGoAndComeBack() {
    let on = SoundServerState(outputs: [Self.speaker, Self.headset], ours: "usb")
    // The sound server has moved the sound to the output that is left.
    let off = SoundServerState(outputs: [Self.speaker], ours: "speaker")
    let back = SoundServerState(outputs: [Self.speaker, Self.headset], ours: "speaker")
    #expect(changes([on, off, off, back, back, off]) == [nil, .pulled, nil, .back, nil, nil])
    #expect(changes([on, SoundServerState(), on, off]) == [nil, .pulled, .back, .pulled])
  }

  @Test func aJackThatIsEmptyAndFilledAgain() {
    let on = SoundServerState(outputs: [Self.card(plugged: true)], ours: "card")
    let off = SoundServerState(outputs: [Self.card(plugged: false)], ours: "card")
    // The jack is empty, and the sound server has not switched to the loudspeaker yet.
    let between = SoundServerState(outputs: [Self.card(plugged: false, uses: "headphones")], ours: "card")
    #expect(changes([on, off, on]) == [nil, .pulled, .back])
    #expect(changes([on, between, off, on, off]) == [nil, .pulled, nil, .back, .pulled])
  }

  @Test func soundThatAPersonMovesIsNotInterrupted() {
    let on = SoundServerState(outputs: [Self.speaker, Self.headset], ours: "usb")
    let moved = SoundServerState(outputs: [Self.speaker, Self.headset], ours: "speaker")
    let pulledLater = SoundServerState(outputs: [Self.speaker], ours: "speaker")
    #expect(changes([on, moved, moved, moved, pulledLater]) == [nil, nil, nil, nil, nil])
    let switched = SoundServerState(outputs: [Self.card(plugged: true, uses: "speaker")], ours: "card")
    let plugged = SoundServerState(outputs: [Self.card(plugged: true)], ours: "card")
    #expect(changes([plugged, switched, switched]) == [nil, nil, nil])
  }

  @Test func aServerThatMovesTheSoundFirstIsUnderstood() {
    let on = SoundServerState(outputs: [Self.speaker, Self.headset], ours: "usb")
    let moved = SoundServerState(outputs: [Self.speaker, Self.headset], ours: "speaker")
    let gone = SoundServerState(outputs: [Self.speaker], ours: "speaker")
    #expect(changes([on, moved, gone], apart: Milliseconds(100)) == [nil, nil, .pulled])
  }

  @Test func removedLoudspeakersDoNotInterrupt() {
    let hdmi = SoundServerState.Output(identity: "hdmi")
    let on = SoundServerState(outputs: [Self.speaker, hdmi, Self.headset], ours: "hdmi")
    let off = SoundServerState(outputs: [Self.speaker], ours: "speaker")
    #expect(changes([on, off, on]) == [nil, nil, nil])
  }

  @Test func unusedHeadphonesDoNotInterrupt() {
    let unused = SoundServerState(outputs: [Self.speaker, Self.headset], ours: "speaker")
    let off = SoundServerState(outputs: [Self.speaker], ours: "speaker")
    #expect(changes([unused, off, unused]) == [nil, nil, nil])
    let silent = SoundServerState(outputs: [Self.speaker, Self.headset])
    #expect(changes([silent, SoundServerState(outputs: [Self.speaker])]) == [nil, nil])
  }
}

/// A monitor with a PulseAudio server whose outputs come and go, and a player whose sound counts as this process's.
@Suite(.timeLimit(.minutes(3)))
struct HeadphoneMonitorTests {
  @Test func theServerTellsWhereThisProcessSoundsFrom() async throws {
    let pulse = try await PulseServer.start()
    try await pulse.addSink("loud", form: "speaker")
    try await pulse.addSink("worn", form: "headphone")
    try await pulse.setDefault("loud")
    let server = SoundServer(address: pulse.address)
    var states = server.states.makeAsyncIterator()
    let first = try #require(await states.next())
    #expect(first.outputs.map(\.identity) == ["loud", "worn"] && first.outputs.map(\.isHeadphones) == [false, true])
    #expect(first.ours == nil)
    let player = try play(on: pulse)
    while let state = await states.next(), state.ours != "loud" {}
    try await pulse.moveStreams(to: "worn")
    while let state = await states.next(), state.ours != "worn" {}
    player.end()
    while let state = await states.next(), state.ours != nil {}
    pulse.end()
    while await states.next() != nil {}
  }

  @Test func aServerThatIsClosedEndsAndOneThatIsNotThereAsWell() async throws {
    let pulse = try await PulseServer.start()
    let server = SoundServer(address: pulse.address)
    var states = server.states.makeAsyncIterator()
    #expect(await states.next() != nil)
    server.close()
    while await states.next() != nil {}
    pulse.end()
    var none = SoundServer(address: "unix:/nowhere").states.makeAsyncIterator()
    #expect(await none.next() == nil)
    var unknown = SoundServer(address: nil, library: "libnowhere.so").states.makeAsyncIterator()
    #expect(await unknown.next() == nil)
  }

  @Test func headphonesThatArePulledAndPutBack() async throws {
    let pulse = try await PulseServer.start()
    try await pulse.addSink("loud", form: "speaker")
    let module = try await pulse.addSink("worn", form: "headphone")
    try await pulse.setDefault("worn")
    let player = try play(on: pulse)
    #expect(try await soon { try await pulse.playing() == ["worn"] })
    let deeds = Mutex<[String]>([])
    let monitor = HeadphoneMonitor(address: pulse.address, retryDelay: .milliseconds(20))
    await monitor.start(
      RoomInterrupter(
        interrupt: { deeds.withLock { $0.append("interrupt") } }, resume: { deeds.withLock { $0.append("resume") } }))
    await monitor.watch(.playing)
    #expect(await soon { await monitor.headphones.areOn })
    try await pulse.remove(module)
    #expect(await soon { deeds.withLock { $0 } == ["interrupt"] })
    #expect(try await pulse.playing() == ["loud"])
    try await pulse.addSink("worn", form: "headphone")
    #expect(await soon { deeds.withLock { $0 } == ["interrupt", "resume"] })
    await monitor.stop()
    player.end()
    pulse.end()
  }

  @Test func aServerThatStartsAgainIsFound() async throws {
    let folder = TemporaryDirectory()
    let pulse = try await PulseServer.start(in: folder)
    let monitor = HeadphoneMonitor(address: pulse.address, retryDelay: .milliseconds(20))
    let returns = Mutex(0)
    await monitor.start(RoomInterrupter(interrupt: {}, resume: {})) { returns.withLock { $0 += 1 } }
    await monitor.watch(.playing)
    #expect(await soon { await monitor.hasState })
    pulse.end()
    // The room has lost its output and is paused.
    await monitor.watch(.kitchen(.paused))
    let next = try await PulseServer.start(in: folder)
    #expect(returns.withLock { $0 } == 0)
    try await next.addSink("worn", form: "headset")
    #expect(await soon { returns.withLock { $0 } == 1 })
    let player = try play(on: next)
    #expect(await soon { await monitor.headphones.areOn })
    await monitor.stop()
    player.end()
    next.end()
  }

  /// Waits for a change that comes soon; on a busy machine that takes a while.
  private func soon(_ condition: () async throws -> Bool) async rethrows -> Bool {
    try await eventually(within: .seconds(40), condition)
  }

  /// Plays silence under the process id of this process.
  private func play(on pulse: PulseServer) throws -> TestProgram {
    try TestProgram(
      ["pacat", "--server=\(pulse.address)", "--property=application.process.id=\(getpid())", "/dev/zero"],
      output: "/dev/null")
  }
}

extension Playback.RoomState {
  fileprivate static var playing: Self { kitchen(.playing) }

  fileprivate static func kitchen(_ state: PlaybackState) -> Self {
    Playback.RoomState(
      room: .kitchen, state: state, item: nil, position: Position(offset: .zero, rate: 0, takenAt: .now()),
      duration: nil, volume: 100, queueRevision: 1)
  }
}
