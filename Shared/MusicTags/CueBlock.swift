/// The block in FLAC files that says where the tracks of a disc begin, with the names that tags give to these.
///
/// A text holds it, as `lunara-tags` sends it: a line of the catalogue number, and of each track a line with its
/// number, its first sample, 1 for sound or 0 for data, and its ISRC. Lines of names follow, each with a letter, a
/// number and the name.
package struct CueBlock {
  /// The most tracks of a disc.
  package static let mostTracks = 99

  /// The names that tags can give to a track, with the letter of their lines.
  package enum Name: Character, Sendable {
    case title = "T"
    case performer = "P"
    case songwriter = "S"
    case isrc = "I"

    fileprivate init?(_ text: Substring) {
      switch text {
      case "TITLE": self = .title
      case "ARTIST", "PERFORMER": self = .performer
      case "COMPOSER", "SONGWRITER": self = .songwriter
      case "ISRC": self = .isrc
      default: return nil
      }
    }
  }

  /// The text of the block without names.
  private(set) var tracks = ""
  private var names: [String] = []

  mutating func set(_ tracks: String) { if self.tracks.isEmpty { self.tracks = tracks } }

  mutating func add(_ name: Name, of number: Int, _ value: String) {
    guard names.count < 4 * Self.mostTracks else { return }
    names.append("\(name.rawValue) \(number) \(value)")
  }

  /// The text of all; nil without a block.
  var text: String? { tracks.isEmpty ? nil : ([tracks] + names).joined(separator: "\n") }

  /// Reads the name of a property that names one track: `TITLE[3]`, as foobar2000 shows them, or `CUE_TRACK03_TITLE`,
  /// as it writes them.
  static func name(_ property: String) -> (name: Name, number: Int)? {
    let (name, number): (Substring, Int?)
    if property.hasSuffix("]"), let open = property.firstIndex(of: "[") {
      name = property[..<open]
      number = Int(property[property.index(after: open)...].dropLast())
    } else if property.hasPrefix("CUE_TRACK") {
      let rest = property.dropFirst("CUE_TRACK".count)
      guard let end = rest.firstIndex(of: "_") else { return nil }
      name = rest[rest.index(after: end)...]
      number = Int(rest[..<end])
    } else {
      return nil
    }
    guard let number, (1...Self.mostTracks).contains(number), let known = Name(name) else { return nil }
    return (known, number)
  }
}
