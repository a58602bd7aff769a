import Model

/// The block in FLAC files that says where the tracks of a disc begin, with the names that tags give to these.
///
/// A text holds it, as `lunara-tags` sends it: a line of the catalogue number, and of each track a line with its
/// number, its first sample, 1 for sound or 0 for data, and its ISRC. Lines of names follow, each with a letter, a
/// number and the name.
struct CueBlock {
  /// The names that tags can give to a track, with the letter of their lines.
  enum Name: Character, Sendable {
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
    guard names.count < 4 * CueSheet.mostTracks else { return }
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
    guard let number, (1...CueSheet.mostTracks).contains(number), let known = Name(name) else { return nil }
    return (known, number)
  }
}

extension CueSheet {
  /// Reads the text of a block. Returns nil where it is none, or its tracks are not in their order.
  init?(block: String) {
    self.init()
    let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
    files = [""]
    catalogue = lines.first.flatMap { $0.isEmpty || $0.allSatisfy { $0 == "0" } ? nil : String($0) }
    for (index, line) in lines.enumerated().dropFirst() {
      let words = line.split(separator: " ", maxSplits: 3)
      if words.count > 2, let number = Int(words[0]), let start = Int64(words[1]) {
        guard start > tracks.last?.startSample ?? -1, (1...Self.mostTracks).contains(number),
          !tracks.contains(where: { $0.number == number })
        else { return nil }
        tracks.append(
          Track(
            number: number, file: "", fileIndex: 0, start: 0, startSample: start, line: index + 1,
            isAudio: words[2] == "1", isrc: words.count > 3 ? String(words[3]) : nil))
      } else if let name = words.first?.first.flatMap(CueBlock.Name.init(rawValue:)) {
        let parts = line.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let track = tracks.firstIndex(where: { $0.number == Int(parts[1]) }) else { continue }
        set(name, of: track, String(parts[2]))
      }
    }
    guard tracks.count > 1 else { return nil }
  }

  /// Sets a name, of which the first value counts.
  private mutating func set(_ name: CueBlock.Name, of track: Int, _ value: String) {
    let path: WritableKeyPath<Track, String?> =
      switch name {
      case .title: \.title
      case .performer: \.performer
      case .songwriter: \.songwriter
      case .isrc: \.isrc
      }
    if tracks[track][keyPath: path] == nil { tracks[track][keyPath: path] = value }
  }
}
