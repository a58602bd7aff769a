import Glibc

/// How loud a sound is to the ear (ITU-R BS.1770-4), and bringing it to a wanted loudness.
enum Loudness {
  /// The integrated loudness in LUFS; nil for silence.
  static func integrated(_ sound: StereoSound) -> Double? {
    let powers = zip(blockPowers(sound.left), blockPowers(sound.right)).map { $0 + $1 }
    func mean(above gate: Double) -> Double? {
      let loud = powers.filter { $0 > gate }
      return loud.isEmpty ? nil : loud.reduce(0, +) / Double(loud.count)
    }
    guard let first = mean(above: pow(10, (-70 + 0.691) / 10)), let second = mean(above: first / 10) else { return nil }
    return -0.691 + 10 * log10(second)
  }

  /// Brings a sound to a loudness; peaks are bent softly, so that nothing reaches full scale.
  static func set(_ sound: inout StereoSound, to target: Double) {
    guard let loudness = integrated(sound) else { return }
    let gain = Float(pow(10, (target - loudness) / 20))
    bend(&sound.left, gain)
    bend(&sound.right, gain)
  }

  private static func bend(_ channel: inout [Float], _ gain: Float) {
    let knee: Float = 0.55
    let room: Float = 0.32
    for index in channel.indices {
      let value = channel[index] * gain
      let size = abs(value)
      channel[index] = size <= knee ? value : copysignf(knee + room * tanhf((size - knee) / room), value)
    }
  }

  /// The power of blocks of 400 ms that overlap by three quarters.
  private static func blockPowers(_ samples: [Float]) -> [Double] {
    let step = Waveform.rate / 10
    var filters = weighting
    let steps = stride(from: 0, to: samples.count, by: step).map { start in
      samples[start..<min(samples.count, start + step)].reduce(0.0) { sum, sample in
        let value = Double(filters.highpass.next(filters.shelf.next(sample)))
        return sum + value * value
      }
    }
    guard steps.count >= 4 else { return [steps.reduce(0, +) / Double(max(1, samples.count))] }
    return (0...steps.count - 4).map { steps[$0..<$0 + 4].reduce(0, +) / Double(4 * step) }
  }

  /// The K weighting: a shelf for the head, then a highpass (BS.1770-4 annex 1, recomputed for 44.1 kHz).
  private static var weighting: (shelf: Biquad, highpass: Biquad) {
    (
      Biquad(b: (1.530_841_23, -2.650_979_99, 1.169_079_05), a: (-1.663_655_11, 0.712_595_4)),
      Biquad(b: (1, -2, 1), a: (-1.989_169_67, 0.989_199_01))
    )
  }

  private struct Biquad {
    let b: (Float, Float, Float)
    let a: (Float, Float)
    private var state: (Float, Float) = (0, 0)

    init(b: (Float, Float, Float), a: (Float, Float)) {
      self.b = b
      self.a = a
    }

    mutating func next(_ input: Float) -> Float {
      let output = b.0 * input + state.0
      state.0 = b.1 * input - a.0 * output + state.1
      state.1 = b.2 * input - a.1 * output
      return output
    }
  }
}
