import Glibc

/// Soft drums.
extension Voice {
  /// A bass drum: a sine that falls from 110 to 46 Hz.
  static func kick(_ note: Note) -> [Float] {
    var phase: Float = 0
    var fall: Float = 1
    var envelope = Float(note.velocity)
    let decay = Waveform.decay(0.42)
    let bend = Waveform.decay(0.16)
    return Waveform.make(0.4) { index in
      fall *= bend
      envelope *= decay
      phase += 2 * .pi * (46 + 64 * fall) / Float(Waveform.rate)
      return sinf(phase) * envelope * min(1, Float(index) / 90)
    }
  }

  /// Noise around a frequency that dies away: brushes, hats, shakers.
  static func noise(_ note: Note, at frequency: Double, attack: Double, ring: Double, _ random: inout SeededRandom)
    -> [Float]
  {
    var source = random
    random = SeededRandom(random.next())
    var filter = LowPass(frequency, resonance: 0.5)
    var envelope = Float(note.velocity)
    let decay = Waveform.decay(ring)
    let rise = Float(max(1, Waveform.frames(attack)))
    return Waveform.make(attack + ring) { index in
      let swell = min(1, Float(index) / rise)
      if swell == 1 { envelope *= decay }
      return filter.next(source.noise()).band * envelope * swell
    }
  }

  /// The click of a stick on a rim.
  static func rim(_ note: Note) -> [Float] {
    var sines = (Sine(1720), Sine(540))
    var envelope = Float(note.velocity)
    let decay = Waveform.decay(0.07)
    return Waveform.make(0.08) { _ in
      envelope *= decay
      return (sines.0.next() + 0.7 * sines.1.next()) * envelope
    }
  }

  /// Wind: noise whose colour wanders.
  static func wind(_ note: Note, _ random: inout SeededRandom) -> [Float] {
    var source = random
    random = SeededRandom(random.next())
    var filter = LowPass(500, resonance: 0.7)
    let offset = source.unit()
    var swell: Double = 0
    return Waveform.make(note.length) { index in
      if index & 127 == 0 {
        let time = Double(index) / Double(Waveform.rate)
        let part = time / note.length
        swell = sin(.pi * part) * (0.7 + 0.3 * sin(2 * .pi * (0.13 * time + offset)))
        filter.set(420 + 260 * sin(2 * .pi * (0.07 * time + offset)) + 140 * sin(2 * .pi * 0.19 * time))
      }
      return filter.next(source.noise()).band * Float(swell * note.velocity)
    }
  }
}
