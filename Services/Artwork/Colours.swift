import Model

/// Computes the palette of a cover.
enum Colours {
  /// The width and height, in pixels, of the picture from which the colours are taken.
  static let side = 40
  private static let cells = 10
  private static let step = 32

  private static let leastSaturation = 0.15
  private static let leastBrightness = 0.12
  /// Dark colours count less, but no less than this.
  private static let brightnessFloor = 0.3
  private static let leastDistance = 60.0
  /// The highest brightness of a background on which white letters can be read.
  private static let darkest = 0.25
  private static let dark = 0.45

  private struct Shade {
    var colour: RGB
    var share: Double

    var isColourful: Bool { colour.saturation >= leastSaturation && colour.brightness >= leastBrightness }
    var score: Double {
      let saturation = colour.saturation
      return share * saturation * saturation * saturation * max(colour.brightness, brightnessFloor)
    }
  }

  /// Returns the palette of a picture of 40 rows of 40 pixels.
  ///
  /// The picture is reduced to 10 by 10 cells, whose colours fall into buckets of 32 steps for each of red, green and
  /// blue. The colourful ones are ranked by share × saturation³ × brightness; if there are none, all are ranked by
  /// share.
  static func palette(of pixels: [RGB]) -> Palette {
    let shades = shades(of: cells(of: pixels))
    let colourful = shades.filter(\.isColourful).sorted { $0.score > $1.score }
    let ranked = colourful.isEmpty ? shades : colourful
    let first = ranked.first?.colour ?? RGB(red: 0, green: 0, blue: 0)
    let second = ranked.first { $0.colour.distance(to: first) >= leastDistance }?.colour ?? shifted(first)
    return Palette(first: first.text, second: second.text, dark: background(shades).text)
  }

  private static func cells(of pixels: [RGB]) -> [RGB] {
    guard pixels.count == side * side else { return [] }
    let width = side / cells
    return (0..<cells * cells).map { cell in
      let (row, column) = (cell / cells * width, cell % cells * width)
      return RGB.mean((0..<width * width).map { pixels[(row + $0 / width) * side + column + $0 % width] })
    }
  }

  /// Returns the buckets that are not empty, the largest first, and equal ones in the order of the picture.
  private static func shades(of cells: [RGB]) -> [Shade] {
    var members: [RGB: [RGB]] = [:]
    var order: [RGB] = []
    for cell in cells {
      let bucket = RGB(red: cell.red / step, green: cell.green / step, blue: cell.blue / step)
      if members[bucket] == nil { order.append(bucket) }
      members[bucket, default: []].append(cell)
    }
    let shades = order.map { bucket in
      let same = members[bucket] ?? []
      return Shade(colour: .mean(same), share: Double(same.count) / Double(cells.count))
    }
    return shades.enumerated().sorted { ($1.element.share, $0.offset) < ($0.element.share, $1.offset) }.map(\.element)
  }

  /// Returns a colour of the same hue that can be told apart: a darker one for a bright colour, a brighter one for a
  /// dark colour.
  private static func shifted(_ colour: RGB) -> RGB {
    let isBright = colour.distance(to: RGB(red: 0, green: 0, blue: 0)) > 221
    return colour.mapped { isBright ? $0 * 0.55 : $0 + (255 - $0) * 0.35 }
  }

  /// The dark colour with the largest share, or else the colour with the largest share, as dark as a background has to
  /// be.
  private static func background(_ shades: [Shade]) -> RGB {
    guard let colour = (shades.first { $0.colour.brightness <= dark } ?? shades.first)?.colour else {
      return RGB(red: 0, green: 0, blue: 0)
    }
    let factor = min(1, darkest / max(colour.brightness, darkest))
    return colour.mapped { $0 * factor }
  }
}

/// A colour of sRGB, each part from 0 to 255.
struct RGB: Hashable {
  var red: Int
  var green: Int
  var blue: Int

  /// The largest part, from 0 to 1.
  var brightness: Double { Double(max(red, green, blue)) / 255 }

  /// The distance from grey, from 0 to 1.
  var saturation: Double {
    let most = max(red, green, blue)
    return most == 0 ? 0 : Double(most - min(red, green, blue)) / Double(most)
  }

  /// Returns the Euclidean distance of two colours over their three parts.
  func distance(to other: RGB) -> Double {
    let parts = [red - other.red, green - other.green, blue - other.blue]
    return Double(parts.reduce(0) { $0 + $1 * $1 }).squareRoot()
  }

  /// Returns the colour with `body` applied to each part, rounded and kept in bounds.
  func mapped(_ body: (Double) -> Double) -> RGB {
    func part(_ value: Int) -> Int { Int(min(255, max(0, body(Double(value)).rounded()))) }
    return RGB(red: part(red), green: part(green), blue: part(blue))
  }

  /// The colour as `#rrggbb`.
  var text: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The mean of some colours; black of none.
  static func mean(_ colours: some Collection<RGB>) -> RGB {
    guard !colours.isEmpty else { return RGB(red: 0, green: 0, blue: 0) }
    let count = colours.count
    func mean(_ sum: Int) -> Int { (sum + count / 2) / count }
    let sums = colours.reduce(into: (0, 0, 0)) { sums, colour in
      sums = (sums.0 + colour.red, sums.1 + colour.green, sums.2 + colour.blue)
    }
    return RGB(red: mean(sums.0), green: mean(sums.1), blue: mean(sums.2))
  }
}
