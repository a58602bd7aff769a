/// The places of tracks that are numbered by the sides of a record, such as `A1`, `b-2` or `A` for a whole side, or by
/// Roman numbers.
///
/// Two sides are a disc unless the tags name one, and the tracks of a disc are counted on over its sides, so that they
/// pair with those of a copy in another format.
struct VinylSides {
  /// The place of a track on its album.
  struct Place: Hashable {
    var disc: Int
    var number: Int
    /// The number as the tag writes it.
    var text: String
  }

  /// A track by its tags.
  struct Track {
    var index: Int
    /// The text of the number, such as `A1`.
    var text: String
    /// The disc that the tags name; nil if they do not.
    var disc: Int?
  }

  /// Returns the places of the tracks of an album by its texts of numbers, by the index of each. A letter without a
  /// number is a side only among sides, and `I`, `II` and `V` are numbers.
  ///
  /// - Parameter hasNumbers: true if other tracks of the album have plain numbers, so that no letter alone is a side.
  static func places(of tracks: [Track], hasNumbers: Bool = false) -> [Int: Place] {
    let numbers = tracks.compactMap { track in
      romanNumber(track.text).map { (track.index, Place(disc: track.disc ?? 1, number: $0, text: track.text)) }
    }
    if numbers.count == tracks.count { return Dictionary(numbers) { $1 } }
    var found = tracks.compactMap { track in
      position(track.text).map { (track: track, side: $0.side, number: $0.number) }
    }
    if hasNumbers || found.count < tracks.count { found.removeAll { $0.number == 0 } }
    var counts: [Int: Int] = [:]
    var places: [Int: Place] = [:]
    for found in found.sorted(by: { ($0.side, $0.number, $0.track.index) < ($1.side, $1.number, $1.track.index) }) {
      let disc = found.track.disc ?? found.side / 2 + 1
      counts[disc, default: 0] += 1
      places[found.track.index] = Place(disc: disc, number: counts[disc] ?? 1, text: found.track.text)
    }
    return places
  }

  /// Returns the number of a text such as `IV`, up to 39; nil for others.
  private static func romanNumber(_ text: String) -> Int? {
    let text = text.uppercased()
    guard let first = text.first, "IVX".contains(first), text.count <= 7 else { return nil }
    return (1...39).first { roman($0) == text }
  }

  private static func roman(_ number: Int) -> String {
    let ones = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]
    return String(repeating: "X", count: number / 10) + ones[number % 10]
  }

  /// Returns the side from 0 on and the number on it of a text such as `A1`, `a-2`, `AA1` or `A`; nil for others. `AA`
  /// is the second side of a single with two A sides.
  private static func position(_ text: String) -> (side: Int, number: Int)? {
    let text = Array(text.uppercased().utf8)
    let letters = text.prefix { (65...90).contains($0) }
    let digits = text[letters.count...].drop { " -.".utf8.contains($0) }
    guard let letter = letters.first, letters.count == 1 || letters.elementsEqual("AA".utf8), digits.count <= 2,
      digits.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return (letters.count > 1 ? 1 : Int(letter - 65), Int(String(decoding: digits, as: UTF8.self)) ?? 0)
  }
}
