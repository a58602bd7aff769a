import Text

/// A property of tracks that rules compare, by its name in files of rules.
package enum RuleField: String, CaseIterable, Sendable {
  case title, album, artist, albumArtist = "albumartist", genre, year, date, rating, playCount = "playcount"
  case lastPlayed = "lastplayed", dateAdded = "dateadded", duration, bitRate = "bitrate", filePath = "filepath"
  case fileType = "filetype", style, mood, label, work, composer, conductor, performer, folder, source, format
  case sampleRate = "samplerate", bitDepth = "bitdepth", trackNumber = "tracknumber", discNumber = "discnumber"
  case skips, playlist = "id"

  /// The kinds of values.
  package enum Kind: Sendable {
    case text, number, time, playlist
  }

  /// The kind of the field's values.
  package var kind: Kind {
    switch self {
    case .year, .rating, .playCount, .skips, .duration, .bitRate, .sampleRate, .bitDepth, .trackNumber, .discNumber:
      .number
    case .lastPlayed, .dateAdded: .time
    case .playlist: .playlist
    default: .text
    }
  }

  /// The fields that rules of other programs have, and that come with likes of people.
  static let later: Set = ["loved", "dateloved", "liked", "note", "notes"]

  /// Finds a field by its name, in any case, and by `added`, the short name of `dateadded`.
  init?(name: String) {
    let name = name.folded
    guard let field = RuleField(rawValue: name == "added" ? "dateadded" : name) else { return nil }
    self = field
  }
}

/// A comparison of a field with a value, by its name in files of rules.
package enum RuleOperator: String, CaseIterable, Sendable {
  case `is`, isNot, gt, lt, contains, notContains, startsWith, endsWith, inTheRange, before, after, inTheLast
  case notInTheLast, inPlaylist, notInPlaylist

  /// Finds an operator by its name, in any case.
  init?(name: String) {
    let name = name.folded
    guard let found = Self.allCases.first(where: { $0.rawValue.folded == name }) else { return nil }
    self = found
  }

  /// True if values of a kind can be compared so.
  func fits(_ kind: RuleField.Kind) -> Bool {
    switch self {
    case .is, .isNot: kind == .text || kind == .number
    case .gt, .lt: kind == .number
    case .contains, .notContains, .startsWith, .endsWith: kind == .text
    case .inTheRange: kind == .number || kind == .time
    case .before, .after, .inTheLast, .notInTheLast: kind == .time
    case .inPlaylist, .notInPlaylist: kind == .playlist
    }
  }
}
