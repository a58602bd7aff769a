import Messages
import Model
import Storage

/// Which listens a question is about, as the rows of the tracks that were heard.
///
/// A track is all its copies and what led to them before; an album all its members' tracks, also those that are gone.
struct PlayScope {
  /// SQL that gives the ids of `listen_tracks`; nil where every track is meant. `?1` is `number`.
  let tracks: String?
  /// The number of the track, album or artist.
  let number: Int64?

  /// Reads the part of a filter that names music; where it names several things, the narrowest counts.
  ///
  /// - Throws: `library.unknownID`.
  init(_ filter: Library.PlayFilter, _ transaction: ReadTransaction) throws {
    if let track = filter.track {
      number = try Catalogue.resolveTrack(track, transaction)
      tracks = Self.listened("SELECT id FROM tracks WHERE id = ?1 OR (shown = ?1 AND shown <> id)", albums: nil)
    } else if let album = filter.album {
      number = try Catalogue.resolveAlbum(album, transaction)
      tracks = Self.listened(
        "SELECT t.id FROM albums a JOIN tracks t ON t.album = a.id WHERE a.shelf = ?1",
        albums: "SELECT id FROM albums WHERE shelf = ?1")
    } else if let artist = filter.artist {
      guard case .artist(let found)? = try Catalogue.resolve(artist, transaction) else {
        throw CatalogueID.unknown(artist)
      }
      number = found
      let albums = "SELECT a.id FROM albums s JOIN albums a ON a.shelf = s.id WHERE s.artist_id = ?1 AND s.shelf = s.id"
      tracks = Self.listened("SELECT id FROM tracks WHERE album IN (\(albums))", albums: albums)
    } else {
      (tracks, number) = (nil, nil)
    }
  }

  private static func listened(_ tracks: String, albums: String?) -> String {
    let own = """
      SELECT h.id FROM listen_tracks h WHERE h.number IN
        (\(tracks) UNION SELECT number FROM heirs WHERE kind = 3 AND heir IN (\(tracks)))
      """
    guard let albums else { return own }
    return """
      \(own) UNION SELECT h.id FROM listen_tracks h WHERE h.album IN (\(albums))
        AND NOT EXISTS (SELECT 1 FROM tracks t WHERE t.id = h.number)
      """
  }
}
