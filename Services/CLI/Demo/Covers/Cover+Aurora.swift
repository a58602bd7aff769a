import Glibc

extension Cover {
  static func aurora(_ side: Int, _ seed: UInt64) -> Canvas {
    var canvas = Canvas(side: side)
    var random = SeededRandom(seed)
    let noise = Noise(seed)
    let sky = Gradient(0x07101F, 0x0B2033, 0x123B4A, 0x2A6A6B)
    canvas.paint { _, y, _ in sky.at(y * 1.25) }
    for _ in 0..<260 {
      let (x, y, size) = (random.unit(), random.unit() * 0.7, random.between(0.0008, 0.0022))
      let light = random.between(0.25, 0.9)
      canvas.paint(around: x, y, within: size * 3) { px, py, under in
        under.lit(by: Colour(0xEAF4FF), light * exp(-pow(hypot(px - x, py - y) / size, 2)))
      }
    }
    let curtains = [(0.2, 0.5, 0x6BFFC0), (0.34, 0.36, 0x7BE7E0), (0.1, 0.42, 0xC58BFF)]
    for (index, curtain) in curtains.enumerated() {
      let shift = Double(index) * 4.7
      canvas.paint { x, y, under in
        let foot =
          curtain.0 + curtain.1 * (0.35 + 0.16 * sin(x * 4.2 + shift) + 0.18 * (noise.layered(x * 2.2, shift) - 0.5))
        let height = foot - y
        let rays = 0.45 + 0.55 * noise.layered(x * 26 + 3 * noise.at(x * 3, y * 2 + shift), y * 1.2 + shift, octaves: 3)
        let body = height > 0 ? exp(-height * 5.2) : exp(height * 46)
        let strength = 0.75 * body * rays * rays * (0.4 + 0.9 * noise.at(x * 2.6 + shift, 5))
        let colour = Colour(curtain.2).mixed(with: Colour(0xB06BE8), smoothStep(0.05, 0.38, height))
        return under.lit(by: colour, strength)
      }
    }
    let hills = [(0.8, 0x143440, 2.1), (0.87, 0x0B222D, 3.4), (0.95, 0x050F17, 5.2)]
    for (index, hill) in hills.enumerated() {
      canvas.paint { x, y, under in
        let ridge = hill.0 - 0.11 * noise.layered(x * hill.2 + Double(index) * 11, 2.5, octaves: 5)
        let mist = Colour(hill.1).lit(by: Colour(0x3E8F84), 0.3 * exp(-max(0, y - ridge) * 30))
        return under.mixed(with: mist, smoothStep(ridge - 0.002, ridge + 0.002, y))
      }
    }
    canvas.finish(grain: 0.035, vignette: 0.35, seed: seed)
    return canvas
  }
}
