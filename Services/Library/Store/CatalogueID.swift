import Model

/// What an id names, by its number in the store. Printed as `files:a12` for an album, `files:t345` for a track and
/// `files:r7` for an artist: short enough to be typed.
enum CatalogueID: Hashable {
  case album(Int64)
  case track(Int64)
  case artist(Int64)

  /// Reads an id; nil where it can be none of ours.
  init?<Kind>(_ id: ItemID<Kind>) {
    guard id.source == FilesSource.name, let kind = id.native.first, let number = Int64(id.native.dropFirst()),
      number > 0
    else { return nil }
    switch kind {
    case "a": self = .album(number)
    case "t": self = .track(number)
    case "r": self = .artist(number)
    default: return nil
    }
  }

  /// The id of an album.
  static func album(source: String, _ number: Int64) -> AlbumID { AlbumID(source: source, native: "a\(number)") }
  /// The id of a track.
  static func track(source: String, _ number: Int64) -> TrackID { TrackID(source: source, native: "t\(number)") }
  /// The id of an artist.
  static func artist(source: String, _ number: Int64) -> ArtistID { ArtistID(source: source, native: "r\(number)") }

  /// The refusal of an id that names nothing.
  static func unknown<Kind>(_ id: ItemID<Kind>) -> LunaraError {
    LunaraError(
      "library.unknownID", "There is no \(id) in the library. `lunara search WORDS` and `lunara albums` show what is.")
  }
}
