import Model
import Storage

/// The item that an id names, by its number in the store. Printed as `files:a12` for an album, `plex:t345` for a track,
/// `files:r7` for an artist, `plex:c3` for a collection and `plex:p4` for a playlist: short enough to be typed.
enum CatalogueID: Hashable {
  case album(Int64)
  case track(Int64)
  case artist(Int64)
  case collection(Int64)
  case playlist(Int64)

  /// Reads an id; nil where it has another form. `Catalogue.resolve` checks that there is such a row.
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

  /// Returns the id of an album.
  static func album(source: String, _ number: Int64) -> AlbumID { AlbumID(source: source, native: "a\(number)") }
  /// Returns the id of a track.
  static func track(source: String, _ number: Int64) -> TrackID { TrackID(source: source, native: "t\(number)") }
  /// Returns the id of an artist.
  static func artist(source: String, _ number: Int64) -> ArtistID { ArtistID(source: source, native: "r\(number)") }
  /// Returns the id of a collection.
  static func collection(source: String, _ number: Int64) -> CollectionID {
    CollectionID(source: source, native: "c\(number)")
  }
  /// Returns the id of a playlist.
  static func playlist(source: String, _ number: Int64) -> PlaylistID {
    PlaylistID(source: source, native: "p\(number)")
  }

  /// Returns the error for an id that names nothing.
  static func unknown<Kind>(_ id: ItemID<Kind>) -> LunaraError {
    LunaraError(
      "library.unknownID", "There is no \(id) in the library. `lunara search WORDS` and `lunara albums` show what is.")
  }
}

/// The item that is shown for an id. The id may be that of any member of an album, of any copy of a track, of a row that
/// was removed while another copy stays, or a server's own.
extension Catalogue {
  /// Returns the item that is shown for an id; nil where the id names nothing.
  static func resolve<Kind>(_ id: ItemID<Kind>, _ transaction: ReadTransaction) throws -> CatalogueID? {
    if let known = CatalogueID(id), let shown = try resolve(known, of: id.source, transaction) { return shown }
    return try resolve(native: id.native, of: id.source, transaction)
  }

  /// Returns the number of the album that is shown for an id.
  ///
  /// - Throws: `library.unknownID`.
  static func resolveAlbum<Kind>(_ id: ItemID<Kind>, _ transaction: ReadTransaction) throws -> Int64 {
    guard case .album(let number)? = try resolve(id, transaction) else { throw CatalogueID.unknown(id) }
    return number
  }

  /// Returns the number of the track that is shown for an id.
  ///
  /// - Throws: `library.unknownID`.
  static func resolveTrack<Kind>(_ id: ItemID<Kind>, _ transaction: ReadTransaction) throws -> Int64 {
    guard case .track(let number)? = try resolve(id, transaction) else { throw CatalogueID.unknown(id) }
    return number
  }

  private static func resolve(
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

  /// Returns the item that a server's own id names. In Plex all kinds share one range of ids; elsewhere an album goes
  /// before a track of the same id.
  private static func resolve(
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
