import Model
import Storage

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

/// What an id leads to: any member's, any copy's, that of one that is gone while another stays, and a server's own.
extension Catalogue {
  /// The row that is shown for an id; nil where the id names nothing.
  static func shown<Kind>(_ id: ItemID<Kind>, _ transaction: ReadTransaction) throws -> CatalogueID? {
    if let known = CatalogueID(id), let shown = try shown(known, of: id.source, transaction) { return shown }
    return try shown(native: id.native, of: id.source, transaction)
  }

  /// The album that is shown for an id.
  ///
  /// - Throws: `library.unknownID`.
  static func shownAlbum<Kind>(_ id: ItemID<Kind>, _ transaction: ReadTransaction) throws -> Int64 {
    guard case .album(let number)? = try shown(id, transaction) else { throw CatalogueID.unknown(id) }
    return number
  }

  /// The track that is shown for an id.
  ///
  /// - Throws: `library.unknownID`.
  static func shownTrack<Kind>(_ id: ItemID<Kind>, _ transaction: ReadTransaction) throws -> Int64 {
    guard case .track(let number)? = try shown(id, transaction) else { throw CatalogueID.unknown(id) }
    return number
  }

  private static func shown(
    _ id: CatalogueID, of source: String, _ transaction: ReadTransaction
  ) throws -> CatalogueID? {
    func number(_ sql: String, _ values: any SQLBindable...) throws -> Int64? {
      switch values.count {
      case 1: try transaction.row(sql, values[0]) { try $0.value(0) }
      default: try transaction.row(sql, values[0], values[1]) { try $0.value(0) }
      }
    }
    func heir(_ kind: SearchIndex.Kind, of gone: Int64) throws -> Int64? {
      try number("SELECT heir FROM heirs WHERE kind = ? AND number = ?", kind.rawValue, gone)
    }
    switch id {
    case .album(let album):
      if let shown = try number("SELECT shelf FROM albums WHERE id = ? AND source = ?", album, source) {
        return .album(shown)
      }
      return try heir(.album, of: album).flatMap { try number("SELECT shelf FROM albums WHERE id = ?", $0) }
        .map { .album($0) }
    case .track(let track):
      if let shown = try number("SELECT shown FROM tracks WHERE id = ? AND source = ?", track, source) {
        return .track(shown)
      }
      return try heir(.track, of: track).flatMap { try number("SELECT shown FROM tracks WHERE id = ?", $0) }
        .map { .track($0) }
    case .artist(let artist):
      return try number("SELECT id FROM artists WHERE id = ? AND source = ?", artist, source).map { .artist($0) }
    case .collection(let collection):
      return try number("SELECT id FROM collections WHERE id = ? AND source = ?", collection, source)
        .map { .collection($0) }
    case .playlist(let playlist):
      return try number("SELECT id FROM playlists WHERE id = ? AND source = ?", playlist, source)
        .map { .playlist($0) }
    }
  }

  /// What a server's own id names. The kinds share one range of ids in Plex; elsewhere albums go first.
  private static func shown(
    native: String, of source: String, _ transaction: ReadTransaction
  ) throws -> CatalogueID? {
    func number(_ sql: String) throws -> Int64? { try transaction.row(sql, source, native) { try $0.value(0) } }
    // An album of a folder has a key that is no id.
    if source == FilesSource.name { return nil }
    if let album = try number("SELECT shelf FROM albums WHERE source = ? AND key = ?") { return .album(album) }
    if let track = try number("SELECT shown FROM tracks WHERE source = ? AND native = ?") { return .track(track) }
    if let artist = try number(
      "SELECT r.id FROM artist_members m JOIN artists r ON r.key = m.key WHERE m.source = ? AND m.native = ?")
    {
      return .artist(artist)
    }
    if let collection = try number("SELECT id FROM collections WHERE source = ? AND native = ?") {
      return .collection(collection)
    }
    return try number("SELECT id FROM playlists WHERE source = ? AND native = ?").map { .playlist($0) }
  }
}
