import Glibc
import Messages
import Model
import System
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// The engine with the real libmpv and real files.
  @Suite struct MPVEngineTests {
    private let audio = Audio()

    private func engine(_ audio: String = "null", speed: String? = nil) throws -> MPVEngine {
      MPVEngine(output: try AudioOutput(audio: audio) { _ in speed }, volume: 100)
    }

    @Test func twoFilesJoinWithoutAGap() async throws {
      let first = try await audio.sine("1.flac", seconds: 2)
      let second = try await audio.sine("2.flac", seconds: 2, from: 2)
      let whole = try audio.samples(of: await audio.sine("whole.wav", seconds: 4))
      let out = audio.path("out.wav")
      let engine = try engine("pcm:\(out)")
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, first), paused: true))
      engine.send(.prepare(Cue(2, second)))
      engine.send(.pause(false))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      await engine.close()
      let samples = try audio.samples(of: LocalPath(out))
      #expect(samples.count == 2 * 176_400)
      #expect(zip(samples, whole).count { $0 != $1 } == 0)
      #expect(whole.count == samples.count)
    }

    @Test func aTrackIsHeardFromItsStartToItsEnd() async throws {
      let file = try await audio.sine("a.flac", seconds: 30)
      for speed in ["50", "max"] {
        let engine = try engine(speed: speed)
        let listener = EngineRecorder(engine)
        engine.send(.play(Cue(1, file), paused: false))
        #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
        await engine.close()
        let story = await listener.story
        #expect(story.prefix(2) == [.began(CueID(number: 1)), .flowing(CueID(number: 1), .zero)])
        guard case .ended(CueID(number: 1), let end)? = story.dropLast().last else {
          Issue.record("\(story)")
          return
        }
        #expect(abs(end.rawValue - 30_000) < 50)
        #expect(await listener.heard == [CueID(number: 1): end])
      }
    }

    @Test func aCutFileEndsWhereItsSoundEnds() async throws {
      let whole = try await audio.sine("whole.flac", seconds: 30)
      let file = try audio.head(of: whole, part: 0.5, as: "cut.flac")
      let engine = try engine(speed: "max")
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, file), paused: false))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      await engine.close()
      let heard = try #require(await listener.heard[CueID(number: 1)])
      #expect(heard > Milliseconds(10_000) && heard < Milliseconds(20_000))
      #expect(await listener.has(.duration(CueID(number: 1), Milliseconds(30_000))))
      #expect(await listener.has(.ended(CueID(number: 1), heard)))
    }

    @Test func aFileThatCannotBePlayedFailsWithItsReason() async throws {
      let noise = try audio.file("noise.mp3", audio.noise(50_000))
      let files: [(LocalPath, String)] = [
        (LocalPath(audio.path("missing.flac")), "playback.fileMissing"),
        (try audio.file("empty.flac", []), "playback.notAudio"),
        (noise, "playback.notAudio"),
        (try audio.file("list.m3u", Array("#EXTM3U\n/etc/passwd\n/etc/hosts\n".utf8)), "playback.notAudio"),
      ]
      for (file, code) in files {
        let engine = try engine(speed: "max")
        let listener = EngineRecorder(engine)
        engine.send(.play(Cue(1, file), paused: false))
        #expect(await eventually(contains: .exhausted(nil)) { await listener.events }, "\(file)")
        await engine.close()
        guard case .failed(CueID(number: 1), let error)? = await listener.story.first else {
          Issue.record("\(file): \(await listener.story)")
          continue
        }
        #expect(error.code == code)
        #expect(error.message.contains(file.description))
      }
    }

    @Test func theNextTrackPlaysAfterOneThatFails() async throws {
      let good = try await audio.sine("good.flac", seconds: 2)
      let engine = try engine(speed: "max")
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, LocalPath(audio.path("missing.flac"))), paused: false))
      engine.send(.prepare(Cue(2, good)))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      await engine.close()
      #expect(await listener.heard == [CueID(number: 2): Milliseconds(2000)])
    }

    @Test func aMissingDeviceIsAnErrorAndNoSilence() async throws {
      let file = try await audio.sine("a.flac", seconds: 2)
      for device in ["alsa/there-is-no-such-card", "nosuchdriver"] {
        let engine = try engine(device)
        let listener = EngineRecorder(engine)
        engine.send(.play(Cue(1, file), paused: false))
        #expect(await eventually { await !listener.story.isEmpty })
        await engine.close()
        guard case .outputFailed(let error)? = await listener.story.first else {
          Issue.record("\(await listener.story)")
          continue
        }
        #expect(error.code == "playback.noOutput")
        #expect(error.message.contains(device))
        #expect(await listener.heard.isEmpty)
      }
    }

    @Test func aMissingLibraryIsAnError() async throws {
      let engine = MPVEngine(
        output: try AudioOutput(audio: "null"), volume: 100, library: "libnotthere.so.9")
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, LocalPath("/a")), paused: false))
      #expect(await eventually { await !listener.story.isEmpty })
      await engine.close()
      guard case .outputFailed(let error)? = await listener.story.first else { return #expect(Bool(false)) }
      #expect(error.code == "playback.engineMissing")
    }

    @Test func pausedTimeDoesNotFlow() async throws {
      let file = try await audio.sine("a.flac", seconds: 60)
      let engine = try engine(speed: "10")
      let listener = EngineRecorder(engine)
      let id = CueID(number: 1)
      engine.send(.play(Cue(1, file), paused: false))
      #expect(await eventually(above: Milliseconds(2000)) { await listener.heard[id, default: .zero] })
      engine.send(.pause(true))
      #expect(
        await eventually {
          await listener.events
        } satisfies: {
          $0.contains { if case .halted(id, _, .pause) = $0 { true } else { false } }
        })
      let held = try #require(await listener.heard[id])
      engine.send(.pause(false))
      #expect(await eventually(above: held + Milliseconds(1000)) { await listener.heard[id, default: .zero] })
      await engine.close()
      let flows = await listener.events.compactMap { if case .flowing(_, let at) = $0 { at } else { nil } }
      try #require(flows.count == 2)
      // The sound continues at the position where it was paused.
      #expect(abs((flows[1] - held).rawValue) < 500)
    }

    @Test func aStoppedPlayerHasNoFileOpen() async throws {
      let files = [try await audio.sine("1.flac", seconds: 60), try await audio.sine("2.flac", seconds: 60)]
      func open() throws -> [String] {
        try Files.names(in: "/proc/self/fd").compactMap { name in
          guard let number = Int32(name) else { return nil }
          var target = [UInt8](repeating: 0, count: 4096)
          let length = readlink("/proc/self/fd/\(number)", &target, target.count)
          let path = String(decoding: target.prefix(max(0, length)), as: UTF8.self)
          return files.contains { $0.description == path } ? path : nil
        }
      }
      let engine = try engine(speed: "1")
      let listener = EngineRecorder(engine)
      for (number, file) in files.enumerated() {
        var cue = Cue(UInt64(number + 1), file)
        cue.file = CueFile(.success(try FileInput.open(file)))
        engine.send(number == 0 ? .play(cue, paused: false) : .prepare(cue))
      }
      #expect(await eventually(above: .zero) { await listener.heard[CueID(number: 1), default: .zero] })
      #expect(try !open().isEmpty)
      engine.send(.stop)
      #expect(try await eventually(equals: []) { try open() })
      await engine.close()
    }

    @Test func skippedPartsAreNotHeard() async throws {
      let file = try await audio.sine("a.flac", seconds: 60)
      let engine = try engine(speed: "20")
      let listener = EngineRecorder(engine)
      let id = CueID(number: 1)
      engine.send(.play(Cue(1, file), paused: false))
      #expect(await eventually(above: Milliseconds(1000)) { await listener.heard[id, default: .zero] })
      engine.send(.seek(id, to: Milliseconds(50_000)))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      await engine.close()
      let flows = await listener.events.compactMap { if case .flowing(_, let at) = $0 { at } else { nil } }
      #expect(flows == [.zero, Milliseconds(50_000)])
      let heard = try #require(await listener.heard[id])
      let left = try #require(
        await listener.events.compactMap { if case .halted(id, let at, .seek) = $0 { at } else { nil } }.first)
      #expect(abs((heard - left).rawValue - 10_000) < 100)
    }

    @Test func aTrackCanBeginInItsMiddleAndPaused() async throws {
      let file = try await audio.sine("a.flac", seconds: 60)
      let engine = try engine(speed: "max")
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, file, from: Milliseconds(55_000)), paused: true))
      #expect(await eventually(contains: .began(CueID(number: 1))) { await listener.events })
      #expect(await listener.heard.isEmpty)
      engine.send(.pause(false))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      await engine.close()
      #expect(await listener.heard == [CueID(number: 1): Milliseconds(5000)])
    }

    @Test func aPreparedTrackIsReplaced() async throws {
      let first = try await audio.sine("1.flac", seconds: 3)
      let second = try await audio.sine("2.flac", seconds: 1)
      let engine = try engine(speed: "5")
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, first), paused: false))
      engine.send(.prepare(Cue(2, LocalPath(audio.path("missing.flac")))))
      engine.send(.prepare(Cue(3, second)))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      await engine.close()
      #expect(await Set(listener.heard.keys) == [CueID(number: 1), CueID(number: 3)])
      #expect(await !listener.story.contains { if case .failed = $0 { true } else { false } })
    }

    @Test func shortTracksFollowEachOtherWithinTheOutputsBuffer() async throws {
      let files = [try await audio.sine("1.flac", seconds: 1), try await audio.sine("2.flac", seconds: 1)]
      // At this speed a whole track fits into the output's buffer.
      let engine = try engine(speed: "100")
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, files[0]), paused: false))
      engine.send(.prepare(Cue(2, files[1])))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      await engine.close()
      let ids = await listener.story.compactMap { if case .ended(let id, _) = $0 { id.number } else { nil } }
      #expect(ids == [1, 2])
      for heard in await listener.heard.values { #expect(abs(heard.rawValue - 1000) < 60) }
      #expect(await listener.heard.count == 2)
    }

    @Test func namesOfFilesMayHoldAnyBytes() async throws {
      let good = try await audio.sine("good.flac", seconds: 1)
      let odd = LocalPath(
        bytes: Array("\(audio.folder.path)/".utf8) + [0xFF, 0xFE, 0x20, 0x25, 0x2C, 0x0A] + Array("x".utf8))
      let made = (odd.bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
        $0.baseAddress.map { link(good.description, $0) }
      }
      #expect(made == 0)
      let engine = try engine(speed: "max")
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, odd), paused: false))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      await engine.close()
      #expect(await listener.heard == [CueID(number: 1): Milliseconds(1000)])
    }

    @Test func aSilentEngineLetsGoOfThePlayerAndPlaysAgain() async throws {
      let file = try await audio.sine("a.flac", seconds: 1)
      let engine = MPVEngine(
        output: try AudioOutput(audio: "null") { _ in "max" }, volume: 50, linger: Milliseconds(1))
      let listener = EngineRecorder(engine)
      for number in 1...3 as ClosedRange<UInt64> {
        engine.send(.play(Cue(number, file), paused: false))
        #expect(await eventually(equals: Milliseconds(1000)) { await listener.heard[CueID(number: number)] })
      }
      await engine.close()
    }
  }
}
