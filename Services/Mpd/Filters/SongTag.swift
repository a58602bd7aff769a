import Text

/// The tags of songs, with their names in the protocol.
enum SongTag: String, CaseIterable, Sendable {
  case artist = "Artist"
  case album = "Album"
  case albumArtist = "AlbumArtist"
  case title = "Title"
  case track = "Track"
  case genre = "Genre"
  case date = "Date"
  case composer = "Composer"
  case work = "Work"
  case disc = "Disc"
  case artistID = "MUSICBRAINZ_ARTISTID"
  case albumID = "MUSICBRAINZ_ALBUMID"
  case recordingID = "MUSICBRAINZ_TRACKID"

  /// Reads a name, whatever its case.
  init?(name: String) {
    guard let tag = Self.byName[name.asciiLowercase] else { return nil }
    self = tag
  }

  private static let byName = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue.asciiLowercase, $0) })
}

extension String {
  /// The text with its ASCII letters in lower case.
  var asciiLowercase: String {
    String(decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }
}
