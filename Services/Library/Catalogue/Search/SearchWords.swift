import Model
import MusicTags
import Records
import Text

/// The texts by which the items of each kind are found. No other code makes words of the search index.
enum SearchWords {
  /// Returns the texts of an item of a kind as columns of a query on the table of the kind.
  static func columns(of kind: CatalogueID.Kind) -> [String] {
    switch kind {
    case .artist:
      ["name", "sort", "(SELECT group_concat(name, ' ') FROM artist_names WHERE artist = artists.id)"]
    case .album:
      [
        "title", "artist", "artist_sort",
        "(SELECT group_concat(name, ' ') FROM album_artists WHERE album = albums.id)",
        // The composers (2) of its tracks.
        """
        (SELECT group_concat(DISTINCT c.name) FROM tracks t JOIN credits c ON c.track = t.id
        WHERE t.album = albums.id AND c.role = 2)
        """,
      ]
    case .track:
      [
        "title", "artist",
        "nullif((SELECT artist FROM albums WHERE id = tracks.shelf), '\(VariousArtists.name)')", "artist_sort",
        // The artists (0) and composers (2) that `CreditRole.number` has.
        "(SELECT group_concat(name, ' ') FROM credits WHERE track = tracks.id AND role IN (0, 2))",
        """
        (SELECT w.title || ' ' || ifnull(x.movement, '') FROM track_works x JOIN works w ON w.id = x.work
        WHERE x.track = tracks.id)
        """,
      ]
    case .collection, .playlist: ["title"]
    }
  }
}
