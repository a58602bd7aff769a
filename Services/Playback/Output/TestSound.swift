import Glibc
import Messages
import Model
import System

/// Plays a chord on a room's output, with a separate player: the room's player and its open files are not affected, and
/// no listen starts.
struct TestSound: Sendable {
  let output: AudioOutput
  /// The path of the sound's file, which exists while it is played.
  let path: String
  var file: @Sendable () -> [UInt8] = { Chord.wav(Chord.samples) }
  /// The time after which the attempt to play it is given up.
  var timeout = Duration.seconds(12)
  /// Creates the engine for a volume in percent.
  let engine: @Sendable (Int) throws -> any Engine

  /// Plays the sound on a device, nil for the first that works, with a volume in percent. Returns when it has been
  /// heard, or at once if the task is cancelled. Throws `playback.noOutput`, `playback.engineMissing`,
  /// `playback.engineFailed`, `playback.noTestSound`.
  func play(on device: String?, volume: Int) async throws {
    try write(file())
    defer { unlink(path) }
    let engine = try engine(volume)
    engine.send(.output(device))
    engine.send(.play(Cue(id: CueID(number: 1), locator: .file(LocalPath(path)), start: .zero), paused: false))
    let limit = Task {
      try await Task.sleep(for: timeout)
      await engine.close()
    }
    var failure: LunaraError?
    var hasEnded = false
    for await report in engine.reports {
      switch report.event {
      case .ended, .exhausted: hasEnded = true
      case .failed(_, let error), .outputFailed(let error), .outputLost(let error): failure = error
      default: continue
      }
      break
    }
    limit.cancel()
    await engine.close()
    if let failure { throw failure }
    guard hasEnded || Task.isCancelled else {
      throw LunaraError(
        "playback.noTestSound", "The output takes the test sound but does not play it. `lunara output` chooses another."
      )
    }
  }

  private func write(_ bytes: [UInt8]) throws(LunaraError) {
    do throws(Errno) { try Files.replace(path, with: bytes, .init(isDurable: false, temporary: path + ".new")) } catch {
      throw LunaraError(
        "playback.noTestSound", "The test sound cannot be written. Check that the disk has room and can be written to.",
        cause: error)
    }
  }
}

/// A short, soft chord by which people hear where a room's sound comes from.
enum Chord {
  static let rate = 44_100
  static let seconds = 1.8
  /// The notes of a C major chord over an octave, in Hz; each starts a little after the one below it.
  private static let notes = [261.63, 329.63, 392.0, 523.25]
  private static let stagger = 0.09
  /// The overtones, as factors of frequency and loudness.
  private static let partials = [(1.0, 1.0), (2.0, 0.28), (3.0, 0.09)]
  /// The peak of each note: all together stay 6 dB below full scale.
  private static let loudness = 0.09

  /// The samples in mono, from -1 to 1.
  static var samples: [Double] {
    let count = Int(Double(rate) * seconds)
    var samples = [Double](repeating: 0, count: count)
    for (index, note) in notes.enumerated() {
      let first = Int(stagger * Double(index) * Double(rate))
      for place in first..<count {
        let time = Double(place - first) / Double(rate)
        // The sound starts without a click and ends in silence.
        let shape = min(1, time / 0.012) * exp(-time / 0.55) * min(1, Double(count - place) / 4000)
        for (overtone, share) in partials {
          samples[place] += loudness * share * shape * sin(2 * .pi * note * overtone * time)
        }
      }
    }
    return samples
  }

  /// Returns samples as a WAV file, 16 bits in stereo.
  static func wav(_ samples: [Double]) -> [UInt8] {
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let size = samples.count * 4
    var file = Array("RIFF".utf8) + number(36 + size, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
    file += number(1, 2) + number(2, 2) + number(rate, 4) + number(rate * 4, 4) + number(4, 2) + number(16, 2)
    file += Array("data".utf8) + number(size, 4)
    file.reserveCapacity(44 + size)
    for sample in samples {
      let value = Int(max(-1, min(1, sample)) * 32_767)
      let (low, high) = (UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8))
      file += [low, high, low, high]
    }
    return file
  }
}
