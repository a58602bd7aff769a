import Glibc

extension Cover {
  static func skyline(_ side: Int, _ seed: UInt64) -> Canvas {
    var canvas = Canvas(side: side)
    var random = SeededRandom(seed)
    let noise = Noise(seed)
    let sky = Gradient(0x0B0B2A, 0x1D1446, 0x4A1F63, 0x9C3268, 0xE8665F, 0xF9A86B)
    let shore = 0.66
    canvas.paint { x, y, _ in
      let cloud = noise.layered(x * 2.2, y * 8) - 0.5
      return sky.at(min(1, y / shore) * 0.96 + cloud * 0.12 * smoothStep(0.1, 0.5, y))
    }
    for depth in 0..<3 {
      let wall = Gradient(0x5A2A63, 0x301A4C, 0x120D2B).at(Double(depth) / 2)
      var x = random.between(-0.05, 0)
      while x < 1 {
        let width = random.between(0.045, 0.11)
        let height = random.between(0.05, 0.17) + (2 - Double(depth)) * 0.07 + 0.12 * exp(-pow((x - 0.6) * 4, 2))
        building(&canvas, x..<x + width, (shore - height)..<shore, wall, isLit: depth > 0, &random)
        x += width + random.between(0, 0.012)
      }
    }
    mirror(&canvas, shore, noise)
    canvas.finish(grain: 0.05, vignette: 0.4, seed: seed)
    return canvas
  }

  private static func building(
    _ canvas: inout Canvas, _ across: Range<Double>, _ down: Range<Double>, _ wall: Colour, isLit: Bool,
    _ random: inout SeededRandom
  ) {
    let lights = random
    _ = random.next()
    let center = ((across.lowerBound + across.upperBound) / 2, (down.lowerBound + down.upperBound) / 2)
    let extent = max(across.upperBound - across.lowerBound, down.upperBound - down.lowerBound) / 2
    canvas.paint(around: center.0, center.1, within: extent) { x, y, under in
      guard across.contains(x), down.contains(y) else { return under }
      let column = ((x - across.lowerBound) / 0.0125).rounded(.down)
      let row = ((y - down.lowerBound) / 0.016).rounded(.down)
      var window = lights
      for _ in 0..<Int(column * 7 + row * 13) % 61 { _ = window.next() }
      let isWindow =
        (x - across.lowerBound - column * 0.0125) / 0.0125 > 0.42 && (y - down.lowerBound - row * 0.016) / 0.016 > 0.5
      guard isLit, isWindow, column > 0, row > 0, window.chance(0.34) else { return wall }
      return wall.mixed(with: Colour(window.chance(0.8) ? 0xFFD28A : 0x9FD8FF), window.between(0.45, 1))
    }
  }

  /// The river shows the town upside down, drawn out into streaks.
  private static func mirror(_ canvas: inout Canvas, _ shore: Double, _ noise: Noise) {
    let above = canvas
    let side = above.side
    canvas.paint { x, y, under in
      guard y >= shore else { return under }
      let depth = (y - shore) / (1 - shore)
      var sum = Colour(0, 0, 0)
      for sample in 0..<9 {
        let shift = (noise.at(y * 160, Double(sample) * 3.1 + x * 5) - 0.5) * 0.05 * (0.3 + depth)
        let source = max(0, shore - (y - shore) * (0.85 + 0.05 * Double(sample)) - 0.002)
        let column = min(side - 1, max(0, Int((x + shift) * Double(side))))
        let pixel = above.pixels[min(side - 1, Int(source * Double(side))) * side + column]
        sum = Colour(sum.red + pixel.red / 9, sum.green + pixel.green / 9, sum.blue + pixel.blue / 9)
      }
      let sparkle = smoothStep(0.74, 0.95, noise.at(x * 14, y * 190)) * (1 - depth) * 0.5
      return sum.mixed(with: Colour(0x0B0B2A), 0.22 + 0.45 * depth).lit(by: Colour(0xF9A86B), sparkle)
    }
  }
}
