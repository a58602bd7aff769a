import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// Compares the samples of segments of a file with those of the whole file.
  @Suite(.timeLimit(.minutes(4))) struct SegmentTests {
    private let audio = Audio()

    /// An engine that plays to a pipe, and what it reports.
    private final class Player: Sendable {
      let output: PacedOutput
      let engine: MPVEngine
      let listener: EngineRecorder

      /// Prepares each of `following` when the one before it is decoded, as a room does.
      init(_ audio: Audio, speed: Double = 8, following: [Cue] = []) throws {
        output = try PacedOutput(audio.path("pipe-\(UInt64.random(in: 0...UInt64.max))"), speed: speed)
        engine = MPVEngine(output: try AudioOutput(audio: output.setting), options: [("audio-format", "s16")])
        listener = EngineRecorder(engine, following: following)
      }

      /// Returns all samples when nothing is left to play.
      func end() async throws -> [Int16] {
        #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
        #expect(await listener.failures.isEmpty)
        await engine.close()
        #expect(await eventually { output.isOver })
        return try output.samples
      }
    }

    /// Plays a cue, then others, each prepared when the one before it is decoded.
    private func play(_ cues: [Cue], speed: Double = 8) async throws -> [Int16] {
      let player = try Player(audio, speed: speed, following: Array(cues.dropFirst(2)))
      player.engine.send(.play(cues[0], paused: false))
      if cues.count > 1 { player.engine.send(.prepare(cues[1])) }
      return try await player.end()
    }

    /// Returns cues for the parts of a file between these samples.
    private func cues(_ path: LocalPath, _ cuts: [Int64], rate: Int = 44_100) -> [Cue] {
      zip(cuts, cuts.dropFirst()).enumerated().map { Cue(UInt64($0 + 1), path, samples: $1.0..<$1.1, rate: rate) }
    }

    /// Random cuts at frames of a CUE sheet, in samples, from the start to the end of a file; `distance` is in frames.
    private func cuts(_ count: Int, seconds: Int64, distance: Int64) -> [Int64] {
      var random = Seeded(1)
      var frames: [Int64] = []
      while frames.count < count {
        let frame = Int64.random(in: 1..<seconds * 75, using: &random)
        let ends = [0, seconds * 75]
        if (frames + ends).allSatisfy({ abs($0 - frame) >= distance }) { frames.append(frame) }
      }
      return ([0] + frames + [seconds * 75]).sorted().map { $0 * 588 }
    }

    private func differences(_ one: [Int16], _ other: some Collection<Int16>) -> Int {
      zip(one, other).count { $0 != $1 } + abs(one.count - other.count)
    }

    private func part(_ samples: [Int16], _ range: Range<Int64>) -> ArraySlice<Int16> {
      samples[Int(range.lowerBound) * 2..<Int(range.upperBound) * 2]
    }

    private static let lossless: [(String, [String])] = [
      ("wav", []), ("flac", []), ("m4a", ["-c:a", "alac"]), ("wv", []), ("tta", []), ("aiff", []),
    ]

    @Test(arguments: lossless)
    func twoHalvesOfASineAreTheWhole(form: String, options: [String]) async throws {
      let whole = try await audio.sine("sine.wav", seconds: 4)
      let file = try await audio.part(
        "sine.\(form == "wav" ? "copy.wav" : form)", of: whole, from: 0, seconds: 4, options)
      let samples = try audio.samples(of: whole)
      #expect(samples.count == 2 * 176_400)
      let halves = cues(file, [0, 88_200, 176_400])
      #expect(differences(try await play(halves), samples) == 0)
      // The same to a file, which takes sound as fast as it is decoded.
      let out = audio.path("out.wav")
      let engine = MPVEngine(output: try AudioOutput(audio: "pcm:\(out)"), options: [("audio-format", "s16")])
      let listener = EngineRecorder(engine)
      engine.send(.play(halves[0], paused: true))
      engine.send(.prepare(halves[1]))
      engine.send(.pause(false))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      await engine.close()
      #expect(differences(try audio.samples(of: LocalPath(out)), samples) == 0)
    }

    @Test(arguments: lossless)
    func twentyFiveRandomCutsAreNotHeard(form: String, options: [String]) async throws {
      let whole = try await audio.noise("noise.wav", seconds: 30)
      let file = try await audio.part(
        "noise.\(form == "wav" ? "copy.wav" : form)", of: whole, from: 0, seconds: 30, options)
      let samples = try audio.samples(of: whole)
      let parts = cues(file, cuts(25, seconds: 30, distance: 30))
      #expect(parts.count == 26)
      #expect(differences(try await play(parts), samples) == 0)
    }

    /// The music after each cut is that of a player of the whole file, though the decoder of a lossy file needs
    /// what comes before.
    @Test(arguments: [("mp3", 44_100), ("opus", 48_000), ("ogg", 44_100), ("m4a", 44_100), ("aac", 44_100)])
    func cutsInALossyFileAreNotHeard(form: String, rate: Int) async throws {
      let file = try await audio.noise("noise.\(form)", seconds: 39, rate: rate)
      let whole = try await play([Cue(1, file)], speed: 100)
      var random = Seeded(2)
      let frames = (1...2).map { $0 * 13 * 75 + Int64.random(in: -20...20, using: &random) }
      let cuts = ([0] + frames + [39 * 75]).map { $0 * Int64(rate) / 75 }
      // The last segment ends with the file, as that of a sheet does.
      var parts = cues(file, cuts, rate: rate)
      let last = AudioSegment(start: cuts[2], sampleRate: rate)
      parts[2].locator = .file(file, segment: last)
      #expect(parts.count == 3)
      let heard = try await play(parts)
      #expect(differences(heard, whole) == 0, "\(heard.count) of \(whole.count)")
    }

    /// Each segment alone has its own samples, and none of its neighbours.
    @Test func aSegmentAloneHasItsSamplesAndNoOthers() async throws {
      let whole = try await audio.noise("noise.wav", seconds: 20)
      let file = try await audio.part("noise.flac", of: whole, from: 0, seconds: 20)
      let samples = try audio.samples(of: whole)
      for range in [588..<1176, 441_000..<529_201, 87_612..<88_200] as [Range<Int64>] {
        let heard = try await play([Cue(1, file, samples: range)], speed: 50)
        #expect(differences(heard, part(samples, range)) == 0)
      }
    }

    /// A decoder that starts in the middle of a lossy file is given what comes before. Noise that AAC only describes
    /// (perceptual noise substitution) is drawn anew each time, so this file has none.
    @Test(arguments: [
      ("mp3", 44_100, []), ("opus", 48_000, []), ("ogg", 44_100, []), ("m4a", 44_100, ["-aac_pns", "0"]),
    ])
    func aSegmentOfALossyFileAloneHasTheSamplesOfTheWhole(form: String, rate: Int, options: [String]) async throws {
      let file = try await audio.noise("noise.\(form)", seconds: 20, rate: rate, options)
      let whole = try await play([Cue(1, file)], speed: 100)
      for frame in [3 * 75 + 5, 7 * 75 + 5, 11 * 75 + 1] as [Int64] {
        let range = frame * Int64(rate) / 75..<(frame + 200) * Int64(rate) / 75
        let heard = try await play([Cue(1, file, samples: range, rate: rate)], speed: 100)
        #expect(differences(heard, part(whole, range)) == 0, "\(range)")
      }
    }

    @Test func afterAJumpTheSegmentEndsAndTheNextBeginsExactly() async throws {
      let whole = try await audio.noise("noise.wav", seconds: 20)
      let file = try await audio.part("noise.flac", of: whole, from: 0, seconds: 20)
      let samples = try audio.samples(of: whole)
      let parts = cues(file, [0, 147_000, 352_800, 529_200])
      for (position, start) in [(Milliseconds(1500), 147_000 + 66_150), (.zero, 147_000)] as [(Milliseconds, Int64)] {
        let player = try Player(audio)
        player.engine.send(.play(parts[1], paused: true))
        #expect(await eventually(contains: .began(parts[1].id)) { await player.listener.events })
        player.engine.send(.prepare(parts[2]))
        player.engine.send(.seek(parts[1].id, to: position))
        player.engine.send(.pause(false))
        let heard = try await player.end()
        // The output may have taken the sound before the jump.
        let rest = Array(part(samples, start..<529_200))
        #expect(heard.count >= rest.count && Array(heard.suffix(rest.count)) == rest)
      }
    }

    @Test func anotherSegmentThatBecomesTheNextOneFollowsExactly() async throws {
      let whole = try await audio.noise("noise.wav", seconds: 22)
      let file = try await audio.part("noise.flac", of: whole, from: 0, seconds: 22)
      let samples = try audio.samples(of: whole)
      let parts = cues(file, [0, 661_500, 793_800, 970_200])
      var again = parts[1]
      again.id = CueID(number: 9)
      let orders: [(prepared: [Cue?], heard: [Range<Int64>])] = [
        // The next segment is moved away, or removed.
        ([parts[1], parts[2]], [0..<661_500, 793_800..<970_200]), ([parts[1], nil], [0..<661_500]),
        // The next segment is put back.
        ([parts[1], parts[2], again], [0..<793_800]), ([parts[2], parts[1]], [0..<793_800]),
        ([parts[1], nil, again], [0..<793_800]),
      ]
      for order in orders {
        let player = try Player(audio, speed: 8)
        player.engine.send(.play(parts[0], paused: false))
        player.engine.send(.prepare(order.prepared[0]))
        #expect(await eventually(contains: .began(parts[0].id)) { await player.listener.events })
        for cue in order.prepared.dropFirst() {
          try await Task.sleep(for: .milliseconds(40))
          player.engine.send(.prepare(cue))
        }
        // The changes came while libmpv was before the cut.
        #expect(player.output.count < 300_000)
        let expected = order.heard.flatMap { part(samples, $0) }
        let heard = try await player.end()
        #expect(differences(heard, expected) == 0, "\(heard.count) of \(expected.count)")
      }
    }

    @Test func goingToAnotherSegmentStartsAtItsFirstSample() async throws {
      let whole = try await audio.noise("noise.wav", seconds: 20)
      let file = try await audio.part("noise.flac", of: whole, from: 0, seconds: 20)
      let samples = try audio.samples(of: whole)
      let parts = cues(file, [0, 220_500, 352_800, 529_200])
      // Next, to the segment that is prepared, and previous.
      for (from, to) in [(0, 1), (1, 0)] {
        let player = try Player(audio, speed: 4)
        player.engine.send(.play(parts[from], paused: false))
        player.engine.send(.prepare(parts[from + 1]))
        #expect(await eventually(above: 22_050) { player.output.count })
        var cue = parts[to]
        cue.id = CueID(number: 9)
        player.engine.send(.play(cue, paused: false))
        let heard = try await player.end()
        let rest = Array(part(samples, (to == 0 ? 0 : 220_500)..<(to == 0 ? 220_500 : 352_800)))
        #expect(heard.count > rest.count && Array(heard.suffix(rest.count)) == rest)
      }
    }

    /// An MP4 file ends with silence that no player should play; the end of a segment must not hide that.
    @Test func theLastSegmentOfAnMP4FileEndsWithItsSound() async throws {
      let file = try await audio.noise("noise.m4a", seconds: 10)
      let whole = try await play([Cue(1, file)])
      var last = Cue(1, file, samples: 264_600..<441_000)
      last.locator = .file(file, segment: AudioSegment(start: 264_600, sampleRate: 44_100))
      #expect(whole.count == 2 * 441_000)
      #expect(try await play([last]).count == 2 * 176_400)
    }

    @Test func aSegmentOfAStreamThatCanOnlyBeReadFromItsStartFails() async throws {
      _ = try await audio.noise("noise.flac", seconds: 5)
      let server = try await StandIn("streams", [audio.folder.path])
      defer { withExtendedLifetime(server) {} }
      for (how, plays) in [("whole", true), ("norange", false)] {
        let segment = AudioSegment(start: 88_200, end: 132_300, sampleRate: 44_100)
        let url = "http://127.0.0.1:\(server.port)/\(how)/noise.flac"
        let cue = Cue(id: CueID(number: 1), locator: .url(url, headers: [:], segment: segment), start: .zero)
        let engine = MPVEngine(output: try AudioOutput(audio: "null") { _ in "max" })
        let listener = EngineRecorder(engine)
        engine.send(.play(cue, paused: false))
        #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
        await engine.close()
        #expect(await listener.failures.map(\.code) == (plays ? [] : ["playback.notAudio"]), "\(how)")
        #expect(await listener.heard[cue.id] == (plays ? Milliseconds(1000) : nil))
      }
    }
  }
}
