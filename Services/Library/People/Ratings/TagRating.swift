import Model
import MusicTags
import Text

/// The ratings that players write into tags, each in its own way.
struct TagRating: Hashable, Sendable {
  /// The ways in which a number is a rating.
  enum Scale: Hashable, Sendable {
    /// 0 to 1, of FMPS and of Quod Libet.
    case fraction
    /// `RATING` without more: 1 to 5 stars, 6 to 10 half stars, 11 to 100 percent; below 1 a fraction.
    case plain
    /// The byte of POPM, as Windows Media Player and most others read it, with MediaMonkey's values for half stars.
    case byte
    /// The byte of POPM of Traktor, where each star is 51.
    case evenByte
    /// 0 to 99, of Windows Media files.
    case share
  }

  var scale: Scale
  var value: Double

  /// Reads `NAME=value` as `OwnerTags.ratings` has it; nil if it is no number.
  init?(_ text: String) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count > 1, let last = parts.last,
      let value = Double(String(last.map { $0 == "," ? "." : $0 }).trimmed), value.isFinite
    else { return nil }
    let name = parts.dropLast().joined(separator: "=").lowercased()
    self.value = value
    switch name {
    case "fmps_rating": scale = .fraction
    case "shareduserrating": scale = .share
    case "rating": scale = .plain
    case let name where name.hasPrefix("rating:popm:traktor"): scale = .evenByte
    case let name where name.hasPrefix("rating:popm"): scale = .byte
    // Quod Libet adds the address of the person.
    default: scale = .fraction
    }
  }

  /// The bytes of POPM that stand for half and whole stars, and how many half stars each is. Other players write what
  /// lies between, and mean the nearest.
  private static let bytes: [(byte: Double, halfStars: Int)] = [
    (13, 1), (23, 2), (54, 3), (64, 4), (118, 5), (128, 6), (186, 7), (196, 8), (242, 9), (255, 10),
  ]

  /// Returns the rating; nil for 0, which means that the track is not rated, and for a value outside of the scale.
  ///
  /// - Parameter isOfTen: true if plain numbers are half stars, as others of the same folder are above 5.
  func rating(isOfTen: Bool = false) -> Rating? {
    guard let halfStars = halfStars(isOfTen: isOfTen), 1...10 ~= halfStars else { return nil }
    return Rating(rawValue: halfStars)
  }

  /// True if the value says that the track is not rated.
  var isNone: Bool { value == 0 }

  private func halfStars(isOfTen: Bool) -> Int? {
    func part(of whole: Double) -> Int? {
      0...whole ~= value ? max(1, Int((value / whole * 10).rounded())) : nil
    }
    guard value > 0 else { return nil }
    switch scale {
    case .fraction: return part(of: 1)
    case .plain where value < 1: return part(of: 1)
    case .plain where value <= 5 && !isOfTen: return part(of: 5)
    case .plain where value <= 10: return part(of: 10)
    case .plain: return part(of: 100)
    case .byte where value == 1: return 2
    case .byte where value <= 255:
      return Self.bytes.min { abs($0.byte - value) < abs($1.byte - value) }?.halfStars
    case .byte: return nil
    case .evenByte: return part(of: 255)
    // 1, 25, 50, 75 and 99 are one star to five.
    case .share: return value <= 99 ? 2 * (Int((value / 25).rounded()) + 1) : nil
    }
  }

  /// True for a plain number that says that its folder counts half stars.
  var showsTen: Bool { scale == .plain && value > 5 && value <= 10 }

  /// Returns the rating of a track by all that its tags say, the most exact way first; nil if none is a rating.
  static func rating(of texts: [String], isOfTen: Bool) -> Rating? {
    let found = texts.compactMap(TagRating.init)
    let order: [Scale] = [.fraction, .byte, .evenByte, .share, .plain]
    for scale in order {
      if let rating = found.first(where: { $0.scale == scale && !$0.isNone })?.rating(isOfTen: isOfTen) {
        return rating
      }
    }
    return nil
  }
}
