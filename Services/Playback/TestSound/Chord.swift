import Glibc

/// A short, soft chord that rings out: what a room lets be heard to show where its sound comes from.
enum Chord {
  static let rate = 44_100
  static let seconds = 1.8
  /// C major over an octave, each note a little after the one below it, in Hz.
  private static let notes = [261.63, 329.63, 392.0, 523.25]
  private static let stagger = 0.09
  /// Overtones and how loud they are beside the note.
  private static let partials = [(1.0, 1.0), (2.0, 0.28), (3.0, 0.09)]
  /// How loud each note is at its loudest: all together stay 6 dB below full scale.
  private static let loudness = 0.09

  /// The sound in mono, from -1 to 1.
  static var samples: [Double] {
    let count = Int(Double(rate) * seconds)
    var samples = [Double](repeating: 0, count: count)
    for (index, note) in notes.enumerated() {
      let first = Int(stagger * Double(index) * Double(rate))
      for place in first..<count {
        let time = Double(place - first) / Double(rate)
        // A beginning without a click, and an end that is silence.
        let shape = min(1, time / 0.012) * exp(-time / 0.55) * min(1, Double(count - place) / 4000)
        for (overtone, share) in partials {
          samples[place] += loudness * share * shape * sin(2 * .pi * note * overtone * time)
        }
      }
    }
    return samples
  }

  /// Sound as a WAV file, 16 bits in stereo.
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
      file.append(low)
      file.append(high)
      file.append(low)
      file.append(high)
    }
    return file
  }
}
