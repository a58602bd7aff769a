import Glibc

/// Two channels of audio.
struct StereoSound: Sendable, Equatable {
  /// The left channel.
  var left: [Float]
  /// The right channel, as long as the left one.
  var right: [Float]

  /// Silence of a number of frames.
  init(frames: Int) {
    left = [Float](repeating: 0, count: frames)
    right = left
  }

  /// How many frames it has.
  var frames: Int { left.count }

  /// Mixes a mono sound in; what would lie beyond the end is left out.
  mutating func add(_ sound: [Float], at start: Int, pan: Double, level: Float) {
    // Equal power: the sum of the squares stays the same wherever it stands.
    let angle = (min(1, max(-1, pan)) + 1) * .pi / 4
    let leftGain = Float(cos(angle)) * level
    let rightGain = Float(sin(angle)) * level
    let count = min(sound.count, frames - start)
    guard start >= 0, count > 0 else { return }
    sound.withUnsafeBufferPointer { sound in
      left.withUnsafeMutableBufferPointer { left in
        for index in 0..<count { left[start + index] += sound[index] * leftGain }
      }
      right.withUnsafeMutableBufferPointer { right in
        for index in 0..<count { right[start + index] += sound[index] * rightGain }
      }
    }
  }

  /// Multiplies both channels frame by frame.
  mutating func shape(_ range: Range<Int>, _ gain: (Int) -> Float) {
    for index in range {
      let gain = gain(index)
      left[index] *= gain
      right[index] *= gain
    }
  }

  /// Frames of a range as signed 16-bit samples, little endian, left and right in turn.
  func samples(_ range: Range<Int>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: range.count * 4) { bytes, count in
      for (place, index) in range.enumerated() {
        for (channel, value) in [left[index], right[index]].enumerated() {
          let sample = UInt16(bitPattern: Int16(max(-32_767, min(32_767, (value * 32_767).rounded()))))
          bytes[place * 4 + channel * 2] = UInt8(truncatingIfNeeded: sample)
          bytes[place * 4 + channel * 2 + 1] = UInt8(truncatingIfNeeded: sample >> 8)
        }
      }
      count = range.count * 4
    }
  }
}
