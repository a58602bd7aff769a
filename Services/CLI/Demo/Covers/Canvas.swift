import Glibc

/// A square picture that is painted pixel by pixel. Coordinates run from 0 to 1, from the top left.
struct Canvas: Sendable, Equatable {
  /// Pixels on each side.
  let side: Int
  /// Red, green and blue of each pixel, row by row.
  private(set) var pixels: [Colour]

  /// A picture of one colour.
  init(side: Int, _ colour: Colour = Colour(0, 0, 0)) {
    self.side = side
    pixels = [Colour](repeating: colour, count: side * side)
  }

  /// Repaints every pixel from its place and what was there.
  mutating func paint(_ shade: (_ x: Double, _ y: Double, _ under: Colour) -> Colour) {
    let scale = 1 / Double(side)
    for row in 0..<side {
      for column in 0..<side {
        let index = row * side + column
        pixels[index] = shade((Double(column) + 0.5) * scale, (Double(row) + 0.5) * scale, pixels[index])
      }
    }
  }

  /// Repaints the pixels of a square around a place, for small things.
  mutating func paint(
    around x: Double, _ y: Double, within radius: Double,
    _ shade: (_ x: Double, _ y: Double, _ under: Colour) -> Colour
  ) {
    func range(_ center: Double) -> Range<Int> {
      let low = max(0, Int((center - radius) * Double(side)))
      let high = min(side, Int((center + radius) * Double(side)) + 2)
      return low..<max(low, high)
    }
    let scale = 1 / Double(side)
    for row in range(y) {
      for column in range(x) {
        let index = row * side + column
        pixels[index] = shade((Double(column) + 0.5) * scale, (Double(row) + 0.5) * scale, pixels[index])
      }
    }
  }

  /// Gives the picture the grain of paper and darker corners.
  mutating func finish(grain: Double, vignette: Double, seed: UInt64) {
    var random = SeededRandom(seed)
    paint { x, y, under in
      let distance = ((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5)) * 2
      let light = 1 - vignette * distance * distance
      let noise = (random.unit() + random.unit() - 1) * grain
      return Colour(under.red * light + noise, under.green * light + noise, under.blue * light + noise)
    }
  }

  /// The picture as a portable pixmap (PPM, P6).
  var pixmap: [UInt8] {
    var bytes = Array("P6\n\(side) \(side)\n255\n".utf8)
    bytes.reserveCapacity(bytes.count + side * side * 3)
    for pixel in pixels {
      for value in [pixel.red, pixel.green, pixel.blue] {
        bytes.append(UInt8(max(0, min(255, (value * 255).rounded()))))
      }
    }
    return bytes
  }
}
