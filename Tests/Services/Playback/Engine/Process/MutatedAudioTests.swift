import Glibc
import Messages
import Model
import System
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// Damaged files of each container, played by the player's process. `make fuzz` plays more of them.
  @Suite(.timeLimit(.minutes(240))) struct MutatedAudioTests {
    private let audio = Audio()

    /// The number of files of each container: `LUNARA_FUZZ_SOUNDS`, or a few.
    private static let count = getenv("LUNARA_FUZZ_SOUNDS").flatMap { Int(String(cString: $0)) } ?? 5

    @Test(arguments: [
      "flac", "mp3", "ogg", "opus", "m4a", "wav", "aiff", "wv", "tta", "aac", "mka", "wma", "caf",
    ])
    func everyDamagedFileEndsOrFails(ending: String) async throws {
      let sine = try await audio.sine("sine.wav", seconds: 1, rate: 32_000)
      let seed = try audio.bytes(of: await audio.part("seed.\(ending)", of: sine, from: 0, seconds: 1))
      var random = Seeded(20_261_122)
      let engine = try EngineProcess.underTest(speed: "max")
      let listener = EngineRecorder(engine)
      for number in 1...UInt64(Self.count) {
        let file = try audio.file("\(number).\(ending)", Self.mutated(seed, &random))
        engine.send(.play(Cue(number, file), paused: false))
        // The cue ends, or fails; a process that it breaks is replaced.
        if await !eventually(within: .seconds(5), { await listener.hasFinished(number) }) {
          try await expectEnd(of: file, "\(ending) \(number)")
        }
      }
      await engine.close()
      #expect(await !listener.hasLostOutput)
    }

    /// Plays a file once more, at a steady pace. Between two changes of format, libmpv never ends a sound that is
    /// shorter than the step in which a null output without a clock plays; no device has that fault.
    private func expectEnd(of file: LocalPath, _ name: String) async throws {
      let engine = try EngineProcess.underTest(speed: "20")
      let listener = EngineRecorder(engine)
      engine.send(.play(Cue(1, file), paused: false))
      #expect(await eventually { await listener.hasFinished(1) }, "\(name)")
      await engine.close()
      #expect(await !listener.hasLostOutput, "\(name)")
    }

    /// Changes some bytes, most of them near the start, where the headers are; or cuts, repeats or blows up a part.
    private static func mutated(_ seed: [UInt8], _ random: inout Seeded) -> [UInt8] {
      var bytes = seed
      for _ in 0...Int.random(in: 0..<8, using: &random) where bytes.count > 16 {
        let reach = Bool.random(using: &random) ? min(bytes.count, 400) : bytes.count
        let at = Int.random(in: 0..<reach - 8, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[at] = UInt8.random(in: 0...255, using: &random)
        // A length that is far too large.
        case 2: for place in at..<at + 4 { bytes[place] = place == at ? 0x7F : 0xFF }
        case 3: for place in at..<at + 4 { bytes[place] = 0 }
        case 4: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1..<64, using: &random)))
        default: bytes.insert(contentsOf: bytes[at..<at + 8], at: at)
        }
      }
      return bytes
    }
  }
}

extension EngineRecorder {
  /// Returns true if a cue has ended or failed.
  fileprivate func hasFinished(_ number: UInt64) -> Bool {
    events.contains {
      switch $0 {
      case .ended(let id, _), .failed(let id, _): id.number == number
      default: false
      }
    }
  }

  fileprivate var hasLostOutput: Bool {
    events.contains { if case .outputFailed = $0 { true } else { false } }
  }
}

extension EngineProcess {
  /// An engine with the `lunara-playback` that was built beside the tests, whose sound goes nowhere.
  static func underTest(
    _ audio: String = "null", speed: String? = "max", linger: Milliseconds = Milliseconds(120_000),
    program: String? = nil, environment: [String: String] = [:], nameServers: String = "/etc/resolv.conf"
  ) throws -> EngineProcess {
    let beside = "\(Files.folder(of: try Files.resolved("/proc/self/exe")))/lunara-playback"
    try #require(access(beside, X_OK) == 0, "\(beside) is missing: run swift build")
    return try EngineProcess(
      output: try AudioOutput(audio: audio) { _ in speed }, linger: linger, program: program ?? beside,
      environment: Environment(["PATH": "/usr/bin:/bin"].merging(environment) { $1 }), nameServers: nameServers)
  }
}
