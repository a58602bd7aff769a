import Glibc

extension Cover {
  static func ripples(_ side: Int, _ seed: UInt64) -> Canvas {
    var canvas = Canvas(side: side)
    let noise = Noise(seed)
    let water = Gradient(0x0E3B43, 0x1C5D63, 0x4C8F8B, 0xA9CDBE, 0xF1EAD6)
    let drops = [(0.36, 0.42, 1.0), (0.82, 0.2, 0.5), (0.7, 0.86, 0.62)]
    canvas.paint { x, y, _ in
      let warp = noise.layered(x * 2.4, y * 2.4)
      var height = 0.0
      for drop in drops {
        let distance = hypot(x - drop.0, y - drop.1) + (warp - 0.5) * 0.035
        height += drop.2 * sin(distance * 96) * exp(-distance * 3.4) / (0.35 + distance * 0.9)
      }
      let light = 0.36 + 0.2 * height + (warp - 0.5) * 0.28 + 0.3 * (1 - y) * (1 - y)
      // Steps of colour, like the layers of a print.
      let stepped = (light * 11).rounded(.down) / 11
      return water.at(light * 0.45 + stepped * 0.55)
    }
    let disc = Gradient(0xF7D9A3, 0xEBA36A)
    canvas.paint(around: 0.36, 0.42, within: 0.075) { x, y, under in
      let distance = hypot(x - 0.36, y - 0.42)
      return under.mixed(with: disc.at((y - 0.36) / 0.12), smoothStep(0.066, 0.063, distance))
    }
    canvas.finish(grain: 0.05, vignette: 0.35, seed: seed)
    return canvas
  }
}
