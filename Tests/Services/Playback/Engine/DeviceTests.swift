import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// Devices that come and go, with a sound server that belongs to the test.
  @Suite struct DeviceTests {
    private let audio = Audio()
    private let one = CueID(number: 1)

    private func engine(_ server: PulseServer, chosen: String? = nil) throws -> MPVEngine {
      let engine = MPVEngine(
        output: try AudioOutput(audio: "pulse"), options: [("pulse-host", server.address)])
      if let chosen { engine.send(.output(chosen)) }
      return engine
    }

    private func isHeld(_ listener: EngineRecorder) async -> Bool {
      await listener.events.contains { if case .outputLost = $0 { true } else { false } }
    }

    @Test func devicesAreListedAndFollowed() async throws {
      let server = try await PulseServer.start()
      try await server.addSink("speaker")
      let engine = try engine(server)
      let listener = EngineRecorder(engine)
      engine.send(.listDevices)
      let speaker = Playback.OutputDevice(name: "pulse/speaker", title: "speaker")
      #expect(await eventually { await listener.sees([speaker]) })
      let module = try await server.addSink("phones")
      let phones = Playback.OutputDevice(name: "pulse/phones", title: "phones")
      #expect(await eventually { await listener.sees([speaker, phones]) })
      try await server.remove(module)
      #expect(await eventually { await listener.sees([speaker]) })
      await engine.close()
    }

    @Test func soundGoesToTheDeviceThatWasChosen() async throws {
      let file = try await audio.sine("a.flac", seconds: 60)
      let server = try await PulseServer.start()
      try await server.addSink("speaker")
      try await server.addSink("phones")
      let engine = try engine(server, chosen: "pulse/phones")
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, file), paused: false))
      #expect(await eventually { await listener.hears(1) })
      #expect(try await server.playing() == ["phones"])
      #expect(await listener.outputs == ["pulse/phones"])
      engine.send(.output("pulse/speaker"))
      #expect(await eventually(equals: ["speaker"]) { await (try? server.playing()) })
      engine.send(.output(nil))
      #expect(await eventually(equals: "pulse") { await listener.outputs.last })
      await engine.close()
      #expect(await !isHeld(listener))
    }

    @Test func aChosenDeviceThatGoesHoldsTheSoundAndIsReturnedTo() async throws {
      let file = try await audio.sine("a.flac", seconds: 60)
      let server = try await PulseServer.start()
      try await server.addSink("speaker")
      let module = try await server.addSink("phones")
      let engine = try engine(server, chosen: "pulse/phones")
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, file), paused: false))
      #expect(await eventually { await listener.hears(1) })
      #expect(await eventually { await !listener.devices.isEmpty })
      try await server.remove(module)
      #expect(await eventually { await isHeld(listener) })
      #expect(await eventually(equals: []) { (try? await server.playing()) })
      #expect(
        await eventually {
          await listener.events
        } satisfies: {
          $0.contains { if case .output(_, let problem) = $0 { problem?.code == "playback.outputGone" } else { false } }
        })
      // After a resume the sound goes to another device.
      let held = await listener.heard[one, default: .zero]
      engine.send(.pause(false))
      #expect(await eventually(above: held) { await listener.heard[one, default: .zero] })
      #expect(try await server.playing() == ["speaker"])
      try await server.addSink("phones")
      #expect(await eventually(equals: ["phones"]) { (try? await server.playing()) })
      #expect(await eventually(equals: "pulse/phones") { await listener.outputs.last })
      await engine.close()
    }

    @Test func theLastDeviceThatGoesHoldsTheSoundWhereTheEarWas() async throws {
      let file = try await audio.sine("a.flac", seconds: 60)
      let server = try await PulseServer.start()
      let module = try await server.addSink("speaker")
      let engine = try engine(server)
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, file), paused: false))
      #expect(await eventually(above: Milliseconds(500)) { await listener.heard[one, default: .zero] })
      try await server.remove(module)
      #expect(await eventually { await isHeld(listener) })
      let held = await listener.heard[one, default: .zero]
      let halts = await listener.events.compactMap { if case .halted(one, let at, .pause) = $0 { at } else { nil } }
      #expect(halts.count == 1)
      try await server.addSink("speaker")
      #expect(await eventually(equals: "pulse") { await listener.outputs.last })
      #expect(await listener.heard[one] == held)
      engine.send(.pause(false))
      #expect(await eventually(above: held + Milliseconds(500)) { await listener.heard[one, default: .zero] })
      let flows = await listener.events.compactMap { if case .flowing(one, let at) = $0 { at } else { nil } }
      #expect(flows.count == 2 && abs((flows[1] - (halts.first ?? .zero)).rawValue) < 100)
      await engine.close()
    }

    @Test func aDeviceThatIsNotThereIsReplacedFromTheStart() async throws {
      let file = try await audio.sine("a.flac", seconds: 60)
      let server = try await PulseServer.start()
      try await server.addSink("speaker")
      let engine = try engine(server, chosen: "pulse/phones")
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, file), paused: false))
      #expect(await eventually { await listener.hears(1) })
      #expect(try await server.playing() == ["speaker"])
      #expect(
        await listener.events.contains {
          if case .output("pulse", let problem) = $0 { problem?.code == "playback.outputGone" } else { false }
        })
      try await server.addSink("phones")
      #expect(await eventually(equals: ["phones"]) { (try? await server.playing()) })
      await engine.close()
    }
  }
}

extension EngineRecorder {
  /// The newest list of devices.
  fileprivate var devices: [Playback.OutputDevice] {
    events.compactMap { if case .devices(let devices) = $0 { devices } else { nil } }.last ?? []
  }

  /// Returns true if these are the devices now, apart from those of the machine that the test runs on.
  fileprivate func sees(_ expected: [Playback.OutputDevice]) -> Bool {
    Set(devices.filter { $0.name.hasPrefix("pulse/") }) == Set(expected)
  }
}
