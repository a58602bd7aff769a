public import Model
import Text

/// A track as the two sides of a list name it.
public struct SyncTrack: Codable, Hashable, Sendable {  // memberwise
  /// The provider's id of the track; nil for a track of ours for which the provider has none that we know.
  public var native: String?
  /// The description of the track.
  public var described: DescribedTrack
}

/// The keys by which a track is recognised where the provider's ids differ, the surest first.
enum TrackKeys {
  /// Returns the keys of a track; each begins with its kind, so that keys of two kinds are never equal.
  static func of(_ track: DescribedTrack) -> [String] {
    var keys: [String] = []
    if let isrc = track.isrc, !isrc.isEmpty { keys.append("isrc " + NormalForm.of(isrc)) }
    if let id = track.recordingID, !id.isEmpty { keys.append("mbid " + NormalForm.of(id)) }
    if !track.title.isEmpty, !track.artist.isEmpty {
      keys.append("name \(NormalForm.of(track.artist))|\(NormalForm.of(NormalForm.withoutRemaster(track.title)))")
    }
    return keys
  }
}

/// The form of names in which two spellings of one name are equal.
public enum NormalForm {
  /// Returns the letters and digits of a text with case, width and marks folded; of a text that has none, such as
  /// `!!!`, the folded text.
  public static func of(_ text: String) -> String {
    let folded = text.folded
    var plain = String.UnicodeScalarView()
    for scalar in folded.unicodeScalars where isLetterOrDigit(scalar) { plain.append(scalar) }
    return plain.isEmpty ? folded.trimmed : String(plain)
  }

  /// Returns a title without final parts that name a remaster, such as `(2011 Remaster)` or `- Remastered 2009`.
  public static func withoutRemaster(_ title: String) -> String {
    var rest = title.trimmed
    while let shorter = withoutLastRemaster(rest) { rest = shorter }
    return rest
  }

  /// Returns what stands before the last part in brackets or behind a dash, if that part names a remaster.
  private static func withoutLastRemaster(_ title: String) -> String? {
    let opening: Character? = title.hasSuffix(")") ? "(" : title.hasSuffix("]") ? "[" : nil
    let start: String.Index?
    if let opening {
      start = title.lastIndex(of: opening)
    } else {
      start = title.indices.last {
        title[$0] == "-" && title[..<$0].last == " " && title[$0...].dropFirst().first == " "
      }
    }
    guard let start, namesRemaster(title[start...]) else { return nil }
    let before = String(title[..<start]).trimmed
    return before.isEmpty ? nil : before
  }

  private static func namesRemaster(_ text: Substring) -> Bool {
    String(text).folded.split { !$0.isLetter }.contains { $0.hasPrefix("remaster") }
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (97...122).contains(scalar.value) || (48...57).contains(scalar.value) }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .spacingMark, .nonspacingMark:
      return true
    default: return false
    }
  }
}
