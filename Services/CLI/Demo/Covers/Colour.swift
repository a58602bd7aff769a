/// Red, green and blue, each from 0 to 1.
struct Colour: Sendable, Equatable {
  var red: Double
  var green: Double
  var blue: Double

  init(_ red: Double, _ green: Double, _ blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// A colour written as in a style sheet, 0xRRGGBB.
  init(_ hex: Int) {
    self.init(Double(hex >> 16 & 255) / 255, Double(hex >> 8 & 255) / 255, Double(hex & 255) / 255)
  }

  /// A part of the way to another colour.
  func mixed(with other: Colour, _ part: Double) -> Colour {
    let part = max(0, min(1, part))
    return Colour(
      red + (other.red - red) * part, green + (other.green - green) * part, blue + (other.blue - blue) * part)
  }

  /// The colour with light added.
  func lit(by other: Colour, _ part: Double) -> Colour {
    let part = max(0, part)
    return Colour(
      1 - (1 - red) * (1 - min(1, other.red * part)), 1 - (1 - green) * (1 - min(1, other.green * part)),
      1 - (1 - blue) * (1 - min(1, other.blue * part)))
  }
}

/// Colours that flow into one another from 0 to 1.
struct Gradient: Sendable {
  private let colours: [Colour]

  /// Evenly spaced colours, written as 0xRRGGBB.
  init(_ hexes: Int...) { colours = hexes.map { Colour($0) } }

  /// The colour at a place.
  func at(_ place: Double) -> Colour {
    let scaled = max(0, min(0.9999, place)) * Double(colours.count - 1)
    let index = Int(scaled)
    return colours[index].mixed(with: colours[min(index + 1, colours.count - 1)], scaled - Double(index))
  }
}

/// A smooth step from 0 at `low` to 1 at `high`.
func smoothStep(_ low: Double, _ high: Double, _ value: Double) -> Double {
  let part = max(0, min(1, (value - low) / (high - low)))
  return part * part * (3 - 2 * part)
}
