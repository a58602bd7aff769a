import Text

/// Makes tags out of the names and values that a file holds, in the order in which it holds them.
struct TagInterpretation {
  private var tags = FileTags()
  private var artists: [String] = []
  private var albumArtists: [String] = []
  private var levels = LevelTags()

  private static let longestText = 1000
  private static let mostGenres = 16

  /// Takes one value.
  mutating func add(_ field: TagField, _ value: UnsafeBufferPointer<UInt8>) {
    switch field {
    case .disc: tags.disc = tags.disc ?? Self.number(value)
    case .number: tags.number = tags.number ?? Self.number(value)
    case .date: tags.year = tags.year ?? Self.year(value)
    case .compilation: tags.isCompilation = value.first == UInt8(ascii: "1")
    case .trackGain, .trackPeak, .albumGain, .albumPeak, .trackR128, .albumR128, .reference: levels.add(field, value)
    default: if let text = Self.text(value) { add(field, text) }
    }
  }

  private mutating func add(_ field: TagField, _ text: String) {
    switch field {
    case .title: tags.title = tags.title ?? text
    case .titleSort: tags.titleSort = tags.titleSort ?? text
    case .artist: artists.append(text)
    case .artistSort: tags.artistSort = tags.artistSort ?? text
    case .album: tags.album = tags.album ?? text
    case .albumSort: tags.albumSort = tags.albumSort ?? text
    case .albumArtist: albumArtists.append(text)
    case .albumArtistSort: tags.albumArtistSort = tags.albumArtistSort ?? text
    case .genre: addGenres(text)
    case .recording: tags.recordingID = tags.recordingID ?? text
    case .release: tags.releaseID = tags.releaseID ?? text
    case .releaseGroup: tags.releaseGroupID = tags.releaseGroupID ?? text
    case .artistID:
      for id in Self.ids(text) where tags.artistIDs.count < MusicIDs.mostArtists { tags.artistIDs.append(id) }
      tags.artistID = tags.artistIDs.first
    case .isrc: tags.isrc = tags.isrc ?? text
    case .albumArtistID: tags.albumArtistID = tags.albumArtistID ?? Self.ids(text).first
    case .disc, .number, .date, .compilation, .trackGain, .trackPeak, .albumGain, .albumPeak, .trackR128, .albumR128,
      .reference:
      break
    }
  }

  private mutating func addGenres(_ text: String) {
    for part in text.split(separator: ";") where tags.genres.count < Self.mostGenres {
      let genre = String(part).trimmed
      if !genre.isEmpty, !tags.genres.contains(where: { $0.caseFolded == genre.caseFolded }) {
        tags.genres.append(genre)
      }
    }
  }

  /// The tags once all values were taken.
  consuming func finished() -> FileTags {
    tags.levels = levels.finished()
    // "Various Artists" is nobody: it never made a track.
    let own = artists.filter { !VariousArtists.isMeant(by: $0) }
    tags.artist = own.isEmpty ? nil : own.joined(separator: ", ")
    tags.firstArtist = own.first.map(VariousArtists.withoutGuests)
    if albumArtists.contains(where: VariousArtists.isMeant) {
      tags.albumArtist = VariousArtists.name
      tags.albumArtistSort = nil
    } else if !albumArtists.isEmpty {
      tags.albumArtist = albumArtists.joined(separator: ", ")
    }
    return tags
  }

  /// A value as text in its normal form; nil where nothing is left of it.
  static func text(_ value: UnsafeBufferPointer<UInt8>) -> String? {
    // Control characters would break the lines and lists that the text goes into.
    let isClean = !value.contains { $0 < 32 }
    var text =
      isClean ? String(decoding: value, as: UTF8.self) : String(decoding: value.map { max($0, 32) }, as: UTF8.self)
    text = text.trimmed
    if text.utf8.count > longestText { text = String(text.unicodeScalars.prefix(longestText)) }
    return text.isEmpty ? nil : text.normalised
  }

  /// The ids in one value, which ID3v2.3 has several in.
  private static func ids(_ text: String) -> [String] {
    text.split(whereSeparator: { "/;, ".contains($0) }).map(String.init)
  }

  /// The first number of `3`, `03` and `3/12`; nil for anything else and for zero.
  static func number(_ value: UnsafeBufferPointer<UInt8>) -> Int? {
    var number = 0
    for byte in value.drop(while: { $0 == 32 }) {
      guard (48...57).contains(byte) else {
        guard byte == UInt8(ascii: "/") || byte == 32 || byte == UInt8(ascii: ".") else { return nil }
        break
      }
      number = number * 10 + Int(byte - 48)
      if number > 99_999 { return nil }
    }
    return number > 0 ? number : nil
  }

  /// The first four digits in a row that can be a year: `1999`, `1999-05-01`, `19990501`, `5 May 1999`.
  static func year(_ value: UnsafeBufferPointer<UInt8>) -> Int? {
    var digits = 0
    var number = 0
    for byte in value {
      if (48...57).contains(byte) {
        digits += 1
        number = number * 10 + Int(byte - 48)
        if digits == 4 { return (1000...2999).contains(number) ? number : nil }
      } else {
        digits = 0
        number = 0
      }
    }
    return nil
  }
}
