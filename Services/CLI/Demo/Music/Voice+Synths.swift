import Glibc

/// Pads, bells, arpeggios and basses.
extension Voice {
  /// A warm pad: four saws out of tune behind a lowpass that opens and closes with the note.
  static func pad(_ note: Note, brightness: Double, _ random: inout SeededRandom) -> [Float] {
    let frequency = Waveform.frequency(note.pitch)
    var saws = [-0.11, -0.04, 0.05, 0.1].map { detune in
      Saw(frequency * exp2(detune / 12), phase: random.unit())
    }
    let attack = min(2.4, note.length * 0.4)
    let tail = min(3.5, 1 + note.length * 0.3)
    let length = note.length + tail
    let drift = random.unit()
    var filter = LowPass(600, resonance: 0.15)
    var swell: Double = 0
    return saws.withUnsafeMutableBufferPointer { saws in
      Waveform.make(length) { index in
        if index & 63 == 0 {
          let time = Double(index) / Double(Waveform.rate)
          let rise = min(1, time / attack)
          let fall = min(1, max(0, (length - time) / tail))
          swell = rise * rise * (3 - 2 * rise) * fall * fall
          filter.set(brightness * (350 + frequency) * (0.7 + 0.6 * swell + 0.25 * sin(2 * .pi * (time * 0.11 + drift))))
        }
        var sum: Float = 0
        for number in saws.indices { sum += saws[number].next() }
        return filter.next(sum).low * Float(swell * note.velocity)
      }
    }
  }

  /// An electric piano or a bell: one sine bends another (frequency modulation after Chowning).
  static func modulated(_ note: Note, ratio: Double, depth: Double, ring: Double, tremolo: Double) -> [Float] {
    let frequency = Waveform.frequency(note.pitch)
    let step = 2 * Float.pi * Float(frequency / Double(Waveform.rate))
    var modulator = Sine(frequency * ratio)
    var shake = Sine(4.6)
    var phase: Float = 0
    var bend = Float(depth * (0.4 + note.velocity))
    let bendDecay = Waveform.decay(ring * 0.35)
    let decay = Waveform.decay(ring)
    let damped = Waveform.decay(0.35)
    let release = Waveform.frames(note.length)
    var envelope = Float(note.velocity)
    var attack: Float = 0
    return Waveform.make(min(note.length + 0.4, ring)) { index in
      phase += step
      if phase > 2 * .pi { phase -= 2 * .pi }
      bend *= bendDecay
      envelope *= index > release ? damped : decay
      attack += (1 - attack) * 0.02
      return sinf(phase + bend * modulator.next()) * envelope * attack
        * (1 - Float(tremolo) * (0.5 + 0.5 * shake.next()))
    }
  }

  /// A short bright note whose filter closes quickly.
  static func arpeggio(_ note: Note, brightness: Double) -> [Float] {
    let frequency = Waveform.frequency(note.pitch)
    var saws = (Saw(frequency * 1.003), Saw(frequency * 0.997, phase: 0.37))
    var filter = LowPass(2000, resonance: 0.45)
    let ring = max(0.25, note.length * 1.6)
    let decay = Waveform.decay(ring)
    var envelope = Float(note.velocity)
    var attack: Float = 0
    return Waveform.make(ring) { index in
      if index & 31 == 0 {
        let open = exp(-Double(index) / Double(Waveform.rate) * 9)
        filter.set(300 + frequency + brightness * note.velocity * 5200 * open)
      }
      envelope *= decay
      attack += (1 - attack) * 0.03
      return filter.next(saws.0.next() + saws.1.next()).low * envelope * attack
    }
  }

  /// A round bass; `edge` adds overtones.
  static func bass(_ note: Note, edge: Float) -> [Float] {
    var sine = Sine(Waveform.frequency(note.pitch))
    let release = Waveform.frames(note.length)
    let decay = Waveform.decay(3.5)
    let damped = Waveform.decay(0.12)
    var envelope = Float(note.velocity)
    var attack: Float = 0
    return Waveform.make(note.length + 0.12) { index in
      envelope *= index > release ? damped : decay
      attack += (1 - attack) * 0.008
      let value = sine.next()
      let shaped = value * (1 + edge) / (1 + edge * abs(value))
      // The square is the octave and a constant, which nobody hears and which is taken away.
      return (shaped + edge * 0.3 * (value * value - 0.5)) * envelope * attack
    }
  }
}
