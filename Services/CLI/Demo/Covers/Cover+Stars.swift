import Glibc

extension Cover {
  // Right ascension and declination of Ursa Minor's seven stars, laid out by hand; Polaris first.
  private static let bear = [
    (0.3, 0.24), (0.39, 0.33), (0.47, 0.43), (0.55, 0.55), (0.66, 0.53), (0.73, 0.67), (0.6, 0.7),
  ]

  static func stars(_ side: Int, _ seed: UInt64) -> Canvas {
    var canvas = Canvas(side: side)
    let noise = Noise(seed)
    var random = SeededRandom(seed)
    let sky = Gradient(0x0A1030, 0x14204F, 0x2D3A78, 0x6A5D95, 0xD79A8B, 0xF4CDA0)
    let pole = bear[0]
    let trails = (0..<150).map { _ in
      (
        radius: random.between(0.05, 1.05), start: random.between(0, 6.283), length: random.between(0.25, 0.9),
        light: random.between(0.12, 0.55)
      )
    }.sorted { $0.radius < $1.radius }
    canvas.paint { x, y, _ in
      let milk = smoothStep(0.45, 0.85, noise.layered(x * 3.2 - y * 1.8, y * 2.2 + x)) * (1 - y) * 0.3
      return sky.at(pow(y, 1.5) * 0.98).lit(by: Colour(0x8FA4E8), milk)
    }
    canvas.paint { x, y, under in
      let (dx, dy) = (x - pole.0, y - pole.1)
      let radius = hypot(dx, dy)
      let angle = atan2(dy, dx) + .pi
      var colour = under
      for trail in trails where abs(trail.radius - radius) < 0.003 {
        var turn = angle - trail.start
        if turn < 0 { turn += 2 * .pi }
        guard turn < trail.length else { continue }
        let core = exp(-pow((trail.radius - radius) / 0.0011, 2))
        colour = colour.lit(by: Colour(0xDCE6FF), core * trail.light * sin(.pi * turn / trail.length) * (1 - 0.8 * y))
      }
      return colour
    }
    for (from, to) in [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 3)] {
      line(&canvas, bear[from], bear[to])
    }
    for (index, star) in bear.enumerated() {
      let size = index == 0 ? 0.0085 : index == 4 || index == 5 ? 0.0068 : 0.005
      canvas.paint(around: star.0, star.1, within: size * 12) { x, y, under in
        let distance = hypot(x - star.0, y - star.1) / size
        let cross =
          exp(-abs(x - star.0) / (size * 0.18)) * exp(-abs(y - star.1) / (size * 2.6))
          + exp(-abs(y - star.1) / (size * 0.18)) * exp(-abs(x - star.0) / (size * 2.6))
        return under.lit(by: Colour(0xFFF3D6), exp(-distance * distance) + 0.35 * exp(-distance * 0.7) + 0.6 * cross)
      }
    }
    canvas.paint { x, y, under in
      let ridge = 0.93 - 0.07 * noise.layered(x * 3, 9, octaves: 5)
      return under.mixed(with: Colour(0x1B1733), smoothStep(ridge - 0.002, ridge + 0.002, y))
    }
    canvas.finish(grain: 0.04, vignette: 0.3, seed: seed)
    return canvas
  }

  private static func line(_ canvas: inout Canvas, _ from: (Double, Double), _ to: (Double, Double)) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1)
    let length = hypot(dx, dy)
    canvas.paint(around: (from.0 + to.0) / 2, (from.1 + to.1) / 2, within: length) { x, y, under in
      let way = ((x - from.0) * dx + (y - from.1) * dy) / (length * length)
      guard way > 0.1, way < 0.9 else { return under }
      let off = abs((x - from.0) * dy - (y - from.1) * dx) / length
      return under.lit(by: Colour(0xFFE9C4), 0.55 * exp(-pow(off / 0.0013, 2)))
    }
  }
}
