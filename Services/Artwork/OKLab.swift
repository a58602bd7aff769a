import Glibc

/// A colour by lightness and two opponent axes as the eye sees them: OKLab by Björn Ottosson. Lightness is 0 to 1.
struct OKLab: Hashable {
  var light: Double
  var a: Double
  var b: Double

  init(light: Double, a: Double, b: Double) {
    self.light = light
    self.a = a
    self.b = b
  }

  /// Makes the colour of a lightness, a chroma from 0 to about 0.33, and a hue in radians.
  init(light: Double, chroma: Double, hue: Double) {
    self.init(light: light, a: chroma * cos(hue), b: chroma * sin(hue))
  }

  init(_ colour: RGB) {
    let (red, green, blue) = (Self.linear[colour.red], Self.linear[colour.green], Self.linear[colour.blue])
    let long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    let medium = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    let short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    self.init(
      light: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
      a: 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
      b: 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short)
  }

  var chroma: Double { hypot(a, b) }
  var hue: Double { atan2(b, a) }

  /// The colour of sRGB. Of one that no screen shows, lightness and hue are kept, and as much of the chroma as there
  /// is.
  var rgb: RGB {
    var parts = linearRGB
    if !Self.isShowable(parts) {
      var (low, high) = (0.0, 1.0)
      for _ in 0..<9 {
        let share = (low + high) / 2
        if Self.isShowable(withChroma(share).linearRGB) { low = share } else { high = share }
      }
      parts = withChroma(low).linearRGB
    }
    return RGB(red: Self.byte(parts[0]), green: Self.byte(parts[1]), blue: Self.byte(parts[2]))
  }

  /// Returns the distance of two colours. Lightness counts half, as light and shadow on one thing are one colour.
  func distance(to other: OKLab) -> Double {
    let light = (light - other.light) * 0.5
    return (light * light + (a - other.a) * (a - other.a) + (b - other.b) * (b - other.b)).squareRoot()
  }

  /// Returns the mean of colours with weights, of which one is above 0.
  static func mean(_ colours: some Sequence<(colour: OKLab, weight: Double)>) -> OKLab {
    var sum = OKLab(light: 0, a: 0, b: 0)
    var whole = 0.0
    for (colour, weight) in colours {
      whole += weight
      sum.light += colour.light * weight
      sum.a += colour.a * weight
      sum.b += colour.b * weight
    }
    return OKLab(light: sum.light / whole, a: sum.a / whole, b: sum.b / whole)
  }

  private func withChroma(_ share: Double) -> OKLab { OKLab(light: light, a: a * share, b: b * share) }

  private var linearRGB: [Double] {
    func cube(_ value: Double) -> Double { value * value * value }
    let long = cube(light + 0.3963377774 * a + 0.2158037573 * b)
    let medium = cube(light - 0.1055613458 * a - 0.0638541728 * b)
    let short = cube(light - 0.0894841775 * a - 1.291485548 * b)
    return [
      4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
      -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
      -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
    ]
  }

  private static func isShowable(_ linear: [Double]) -> Bool { linear.allSatisfy { $0 > -0.0005 && $0 < 1.0005 } }

  private static func byte(_ linear: Double) -> Int {
    let share = linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
    return Int((max(0, min(1, share)) * 255).rounded())
  }

  /// The linear light of each byte of sRGB.
  private static let linear: [Double] = (0..<256).map { value in
    let share = Double(value) / 255
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
  }
}
