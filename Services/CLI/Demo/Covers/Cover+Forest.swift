import Glibc

extension Cover {
  static func forest(_ side: Int, _ seed: UInt64) -> Canvas {
    var canvas = Canvas(side: side)
    var random = SeededRandom(seed)
    let noise = Noise(seed)
    let sky = Gradient(0xF3E3C3, 0xF6D9A8, 0xEFBE86, 0xDDA06C)
    canvas.paint { x, y, _ in
      let base = sky.at(y * 1.4 + 0.12 * (noise.layered(x * 2, y * 5) - 0.5))
      let distance = hypot(x - 0.3, y - 0.25)
      return base.mixed(with: Colour(0xFFF6DF), smoothStep(0.092, 0.088, distance) * 0.9)
        .lit(by: Colour(0xFFF0C8), 0.4 * exp(-distance * 4))
    }
    let rows = 7
    for row in 0..<rows {
      let near = Double(row) / Double(rows - 1)
      let ground = 0.42 + 0.6 * near * near
      let size = 0.022 + 0.1 * near * near
      let soil = Gradient(0xD8AE74, 0xB98A52, 0x8A6B3F, 0x5B4A2E, 0x37301F).at(near)
      canvas.paint { x, y, under in
        let edge = ground - 0.022 * sin(x * 4 + 1.2) - 0.012 * noise.layered(x * 4, near * 9) + size * 0.55
        let furrow = 0.12 * noise.layered(x * 5, y * 60, octaves: 3)
        let colour = soil.mixed(with: Colour(0xF0D9A4), furrow + 0.25 * exp(-max(0, y - edge) * 40))
        return under.mixed(with: colour, smoothStep(edge - 0.002, edge + 0.002, y))
      }
      var x = random.between(-0.06, 0)
      while x < 1.08 {
        let base = ground - 0.022 * sin(x * 4 + 1.2) + size * 0.55
        tree(&canvas, x, base, size * random.between(0.85, 1.15), near, noise, &random)
        x += size * random.between(1.9, 2.5)
      }
      // Mist lies between the rows.
      canvas.paint { x, y, under in
        let mist = exp(-pow((y - ground - size * 0.6) * 16, 2)) * (1 - near) * 0.5
        return under.mixed(with: Colour(0xF6E6C6), mist * noise.layered(x * 3, near * 7 + y * 4))
      }
    }
    canvas.finish(grain: 0.05, vignette: 0.3, seed: seed)
    return canvas
  }

  private static func tree(
    _ canvas: inout Canvas, _ x: Double, _ base: Double, _ size: Double, _ near: Double, _ noise: Noise,
    _ random: inout SeededRandom
  ) {
    let crowns = [
      Gradient(0xE0A24E, 0xC0622F, 0x7C3423), Gradient(0xB9A24B, 0x7E8038, 0x434C2A),
      Gradient(0xE58B4C, 0xA8442E, 0x5E2620),
    ]
    let crown = random.pick(crowns) ?? crowns[0]
    let offset = random.between(0, 50)
    let center = base - size * 1.35
    let haze = 0.55 * (1 - near)
    canvas.paint(around: x, base - size, within: size * 2) { px, py, under in
      var colour = under
      let trunk = abs(px - x) - size * (0.07 + 0.06 * max(0, (py - base) / size + 0.4))
      if py > center, py < base, trunk < 0 { colour = Colour(0x3A2A22).mixed(with: Colour(0xE9C795), haze) }
      let (dx, dy) = ((px - x) / size, (py - center) / size)
      let ragged = 0.92 + 0.3 * (noise.layered(px / size * 2.2 + offset, py / size * 2.2, octaves: 3) - 0.5)
      let distance = hypot(dx, dy * 1.08)
      guard distance < ragged + 0.05 else { return colour }
      let leaves = noise.layered(px / size * 6 + offset, py / size * 6, octaves: 3)
      let shade = 0.45 + 0.42 * (dx * 0.55 + dy * 0.75) + 0.55 * (leaves - 0.5)
      let body = crown.at(shade).mixed(with: Colour(0xEFCF9C), haze)
      return colour.mixed(with: body, smoothStep(ragged + 0.02, ragged - 0.02, distance))
    }
  }
}
