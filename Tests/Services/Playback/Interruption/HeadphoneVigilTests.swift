import Glibc
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_playback

/// A vigil with a PulseAudio server whose outputs come and go, and a player that says that it is this process.
@Suite(.timeLimit(.minutes(3)))
struct HeadphoneVigilTests {
  @Test func theServerTellsWhereThisProcessSoundsFrom() async throws {
    let pulse = try await PulseServer.start()
    try await pulse.addSink("loud", form: "speaker")
    try await pulse.addSink("worn", form: "headphone")
    try await pulse.setDefault("loud")
    let server = SoundServer(address: pulse.address)
    var scenes = server.scenes.makeAsyncIterator()
    let first = try #require(await scenes.next())
    #expect(first.outputs.map(\.identity) == ["loud", "worn"] && first.outputs.map(\.isWorn) == [false, true])
    #expect(first.mine == nil)
    let player = try play(on: pulse)
    while let scene = await scenes.next(), scene.mine != "loud" {}
    try await pulse.moveStreams(to: "worn")
    while let scene = await scenes.next(), scene.mine != "worn" {}
    player.end()
    while let scene = await scenes.next(), scene.mine != nil {}
    pulse.end()
    while await scenes.next() != nil {}
  }

  @Test func aServerThatIsClosedEndsAndOneThatIsNotThereAsWell() async throws {
    let pulse = try await PulseServer.start()
    let server = SoundServer(address: pulse.address)
    var scenes = server.scenes.makeAsyncIterator()
    #expect(await scenes.next() != nil)
    server.close()
    while await scenes.next() != nil {}
    pulse.end()
    var none = SoundServer(address: "unix:/nowhere").scenes.makeAsyncIterator()
    #expect(await none.next() == nil)
    var unknown = SoundServer(address: nil, library: "libnowhere.so").scenes.makeAsyncIterator()
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
    let vigil = HeadphoneMonitor(address: pulse.address, pause: .milliseconds(20))
    await vigil.begin(
      RoomInterrupter(
        interrupt: { deeds.withLock { $0.append("interrupt") } }, resume: { deeds.withLock { $0.append("resume") } }))
    await vigil.watch(.playing)
    #expect(await soon { await vigil.hearsHeadphones })
    try await pulse.remove(module)
    #expect(await soon { deeds.withLock { $0 } == ["interrupt"] })
    #expect(try await pulse.playing() == ["loud"])
    try await pulse.addSink("worn", form: "headphone")
    #expect(await soon { deeds.withLock { $0 } == ["interrupt", "resume"] })
    await vigil.stop()
    player.end()
    pulse.end()
  }

  @Test func aServerThatStartsAgainIsFound() async throws {
    let folder = TemporaryDirectory()
    let pulse = try await PulseServer.start(in: folder)
    let vigil = HeadphoneMonitor(address: pulse.address, pause: .milliseconds(20))
    let returns = Mutex(0)
    await vigil.begin(RoomInterrupter(interrupt: {}, resume: {})) { returns.withLock { $0 += 1 } }
    await vigil.watch(.playing)
    #expect(await soon { await vigil.hasMet })
    pulse.end()
    // The room has lost its output, and waits.
    await vigil.watch(.kitchen(.paused))
    let next = try await PulseServer.start(in: folder)
    #expect(returns.withLock { $0 } == 0)
    try await next.addSink("worn", form: "headset")
    #expect(await soon { returns.withLock { $0 } == 1 })
    let player = try play(on: next)
    #expect(await soon { await vigil.hearsHeadphones })
    await vigil.stop()
    player.end()
    next.end()
  }

  /// Waits for what comes soon; on a busy machine that takes a while.
  private func soon(_ condition: () async throws -> Bool) async rethrows -> Bool {
    try await eventually(within: .seconds(40), condition)
  }

  /// Plays silence, in the name of this process.
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
