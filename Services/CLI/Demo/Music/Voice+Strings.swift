import Glibc

/// Plucked and struck strings.
extension Voice {
  /// A nylon string (Karplus and Strong's plucked string, with a pick position and a warm body).
  static func guitar(_ note: Note, _ random: inout SeededRandom) -> [Float] {
    let rate = Double(Waveform.rate)
    // The loop's filter delays by half a frame; an allpass tunes the rest.
    let period = rate / Waveform.frequency(note.pitch) - 0.5
    let length = max(2, Int(period - 0.3))
    let rest = Float(period) - Float(length)
    let tuning = (1 - rest) / (1 + rest)
    let brightness = Float(0.25 + 0.5 * note.velocity)
    var line = [Float](repeating: 0, count: length)
    var smooth: Float = 0
    for index in 0..<length {
      smooth += brightness * (random.noise() - smooth)
      line[index] = smooth
    }
    let pick = max(1, length / 7)
    let plain = line
    for index in 0..<length { line[index] = plain[index] - plain[(index + length - pick) % length] * 0.8 }
    let mean = line.reduce(0, +) / Float(length)
    let peak = max(0.001, line.map { abs($0 - mean) }.max() ?? 1)
    for index in 0..<length { line[index] = (line[index] - mean) / peak }

    let sustain = Float(exp(-6.9 / (Waveform.frequency(note.pitch) * (2.2 + 60 / note.pitch))))
    let tail = 0.35
    let release = Waveform.frames(note.length)
    let damped = Waveform.decay(tail)
    var (position, last, allpassIn, allpassOut) = (0, Float(0), Float(0), Float(0))
    var envelope = Float(note.velocity)
    return line.withUnsafeMutableBufferPointer { line in
      Waveform.make(note.length + tail) { index in
        let output = line[position]
        let filtered = (0.5 * output + 0.5 * last) * sustain
        last = output
        allpassOut = tuning * (filtered - allpassOut) + allpassIn
        allpassIn = filtered
        line[position] = allpassOut
        position += 1
        if position == length { position = 0 }
        if index > release { envelope *= damped }
        return output * envelope
      }
    }
  }

  /// A soft piano: partials that are a little sharp, each with its own decay, two strings that beat slowly.
  static func piano(_ note: Note) -> [Float] {
    let fundamental = Waveform.frequency(note.pitch)
    let stiffness = 0.0003 * exp2((note.pitch - 60) / 14)
    let ring = min(9, 7.5 * exp2((48 - note.pitch) / 22))
    let hardness = 0.35 + 0.5 * note.velocity
    var partials: [(sine: Sine, beat: Sine, level: Float, decay: Float)] = []
    for number in 1...9 {
      let order = Double(number)
      let frequency = fundamental * order * (1 + stiffness * order * order).squareRoot()
      guard frequency < 9000 else { break }
      let level = Float(pow(hardness, order - 1) / order.squareRoot() * (number == 7 ? 0.3 : 1))
      partials.append(
        (
          Sine(frequency), Sine(frequency * 1.0006 + 0.15, phase: 0.13), level,
          Waveform.decay(ring / (1 + 0.55 * (order - 1)))
        ))
    }
    let release = Waveform.frames(note.length)
    let damped = Waveform.decay(0.5)
    var envelope = Float(note.velocity) * 0.42
    var attack: Float = 0
    let length = min(note.length + 0.5, ring)
    return partials.withUnsafeMutableBufferPointer { partials in
      Waveform.make(length) { index in
        var sum: Float = 0
        for number in partials.indices {
          partials[number].level *= partials[number].decay
          var value = partials[number].sine.next()
          // Of the high partials nobody hears the beating.
          if number < 4 { value += 0.6 * partials[number].beat.next() }
          sum += value * partials[number].level
        }
        if index > release { envelope *= damped }
        attack += (1 - attack) * 0.012
        return sum * envelope * attack
      }
    }
  }
}
