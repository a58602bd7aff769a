import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// Streams from a server that works or fails.
  @Suite struct StreamTests {
    private let audio = Audio()
    private let one = CueID(number: 1)
    private let secret = "?token=secret"

    private func server() async throws -> StandIn { try await StandIn("streams", [audio.folder.path]) }

    private func engine(_ speed: String? = "max") throws -> MPVEngine {
      MPVEngine(output: try AudioOutput(audio: "null") { _ in speed })
    }

    /// Plays one address and returns the error.
    private func failure(_ url: String) async throws -> LunaraError? {
      let engine = try engine()
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, url), paused: false))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events }, "\(url)")
      await engine.close()
      #expect(await listener.heard.isEmpty)
      return await listener.failures.first
    }

    @Test(arguments: [
      (404, "playback.streamNotFound"), (410, "playback.streamNotFound"), (401, "playback.streamRefused"),
      (403, "playback.streamRefused"), (400, "playback.streamRefused"), (429, "playback.streamUnreachable"),
      (500, "playback.streamUnreachable"), (503, "playback.streamUnreachable"),
    ])
    func theAnswerOfTheServerIsTheReason(status: Int, code: String) async throws {
      _ = try audio.file("page.html", Array("<html></html>".utf8))
      let server = try await server()
      let error = try #require(await failure("http://127.0.0.1:\(server.port)/\(status)/page.html\(secret)"))
      #expect(error.code == code)
      #expect(error.cause == "HTTP \(status)")
      #expect(!error.description.contains("127.0.0.1") && !error.description.contains("secret"))
    }

    @Test func aServerThatIsNotThereIsUnreachable() async throws {
      for url in ["http://127.0.0.1:1/a.flac", "http://no-such-host.invalid/a.flac", "https://127.0.0.1:1/a"] {
        let error = try #require(await failure(url + secret))
        #expect(error.code == "playback.streamUnreachable")
        #expect(!error.description.contains("127.0.0.1") && !error.description.contains("no-such-host"))
        #expect(!error.description.contains("secret"))
      }
    }

    @Test func whatIsNoAudioIsNotCalledUnreachable() async throws {
      _ = try audio.file("page.html", Array("<html>Sign in</html>".utf8))
      _ = try audio.file("empty.flac", [])
      let server = try await server()
      for name in ["page.html", "empty.flac"] {
        #expect(try await failure("http://127.0.0.1:\(server.port)/whole/\(name)")?.code == "playback.notAudio")
      }
    }

    @Test func aStreamThatBreaksOnceIsHeardWhole() async throws {
      let file = try await audio.sine("a.flac", seconds: 20)
      let server = try await server()
      let engine = try engine()
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, "http://127.0.0.1:\(server.port)/heals/a.flac"), paused: false))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      await engine.close()
      #expect(await listener.heard == [one: Milliseconds(20_000)])
      _ = file
    }

    @Test func aStreamThatIsCutEndsThereAndTheNextDoesNotBegin() async throws {
      _ = try await audio.sine("a.flac", seconds: 20)
      let next = try await audio.sine("b.flac", seconds: 1)
      let server = try await server()
      let engine = try engine("10")
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, "http://127.0.0.1:\(server.port)/breaks/a.flac\(secret)"), paused: false))
      engine.send(.prepare(Cue(2, next)))
      #expect(await eventually(contains: .exhausted(CueID(number: 2))) { await listener.events })
      await engine.close()
      let heard = try #require(await listener.heard[one])
      #expect(heard > Milliseconds(5000) && heard < Milliseconds(15_000))
      // The room continues at the position where the stream broke.
      let ends = await listener.events.compactMap { if case .ended(one, let at) = $0 { at } else { nil } }
      #expect(ends.count == 1 && abs(((ends.first ?? .zero) - heard).rawValue) < 500, "\(ends) \(heard)")
      #expect(await !listener.hears(2))
    }

    @Test func aStreamThatStallsHaltsForWantOfData() async throws {
      _ = try await audio.sine("a.flac", seconds: 20)
      let server = try await server()
      let engine = try engine("10")
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, "http://127.0.0.1:\(server.port)/stalls/a.flac"), paused: false))
      #expect(
        await eventually {
          await listener.events
        } satisfies: {
          $0.contains { if case .halted(one, _, .starved) = $0 { true } else { false } }
        })
      await engine.close()
      let heard = try #require(await listener.heard[one])
      #expect(heard > Milliseconds(5000) && heard < Milliseconds(15_000))
    }

    @Test func whatIsThereOfAStreamIsTold() async throws {
      let file = try await audio.sine("a.flac", seconds: 60)
      let server = try await server()
      let engine = try engine("1")
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, "http://127.0.0.1:\(server.port)/whole/a.flac"), paused: false))
      #expect(
        await eventually {
          await listener.events
        } satisfies: {
          $0.contains { if case .buffered(one, let end) = $0 { end >= Milliseconds(59_000) } else { false } }
        })
      // A local file has no such report.
      engine.send(.play(Cue(2, file), paused: false))
      #expect(await eventually { await listener.hears(2) })
      await engine.close()
      #expect(
        await !listener.events.contains { if case .buffered(CueID(number: 2), _) = $0 { true } else { false } })
    }

    @Test func aPreparedStreamIsOpenWhenItIsWanted() async throws {
      _ = try await audio.sine("a.flac", seconds: 60)
      _ = try await audio.sine("b.flac", seconds: 60)
      let server = try await server()
      let engine = try engine("1")
      let listener = EngineRecorder(engine)
      let next = Cue(2, "http://127.0.0.1:\(server.port)/late/b.flac")
      engine.send(.play(Cue(1, "http://127.0.0.1:\(server.port)/late/a.flac"), paused: false))
      engine.send(.prepare(next))
      #expect(await eventually { await listener.hears(1) })
      var again = next
      again.id = CueID(number: 3)
      engine.send(.play(again, paused: false))
      #expect(await eventually { await listener.hears(3) })
      // It can be seeked in and followed like any other cue.
      engine.send(.seek(again.id, to: Milliseconds(59_500)))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      await engine.close()
      #expect(await listener.failures.isEmpty)
      #expect(await !listener.hears(2))
    }
  }
}
