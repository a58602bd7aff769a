/// A gentle room: parallel combs whose echoes lose their treble, then allpasses that spread them (Schroeder and Moorer,
/// with the delays of Jezar's Freeverb).
struct Reverb {
  private static let combs = [1116, 1188, 1277, 1356, 1422, 1491]
  private static let allpasses = [556, 441, 225]
  private static let predelay = 970
  private static let spread = 23

  /// How long the room rings, from 0.7 (small) to 0.9 (a church).
  let size: Float
  /// How quickly treble is lost, from 0 to 1.
  let damping: Float

  /// Adds the echoes of what is sent into the room to a sound of the same length; they differ from left to right.
  func addEchoes(of sent: [Float], to mix: inout StereoSound) {
    add(echoes(of: sent, offset: 0), to: &mix.left)
    add(echoes(of: sent, offset: Self.spread), to: &mix.right)
  }

  private func add(_ echoes: [Float], to channel: inout [Float]) {
    for index in echoes.indices where index + Self.predelay < channel.count {
      channel[index + Self.predelay] += echoes[index] * 0.085
    }
  }

  private func echoes(of input: [Float], offset: Int) -> [Float] {
    var output = [Float](repeating: 0, count: input.count)
    for delay in Self.combs { comb(input, into: &output, delay: delay + offset) }
    for delay in Self.allpasses { allpass(&output, delay: delay + offset) }
    return output
  }

  private func comb(_ input: [Float], into output: inout [Float], delay: Int) {
    var line = [Float](repeating: 0, count: delay)
    line.withUnsafeMutableBufferPointer { line in
      input.withUnsafeBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          var (position, smooth) = (0, Float(0))
          for index in input.indices {
            let echo = line[position]
            smooth = echo + (smooth - echo) * damping
            line[position] = input[index] + smooth * size
            output[index] += echo
            position += 1
            if position == delay { position = 0 }
          }
        }
      }
    }
  }

  private func allpass(_ sound: inout [Float], delay: Int) {
    var line = [Float](repeating: 0, count: delay)
    line.withUnsafeMutableBufferPointer { line in
      sound.withUnsafeMutableBufferPointer { sound in
        var position = 0
        for index in sound.indices {
          let echo = line[position]
          let input = sound[index]
          sound[index] = echo - input
          line[position] = input + echo * 0.5
          position += 1
          if position == delay { position = 0 }
        }
      }
    }
  }
}
