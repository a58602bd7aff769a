import Glibc

extension Cover {
  static func dunes(_ side: Int, _ seed: UInt64) -> Canvas {
    var canvas = Canvas(side: side)
    let noise = Noise(seed)
    let sky = Gradient(0xE9A27C, 0xF2BF94, 0xF8DDB4, 0xFBEBCF)
    let sun = Gradient(0xF6C667, 0xEE8B52, 0xDD5B45)
    canvas.paint { x, y, _ in
      let haze = (noise.layered(x * 3, y * 9, octaves: 3) - 0.5) * 0.09
      let base = sky.at(y * 1.5 + haze)
      let distance = hypot(x - 0.63, y - 0.4)
      let glow = base.lit(by: Colour(0xFFE2A8), 0.55 * exp(-distance * 5))
      // The lower the sun, the more bands of haze it stands behind.
      let band = smoothStep(0.36, 0.52, y) * (0.5 + 0.5 * sin(y * 190))
      let disc = smoothStep(0.2, 0.197, distance) * (1 - 0.75 * smoothStep(0.35, 0.9, band))
      return glow.mixed(with: sun.at((y - 0.2) / 0.4), disc)
    }
    let sands = [
      (0.52, 0xE3A36F, 0xD98F63), (0.6, 0xD08156, 0xB9663F), (0.69, 0xB85D3C, 0x9A452F), (0.79, 0x8E3E30, 0x70302A),
      (0.9, 0x5E2A2B, 0x3F1D24),
    ]
    for (index, sand) in sands.enumerated() {
      let phase = Double(index) * 1.9
      let light = Colour(sand.1)
      let dark = Colour(sand.2)
      func crest(_ x: Double) -> Double {
        sand.0 + 0.045 * sin(x * (3.1 + Double(index) * 0.55) + phase) + 0.02 * sin(x * 7.3 - phase * 2)
          + 0.012 * noise.at(x * 5, phase)
      }
      canvas.paint { x, y, under in
        let depth = y - crest(x)
        guard depth > -0.002 else { return under }
        let slope = (crest(x + 0.01) - crest(x - 0.01)) * 16
        let ripple = 0.5 + 0.5 * sin((depth * 210 + 9 * noise.layered(x * 4 + phase, depth * 6, octaves: 3)) * 1.3)
        let shade = smoothStep(-0.7, 0.9, slope) * 0.6 + smoothStep(0, 0.16, depth) * 0.5
        let colour = light.mixed(with: dark, shade + 0.07 * ripple)
        let lit = colour.lit(by: Colour(0xFFD9A0), 0.35 * exp(-max(0, depth) * 90) * (1 - shade * 0.7))
        return under.mixed(with: lit, smoothStep(-0.0015, 0.0015, depth))
      }
    }
    canvas.finish(grain: 0.045, vignette: 0.28, seed: seed)
    return canvas
  }
}
