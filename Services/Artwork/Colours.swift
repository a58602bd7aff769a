import Model

/// Computes the palette of a cover: two vivid colours, and a dark one for backgrounds.
///
/// The two come from clusters of pixels that look alike; a mean of the whole cover would be brown or grey. The page
/// finds those of covers that no catalogue has by the same steps (`parts/vivid.js`), and tests hold both to the same
/// results.
enum Colours {
  /// The width and height, in pixels, of the picture from which the colours are taken.
  static let side = 64

  /// The colours of covers that have none, such as black and white ones.
  private static let plain = (first: "#f0c582", second: "#f4e9d8")
  private static let clusterCount = 8
  private static let rounds = 8
  /// A chroma below this looks grey.
  private static let grey = 0.035
  /// Clusters nearer than this look alike.
  private static let near = 0.09
  /// The highest brightness of a background on which white letters can be read.
  private static let darkest = 0.25
  private static let dark = 0.45

  /// Pixels of a similar colour.
  private struct Sample {
    var colour: OKLab
    var count: Double
  }

  /// Samples that look alike.
  private struct Cluster {
    /// Their colour, in which vivid samples count more.
    var colour: OKLab
    /// Their share of the picture, from 0 to 1.
    var share: Double

    /// Near black and near white no colour is seen, whatever its chroma.
    var score: Double {
      let seen = max(0.05, min(1, (colour.light - 0.12) * 5, (1.02 - colour.light) * 7))
      return share.squareRoot() * max(0, colour.chroma - Colours.grey * 0.6) * seen
    }
  }

  /// Returns the palette of a picture.
  static func palette(of pixels: [RGB]) -> Palette {
    let pair = pair(of: pixels)
    return Palette(first: pair.first, second: pair.second, dark: background(of: pixels).text)
  }

  /// Returns the two vivid colours of a picture, which differ.
  private static func pair(of pixels: [RGB]) -> (first: String, second: String) {
    let clusters = clusters(of: samples(of: pixels))
    guard let first = best(clusters, by: \.score), first.colour.chroma >= grey else { return plain }
    let second = best(clusters) { cluster in
      let share = min(1, cluster.colour.distance(to: first.colour) / 0.22)
      return cluster.score * share * share.squareRoot()
    }
    guard let second, second.colour.distance(to: first.colour) > near, second.colour.chroma > grey else {
      return (vivid(first.colour).rgb.text, neighbour(of: first.colour).rgb.text)
    }
    return (vivid(first.colour).rgb.text, vivid(second.colour).rgb.text)
  }

  /// Returns the first of the elements with the largest value; nil of none.
  private static func best<Element>(_ elements: [Element], by value: (Element) -> Double) -> Element? {
    guard let first = elements.first else { return nil }
    var best = (first, value(first))
    for element in elements.dropFirst() {
      let value = value(element)
      if value > best.1 { best = (element, value) }
    }
    return best.0
  }

  private static func samples(of pixels: [RGB]) -> [Sample] {
    buckets(pixels, step: 16).map { Sample(colour: OKLab(.mean($0)), count: Double($0.count)) }
  }

  /// Returns the pixels by their colours in steps for each of red, green and blue, in the order of the picture.
  private static func buckets(_ pixels: [RGB], step: Int) -> [[RGB]] {
    var places: [RGB: Int] = [:]
    var buckets: [[RGB]] = []
    for pixel in pixels {
      let key = RGB(red: pixel.red / step, green: pixel.green / step, blue: pixel.blue / step)
      let place = places[key] ?? buckets.count
      places[key] = place
      if place == buckets.count { buckets.append([]) }
      buckets[place].append(pixel)
    }
    return buckets
  }

  /// Returns the clusters of samples by k-means.
  private static func clusters(of samples: [Sample]) -> [Cluster] {
    var centres = centres(of: samples)
    var groups: [[Sample]] = []
    for _ in 0..<rounds {
      groups = centres.map { _ in [] }
      for sample in samples {
        let nearest = best(Array(centres.indices)) { -centres[$0].distance(to: sample.colour) }
        if let nearest { groups[nearest].append(sample) }
      }
      for (index, group) in groups.enumerated() where !group.isEmpty {
        centres[index] = .mean(group.lazy.map { ($0.colour, $0.count) })
      }
    }
    let total = samples.reduce(0) { $0 + $1.count }
    return groups.filter { !$0.isEmpty }.map { group in
      Cluster(
        colour: .mean(group.lazy.map { ($0.colour, $0.count * ($0.colour.chroma * $0.colour.chroma + 0.0004)) }),
        share: group.reduce(0) { $0 + $1.count } / total)
    }
  }

  /// Returns the first centres: the most vivid sample, then always the one that is farthest from all centres.
  private static func centres(of samples: [Sample]) -> [OKLab] {
    guard let first = best(samples, by: { ($0.colour.chroma + 0.02) * $0.count.squareRoot() }) else { return [] }
    var centres = [first.colour]
    while centres.count < min(clusterCount, samples.count) {
      let farthest = best(samples) { sample in
        (centres.map { $0.distance(to: sample.colour) }.min() ?? 0) * sample.count.squareRoot().squareRoot()
      }
      if let farthest { centres.append(farthest.colour) }
    }
    return centres
  }

  /// Returns a colour with a little more chroma, as a small spot of it looks paler than a large one.
  private static func vivid(_ colour: OKLab) -> OKLab {
    OKLab(
      light: max(0.3, min(0.9, colour.light)), chroma: min(0.24, colour.chroma * 1.15 + 0.015), hue: colour.hue)
  }

  /// Returns the second colour of a cover in one colour: its neighbour on the circle of hues, lighter or darker.
  private static func neighbour(of colour: OKLab) -> OKLab {
    let vivid = vivid(colour)
    return OKLab(
      light: vivid.light > 0.6 ? vivid.light - 0.16 : vivid.light + 0.16, chroma: vivid.chroma, hue: vivid.hue + 0.6)
  }

  /// The dark colour with the largest share, or else the colour with the largest share, as dark as a background has to
  /// be.
  private static func background(of pixels: [RGB]) -> RGB {
    let buckets = buckets(pixels, step: 32).map { (colour: RGB.mean($0), count: Double($0.count)) }
    let darkOnes = buckets.filter { $0.colour.brightness <= dark }
    guard let colour = best(darkOnes.isEmpty ? buckets : darkOnes, by: \.count)?.colour else {
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
