/// A colour of sRGB, each part from 0 to 255.
struct RGB: Hashable {
  var red: Int
  var green: Int
  var blue: Int

  /// The largest part, from 0 to 1.
  var brightness: Double { Double(max(red, green, blue)) / 255 }

  /// How far it is from grey, from 0 to 1.
  var saturation: Double {
    let most = max(red, green, blue)
    return most == 0 ? 0 : Double(most - min(red, green, blue)) / Double(most)
  }

  /// How far two colours are apart, Euclidean over the three parts.
  func distance(to other: RGB) -> Double {
    let parts = [red - other.red, green - other.green, blue - other.blue]
    return Double(parts.reduce(0) { $0 + $1 * $1 }).squareRoot()
  }

  /// The same with each part put through `body`, rounded and kept in its bounds.
  func mapped(_ body: (Double) -> Double) -> RGB {
    func part(_ value: Int) -> Int { Int(min(255, max(0, body(Double(value)).rounded()))) }
    return RGB(red: part(red), green: part(green), blue: part(blue))
  }

  /// `#rrggbb`.
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
