import Glibc
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// Compares the samples of two files played in a row with those of one file.
  @Suite struct GaplessTests {
    private let audio = Audio()

    /// Plays cues one after the other into a file and returns its samples.
    private func play(_ cues: [Cue]) async throws -> [Int16] {
      let out = audio.path("out-\(UInt64.random(in: 0...UInt64.max)).wav")
      let engine = MPVEngine(output: try AudioOutput(audio: "pcm:\(out)"), options: [("audio-format", "s16")])
      let listener = EngineRecorder(engine)
      engine.send(.play(cues[0], paused: true))
      for cue in cues.dropFirst() { engine.send(.prepare(cue)) }
      engine.send(.pause(false))
      #expect(await eventually(contains: .exhausted(nil)) { await listener.events })
      await engine.close()
      #expect(await listener.failures.isEmpty)
      return try audio.samples(of: LocalPath(out))
    }

    /// Two halves of one sine as files, and their addresses: paths and HTTP.
    private func halves(_ form: String) async throws -> (files: [LocalPath], places: [[Cue]], server: StandIn) {
      let whole = try await audio.sine("whole.wav", seconds: 4)
      let files = [
        try await audio.part("1.\(form)", of: whole, from: 0, seconds: 2),
        try await audio.part("2.\(form)", of: whole, from: 2, seconds: 2),
      ]
      let server = try await StandIn("streams", [audio.folder.path])
      let web = (1...2).map { Cue(UInt64($0), "http://127.0.0.1:\(server.port)/whole/\($0).\(form)") }
      return (files, [[Cue(1, files[0]), Cue(2, files[1])], web], server)
    }

    private func differences(_ one: [Int16], _ other: [Int16]) -> Int {
      zip(one, other).count { $0 != $1 } + abs(one.count - other.count)
    }

    @Test func twoHalvesOfALosslessFileAreTheWhole() async throws {
      let (_, places, server) = try await halves("flac")
      defer { withExtendedLifetime(server) {} }
      let whole = try audio.samples(of: LocalPath(audio.path("whole.wav")))
      #expect(whole.count == 2 * 176_400)
      for cues in places { #expect(differences(try await play(cues), whole) == 0) }
    }

    /// Lossy halves are encoded separately, so they are compared with what another decoder gives for each half, joined
    /// without a gap: the number of samples and the position of each must be right.
    @Test(arguments: [("mp3", 44_100), ("opus", 48_000), ("ogg", 44_100), ("m4a", 44_100)])
    func twoHalvesOfALossyFileJoinWithoutASampleBetweenThem(form: String, rate: Int) async throws {
      let (files, places, server) = try await halves(form)
      defer { withExtendedLifetime(server) {} }
      var expected: [Int16] = []
      for file in files { expected += try await audio.decoded(file).prefix(2 * 2 * rate) }
      #expect(expected.count == 2 * 4 * rate)
      for cues in places {
        let samples = try await play(cues)
        #expect(differences(samples, expected) == 0, "\(samples.count) of \(expected.count)")
      }
    }

    @Test func eachTrackHasItsOwnLevelWithoutAGapBetweenThem() async throws {
      let (_, places, server) = try await halves("flac")
      defer { withExtendedLifetime(server) {} }
      let plain = try await play(places[0])
      for (first, second) in [(-6.0, -12.0), (-6, nil), (nil, -6)] as [(Double?, Double?)] {
        let samples = try await play([places[0][0].gained(first), places[0][1].gained(second)])
        #expect(samples.count == plain.count)
        let middle = plain.count / 2
        for (gain, range) in [(first, 0..<middle), (second, middle..<plain.count)] {
          let factor = gain.map { pow(10, $0 / 20) } ?? 1
          // Two roundings: one to the filter's number format and one back.
          let tolerance = gain == nil ? 0 : 1.5
          let worst = range.map { abs(Double(plain[$0]) * factor - Double(samples[$0])) }.max() ?? .infinity
          #expect(worst <= tolerance, "\(String(describing: gain))")
        }
      }
    }

    @Test func aTrackWithoutAGainIsUntouched() async throws {
      let (_, places, server) = try await halves("flac")
      defer { withExtendedLifetime(server) {} }
      let whole = try audio.samples(of: LocalPath(audio.path("whole.wav")))
      #expect(differences(try await play([places[0][0].gained(nil), places[0][1]]), whole) == 0)
    }
  }
}

/// The end of the sound in an MP4 file.
struct SoundEndTests {
  private let gapless = " 00000000 00000840 000001CA 00000000000157C0 00000000 00000000"

  @Test func whatTheEncoderNotedIsExact() {
    // 0x157C0 samples are 88,000.
    #expect(SoundEnd.of(duration: 2, rate: 44_100, gapless: gapless) == (88_000 + 0.5) / 44_100)
  }

  @Test func aNoteAboutAnotherFileIsNotBelieved() {
    #expect(SoundEnd.of(duration: 3, rate: 44_100, gapless: gapless) == 3 + 0.5 / 44_100)
    for text in [nil, "", "x y z w", " 0 0 0"] as [String?] {
      #expect(SoundEnd.of(duration: 2, rate: 44_100, gapless: text) == 2 + 0.5 / 44_100)
    }
  }

  @Test func withoutALengthNothingIsCutOff() {
    for duration in [0, -1, .nan, .infinity] as [Double] {
      #expect(SoundEnd.of(duration: duration, rate: 44_100, gapless: gapless) == nil)
    }
    #expect(SoundEnd.of(duration: 2, rate: 0, gapless: gapless) == nil)
  }
}
