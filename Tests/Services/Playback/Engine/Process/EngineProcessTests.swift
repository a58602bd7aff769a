import Foundation
import Glibc
import Messages
import Model
import System
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// The engine in a process of its own: the program of the build, and programs that do harm.
  @Suite(.timeLimit(.minutes(2))) struct EngineProcessTests {
    private let audio = Audio()

    /// Returns the processes that this test process has started as engines.
    private func children() throws -> [pid_t] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter { id in
        guard let line = Self.text("/proc/\(id)/cmdline"), let status = Self.text("/proc/\(id)/status") else {
          return false
        }
        return line.contains(EngineChild.option) && status.contains("\nPPid:\t\(getpid())\n")
          && !status.contains("\nState:\tZ")
      }
    }

    /// The text of a file of the kernel; nil if its process has ended.
    private static func text(_ path: String) -> String? {
      do throws(Errno) { return String(decoding: try Files.read(path, limit: 1 << 16), as: UTF8.self) } catch {
        return nil
      }
    }

    /// Writes a program that reads the room's messages, reports that it opens the first cue, and then runs `harm`.
    private func harmful(_ harm: String) throws -> String {
      let text = """
        #!/usr/bin/python3
        import json, os, signal, socket, sys, time
        room = socket.socket(fileno=0)
        def report(event): room.send(json.dumps({"at": {"nanoseconds": time.monotonic_ns()}, "event": event}).encode())
        room.recv(131072)
        while order := room.recv(131072):
            command = json.loads(order)["command"]
            if "play" in command:
                id = command["play"]["_0"]["id"]
                report({"opening": {"_0": id}})
                \(harm)
        """
      let path = audio.path("harmful")
      try TestProgram.install(text, at: path)
      return path
    }

    @Test func twoFilesJoinWithoutAGapAndTheProcessEndsAfterTheSilence() async throws {
      let first = try await audio.sine("1.flac", seconds: 2)
      let second = try await audio.sine("2.flac", seconds: 2, from: 2)
      let whole = try audio.samples(of: await audio.sine("whole.wav", seconds: 4))
      let out = audio.path("out.wav")
      let engine = try EngineProcess.underTest("pcm:\(out)", linger: Milliseconds(1))
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, first), paused: true))
      engine.send(.prepare(Cue(2, second)))
      engine.send(.pause(false))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      #expect(try await eventually(equals: []) { try children() })
      let samples = try audio.samples(of: LocalPath(out))
      #expect(samples.count == 2 * 176_400)
      #expect(zip(samples, whole).count { $0 != $1 } == 0)
      // The next sound starts another process.
      engine.send(.play(Cue(3, first), paused: false))
      #expect(await eventually { await listener.hears(3) })
      await engine.close()
      #expect(try children().isEmpty)
    }

    @Test func commandsWorkAcrossTheProcessesAndFilesAreOpenedByTheRoom() async throws {
      let file = try await audio.sine("a.flac", seconds: 60)
      let engine = try EngineProcess.underTest(speed: "20")
      let listener = EngineRecorder(engine)
      let id = CueID(number: 1)
      engine.send(.play(Cue(1, file), paused: false))
      #expect(await eventually(above: Milliseconds(1000)) { await listener.heard[id, default: .zero] })
      engine.send(.pause(true))
      #expect(
        await eventually {
          await listener.events
        } satisfies: {
          $0.contains { if case .halted(id, _, .pause) = $0 { true } else { false } }
        })
      // At this speed the rest takes a second and a half. A track that opens later counts as prepared too late.
      engine.send(.seek(id, to: Milliseconds(30_000)))
      engine.send(.prepare(Cue(2, LocalPath(audio.path("missing.flac")))))
      engine.send(.pause(false))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      #expect(await listener.failures.map(\.code) == ["playback.fileMissing"])
      await engine.close()
    }

    @Test func theProcessThatPlaysHasItsFilterOfSystemCalls() async throws {
      let file = try await audio.sine("a.flac", seconds: 60)
      let engine = try EngineProcess.underTest()
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, file), paused: false))
      #expect(await eventually { await listener.hears(1) })
      let process = try #require(engine.processID)
      let status = try #require(Self.text("/proc/\(process)/status"))
      #expect(status.contains("\nSeccomp:\t2\n") && status.contains("\nNoNewPrivs:\t1\n"))
      await engine.close()
    }

    @Test func aProcessThatGrowsIsEndedAndItsTrackFails() async throws {
      let file = try await audio.sine("a.flac", seconds: 1)
      let engine = try EngineProcess.underTest(program: try harmful("grown = bytearray(2 << 30); time.sleep(60)"))
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, file), paused: false))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      let failures = await listener.failures
      #expect(failures.map(\.code) == ["playback.decoderFailed"])
      #expect(failures.first?.cause?.contains("MiB") == true)
      #expect(try await eventually(equals: []) { try children() })
      await engine.close()
    }

    @Test func stopAlwaysStops() async throws {
      let file = try await audio.sine("a.flac", seconds: 1)
      for harm in ["while True: pass", "os.kill(os.getpid(), signal.SIGSTOP)"] {
        let engine = try EngineProcess.underTest(program: try harmful(harm))
        let listener = EngineRecorder(engine)
        engine.send(.play(Cue(1, file), paused: false))
        #expect(await eventually(contains: .opening(CueID(number: 1))) { await listener.events })
        engine.send(.stop)
        #expect(await eventually(contains: .output(used: nil, problem: nil)) { await listener.events }, "\(harm)")
        #expect(try await eventually(equals: []) { try children() }, "\(harm)")
        #expect(await listener.failures.isEmpty)
        await engine.close()
      }
    }

    @Test func aHungProcessIsReplacedForTheNextTrack() async throws {
      let file = try await audio.sine("a.flac", seconds: 1)
      let engine = try EngineProcess.underTest(program: try harmful("time.sleep(60)"))
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, file), paused: false))
      #expect(await eventually(contains: .opening(CueID(number: 1))) { await listener.events })
      engine.send(.play(Cue(2, file), paused: false))
      #expect(await eventually(contains: .opening(CueID(number: 2))) { await listener.events })
      #expect(await listener.failures.isEmpty)
      await engine.close()
    }

    @Test func aTrackThatIsHeardGoesOnWhenItsProcessIsKilled() async throws {
      let file = try await audio.sine("a.flac", seconds: 60)
      let engine = try EngineProcess.underTest(speed: "5")
      let listener = EngineRecorder(engine)
      let id = CueID(number: 1)
      engine.send(.play(Cue(1, file), paused: false))
      #expect(await eventually(above: Milliseconds(3000)) { await listener.heard[id, default: .zero] })
      for child in try children() { kill(child, SIGKILL) }
      #expect(await eventually(contains: .reopened(id)) { await listener.events })
      #expect(await eventually(above: Milliseconds(20_000)) { await listener.heard[id, default: .zero] })
      await engine.close()
      #expect(await listener.failures.isEmpty)
      let flows = await listener.events.compactMap { if case .flowing(_, let at) = $0 { at } else { nil } }
      #expect(flows.count == 2 && flows[1] >= Milliseconds(3000))
    }

    @Test func aProgramThatCannotBeStartedIsAnErrorOfTheOutput() async throws {
      let file = try await audio.sine("a.flac", seconds: 1)
      for program in ["/nowhere/lunara-playback", "/bin/false"] {
        let engine = try EngineProcess.underTest(program: program)
        let listener = EngineRecorder(engine)
        engine.send(.play(Cue(1, file), paused: false))
        #expect(await eventually { await !listener.story.isEmpty })
        guard case .outputFailed(let error)? = await listener.story.first else {
          Issue.record("\(await listener.story)")
          continue
        }
        #expect(error.code == "playback.engineFailed")
        await engine.close()
      }
    }
  }
}
