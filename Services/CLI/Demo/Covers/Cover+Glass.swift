import Glibc

extension Cover {
  static func glass(_ side: Int, _ seed: UInt64) -> Canvas {
    var canvas = Canvas(side: side)
    var random = SeededRandom(seed)
    let noise = Noise(seed)
    let light = Gradient(0xF6E7C8, 0xDDE3BE, 0xA9C6A0, 0x6FA08A)
    canvas.paint { x, y, _ in light.at(0.15 + 0.6 * y + 0.25 * (noise.layered(x * 2, y * 2) - 0.5) + 0.12 * x) }
    let greens = [0x2F6B4F, 0x4C8A5B, 0x1F5147, 0x7BA765, 0xD98C5F, 0x3B7D6B]
    for index in 0..<34 {
      let stem = (random.between(-0.05, 1.05), random.between(0.45, 1.15))
      let length = random.between(0.22, 0.5)
      let angle = random.between(-2.5, -0.6)
      let bend = random.between(-1.1, 1.1)
      let colour = Colour(greens[index % greens.count])
      leaf(&canvas, stem, length, angle, bend, colour, opacity: 0.3 + 0.45 * Double(index) / 34)
    }
    panes(&canvas, noise)
    for _ in 0..<520 {
      let (x, y) = (random.unit(), random.unit())
      let size = random.between(0.0015, 0.0065) * (random.chance(0.12) ? 1.8 : 1)
      canvas.paint(around: x, y, within: size) { px, py, under in
        let distance = hypot(px - x, py - y) / size
        guard distance < 1 else { return under }
        let rim = smoothStep(0.55, 1, distance)
        let shine = exp(-pow(hypot(px - x + size * 0.35, py - y + size * 0.35) / (size * 0.35), 2))
        return under.mixed(with: Colour(0x23453B), 0.3 * rim).lit(by: Colour(0xFFFBEA), 0.75 * shine + 0.08)
      }
    }
    canvas.finish(grain: 0.04, vignette: 0.25, seed: seed)
    return canvas
  }

  private static func leaf(
    _ canvas: inout Canvas, _ stem: (Double, Double), _ length: Double, _ angle: Double, _ bend: Double,
    _ colour: Colour, opacity: Double
  ) {
    let (along, across) = ((cos(angle), sin(angle)), (-sin(angle), cos(angle)))
    canvas.paint(around: stem.0, stem.1, within: length) { x, y, under in
      let (dx, dy) = (x - stem.0, y - stem.1)
      let way = (dx * along.0 + dy * along.1) / length
      guard way > 0, way < 1 else { return under }
      let off = (dx * across.0 + dy * across.1) / length - bend * way * way * 0.35
      let half = 0.17 * pow(sin(.pi * way), 0.8) * (1.15 - 0.5 * way)
      let edge = smoothStep(half, half - 0.025, abs(off))
      guard edge > 0 else { return under }
      let vein = 0.16 * smoothStep(0.012, 0.002, abs(off)) + 0.07 * (0.5 + 0.5 * sin((way * 2.2 - abs(off) * 3) * 42))
      let body = colour.mixed(with: Colour(0xF4E9C9), vein + 0.25 * way * (off > 0 ? 1 : 0.35))
      return under.mixed(with: body, opacity * edge)
    }
  }

  private static func panes(_ canvas: inout Canvas, _ noise: Noise) {
    canvas.paint { x, y, under in
      let column = (x * 3).rounded(.down)
      let row = (y * 4 + 0.4).rounded(.down)
      let mist = 0.1 + 0.4 * noise.layered(x * 3 + column * 5, y * 3 + row * 7)
      let misted = under.mixed(with: Colour(0xF3EFDD), mist * 0.75)
      let bar = min(abs(x * 3 - (x * 3).rounded()) / 3, abs(y * 4 + 0.4 - (y * 4 + 0.4).rounded()) / 4)
      let frame = Colour(0x24382F).mixed(with: Colour(0x5C7460), smoothStep(0.001, 0.006, bar))
      return misted.mixed(with: frame, smoothStep(0.0085, 0.007, bar))
    }
  }
}
