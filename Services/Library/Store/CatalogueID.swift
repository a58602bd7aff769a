import Model

/// What an id names, by its number in the store. Printed as `files:a12` for an album, `plex:t345` for a track,
/// `files:r7` for an artist, `plex:c3` for a collection and `plex:p4` for a playlist: short enough to be typed.
enum CatalogueID: Hashable {
  case album(Int64)
  case track(Int64)
  case artist(Int64)
  case collection(Int64)
  case playlist(Int64)

  /// Reads an id; nil where it can be none of ours. Whether there is such a row is for `Catalogue.shown` to say.
  init?<Kind>(_ id: ItemID<Kind>) {
    guard let kind = id.native.first, let number = Int64(id.native.dropFirst()), number > 0 else { return nil }
    switch kind {
    case "a": self = .album(number)
    case "t": self = .track(number)
    case "r": self = .artist(number)
    case "c": self = .collection(number)
    case "p": self = .playlist(number)
    default: return nil
    }
  }

  /// The id of an album.
  static func album(source: String, _ number: Int64) -> AlbumID { AlbumID(source: source, native: "a\(number)") }
  /// The id of a track.
  static func track(source: String, _ number: Int64) -> TrackID { TrackID(source: source, native: "t\(number)") }
  /// The id of an artist.
  static func artist(source: String, _ number: Int64) -> ArtistID { ArtistID(source: source, native: "r\(number)") }
  /// The id of a collection.
  static func collection(source: String, _ number: Int64) -> CollectionID {
    CollectionID(source: source, native: "c\(number)")
  }
  /// The id of a playlist.
  static func playlist(source: String, _ number: Int64) -> PlaylistID {
    PlaylistID(source: source, native: "p\(number)")
  }

  /// The refusal of an id that names nothing.
  static func unknown<Kind>(_ id: ItemID<Kind>) -> LunaraError {
    LunaraError(
      "library.unknownID", "There is no \(id) in the library. `lunara search WORDS` and `lunara albums` show what is.")
  }
}
