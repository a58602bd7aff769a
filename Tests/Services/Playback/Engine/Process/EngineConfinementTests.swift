import Glibc
import Messages
import Model
import System
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// The files that the player's process reaches.
  @Suite(.timeLimit(.minutes(2))) struct EngineConfinementTests {
    private let audio = Audio()

    /// Plays a track by a process that writes to a file, which no room has created for it, and returns the failures of
    /// its output.
    private func failures(writingTo path: String, playing file: LocalPath) throws -> [String] {
      let (ours, theirs) = try MessageSocket.pair()
      let program = "\(Files.folder(of: try Files.resolved("/proc/self/exe")))/lunara-playback"
      let child = try ChildProcess(
        program, ["lunara-playback", EngineChild.option], environment: Environment(["HOME": audio.folder.path]),
        descriptors: [theirs.descriptor, try .null(), try .null()])
      theirs.descriptor.close()
      let output = try AudioOutput(audio: "pcm:\(path)")
      try ours.send(EngineSetup(output, MPVPlayer.Start()))
      let command = EngineCommand.play(Cue(1, file), paused: false)
      try ours.send(EngineOrder(command: command), passing: try FileInput.open(file))
      var failures: [String] = []
      while let message = try ours.receive() {
        switch try MessageCoding.decode(EngineReport.self, from: message.bytes).event {
        case .outputFailed(let error), .outputLost(let error), .failed(_, let error): failures.append(error.code)
        case .exhausted: break
        default: continue
        }
        break
      }
      child.send(SIGKILL)
      child.wait()
      return failures
    }

    @Test func theProcessWritesNoFileThatItsRoomDidNotCreate() async throws {
      let file = try await audio.sine("a.flac", seconds: 1)
      let path = audio.path("new.wav")
      #expect(try failures(writingTo: path, playing: file) == ["playback.noOutput"])
      #expect(!Files.exists(path))
      try Files.replace(path, with: "")
      #expect(try failures(writingTo: path, playing: file) == [])
      #expect(try !audio.samples(of: LocalPath(path)).isEmpty)
    }

    @Test func aRecordingThatWasMovedAwayIsFollowedByAnother() async throws {
      let file = try await audio.sine("a.flac", seconds: 1)
      let (out, kept) = (audio.path("out.wav"), audio.path("kept.wav"))
      let engine = try EngineProcess.underTest("pcm:\(out)")
      let listener = EngineRecorder(engine)
      for number in 1...2 {
        engine.send(.play(Cue(UInt64(number), file), paused: false))
        #expect(await eventually(equals: number) { await listener.story.count { $0 == .exhausted(nil) } })
        if number == 1 { try Files.move(out, to: kept) }
      }
      await engine.close()
      #expect(await listener.failures.isEmpty)
      #expect(try audio.samples(of: LocalPath(out)) == audio.samples(of: LocalPath(kept)))
    }

    @Test func aPlayerAtRestIsReplacedOnceTheFileOfNameServersIsAnother() async throws {
      let file = try await audio.sine("a.flac", seconds: 1)
      let (servers, target) = (audio.path("resolv.conf"), audio.path("network.conf"))
      for path in [servers, target] { try Files.replace(path, with: "nameserver 127.0.0.1\n") }
      let engine = try EngineProcess.underTest(nameServers: servers)
      let listener = EngineRecorder(engine)
      let changes: [(name: String, isReplaced: Bool, change: () throws -> Void)] = [
        ("the start", true, {}), ("no change", false, {}),
        ("another file", true, { try Files.replace(servers, with: "nameserver 127.0.0.2\n") }),
        (
          "a link", true,
          {
            try #require(symlink(target, "\(servers).new") == 0)
            try Files.move("\(servers).new", to: servers)
          }
        ), ("another file behind the link", true, { try Files.replace(target, with: "nameserver 127.0.0.3\n") }),
        ("nothing behind the link", true, { try #require(unlink(target) == 0) }), ("still nothing", false, {}),
      ]
      var former: pid_t?
      for (index, step) in changes.enumerated() {
        try step.change()
        engine.send(.play(Cue(UInt64(index + 1), file), paused: false))
        #expect(
          await eventually(equals: index + 1) { await listener.story.count { $0 == .exhausted(nil) } }, "\(step.name)")
        #expect((engine.processID != former) == step.isReplaced, "\(step.name)")
        former = engine.processID
      }
      await engine.close()
      #expect(await listener.failures.isEmpty)
    }

    @Test func aSoundServerIsReachedByTheSettingsOfThePerson() async throws {
      let file = try await audio.sine("a.flac", seconds: 60)
      let runtime = TemporaryDirectory()
      let place = TemporaryDirectory()
      let server = try await PulseServer.start(in: place)
      try Files.makeFolder("\(runtime.path)/pulse")
      try #require(symlink("\(place.path)/native", "\(runtime.path)/pulse/native") == 0)
      try await server.addSink("speaker")
      try await server.addSink("phones")
      let settings = "\(audio.folder.path)/.config/pulse"
      try Files.makeFolder(settings)
      try Files.replace("\(settings)/client.conf", with: "default-sink = phones\n")
      let engine = try EngineProcess.underTest(
        "auto", environment: ["HOME": audio.folder.path, "XDG_RUNTIME_DIR": runtime.path])
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, file), paused: false))
      #expect(await eventually { await listener.hears(1) })
      #expect(try await eventually(equals: ["phones"]) { try await server.playing() })
      await engine.close()
    }
  }
}
