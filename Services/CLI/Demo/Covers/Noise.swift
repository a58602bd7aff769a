/// Smooth noise in the plane (value noise), the same for the same seed.
struct Noise: Sendable {
  private let heights: [Double]
  private let shuffled: [Int]

  /// Noise from a seed.
  init(_ seed: UInt64) {
    var random = SeededRandom(seed)
    heights = (0..<256).map { _ in random.unit() }
    shuffled = Array(0..<256).shuffled(using: &random)
  }

  /// The noise at a place, from 0 to 1; its hills are about one wide.
  func at(_ x: Double, _ y: Double) -> Double {
    let column = x.rounded(.down)
    let row = y.rounded(.down)
    let across = Self.smooth(x - column)
    let down = Self.smooth(y - row)
    let (i, j) = (Int(column), Int(row))
    let top = value(i, j) + (value(i + 1, j) - value(i, j)) * across
    let bottom = value(i, j + 1) + (value(i + 1, j + 1) - value(i, j + 1)) * across
    return top + (bottom - top) * down
  }

  /// Several sizes of noise on top of each other, from 0 to 1.
  func layered(_ x: Double, _ y: Double, octaves: Int = 4) -> Double {
    var sum = 0.0
    var size = 0.5
    var scale = 1.0
    for octave in 0..<octaves {
      sum += at(x * scale + Double(octave) * 17.3, y * scale - Double(octave) * 9.1) * size
      size /= 2
      scale *= 2.03
    }
    return sum / (1 - size * 2)
  }

  private func value(_ i: Int, _ j: Int) -> Double { heights[shuffled[(shuffled[i & 255] + j) & 255]] }

  private static func smooth(_ part: Double) -> Double { part * part * (3 - 2 * part) }
}
