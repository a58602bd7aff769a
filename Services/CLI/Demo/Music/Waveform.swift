import Glibc

/// The building blocks of voices.
enum Waveform {
  /// Frames a second.
  static let rate = 44_100

  /// The frequency of a MIDI number in Hz.
  static func frequency(_ pitch: Double) -> Double { 440 * exp2((pitch - 69) / 12) }

  /// How many frames a length takes.
  static func frames(_ seconds: Double) -> Int { max(0, Int(seconds * Double(rate))) }

  /// What a decay multiplies by each frame to fall by 60 dB within a length.
  static func decay(_ seconds: Double) -> Float { Float(exp(-6.9 / (seconds * Double(rate)))) }

  /// A sound of a length, frame by frame.
  static func make(_ seconds: Double, _ frame: (_ index: Int) -> Float) -> [Float] {
    let count = frames(seconds)
    return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      for index in 0..<count { buffer[index] = frame(index) }
      initialized = count
    }
  }
}

/// A sine that costs two multiplications a frame.
struct Sine {
  private var value: Float = 0
  private var quadrature: Float
  private let step: Float

  /// A sine of a frequency below half the rate; `phase` in turns.
  init(_ frequency: Double, phase: Double = 0) {
    step = Float(2 * sin(.pi * min(frequency, 20_000) / Double(Waveform.rate)))
    value = Float(sin(2 * .pi * phase))
    quadrature = Float(cos(2 * .pi * phase))
  }

  /// The next value.
  mutating func next() -> Float {
    value += step * quadrature
    quadrature -= step * value
    return value
  }
}

/// A saw tooth whose edge is rounded, so that it does not fold back (PolyBLEP).
struct Saw {
  private var phase: Float
  private let step: Float

  /// A saw of a frequency; `phase` in turns.
  init(_ frequency: Double, phase: Double = 0) {
    step = Float(min(frequency, 12_000) / Double(Waveform.rate))
    self.phase = Float(phase)
  }

  /// The next value.
  mutating func next() -> Float {
    phase += step
    if phase >= 1 { phase -= 1 }
    var value = 2 * phase - 1
    if phase < step {
      let part = phase / step
      value -= part + part - part * part - 1
    } else if phase > 1 - step {
      let part = (phase - 1) / step
      value -= part * part + part + part + 1
    }
    return value
  }
}

/// A lowpass of two poles that may be swept (state variable filter, trapezoidal).
struct LowPass {
  private var first: Float = 0
  private var second: Float = 0
  private var gain: Float = 0
  private var damping: Float
  private var normal: Float = 0

  /// A filter with a cutoff in Hz; `resonance` from 0 to 0.95.
  init(_ cutoff: Double, resonance: Double = 0.1) {
    damping = Float(2 * (1 - resonance))
    set(cutoff)
  }

  /// Moves the cutoff.
  mutating func set(_ cutoff: Double) {
    gain = Float(tan(.pi * min(max(cutoff, 20), 18_000) / Double(Waveform.rate)))
    normal = 1 / (1 + gain * (gain + damping))
  }

  /// The filtered value, and what was taken away in the band around the cutoff.
  mutating func next(_ input: Float) -> (low: Float, band: Float) {
    let band = (gain * (input - second) + first) * normal
    let low = second + gain * band
    first = 2 * band - first
    second = 2 * low - second
    return (low, band)
  }
}
