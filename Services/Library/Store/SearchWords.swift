import Model
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

  /// Returns the words of a new track of a music folder, as `columns` gives them for its row.
  static func track(
    title: String, artist: String, albumArtist: String, artistSort: String?, _ details: TaggedDetails
  ) -> String {
    let owner = albumArtist == VariousArtists.name ? nil : albumArtist
    let credited = details.credits.filter { $0.role == .artist || $0.role == .composer }.map(\.artist.name)
    return SearchText.indexed(
      [title, artist, owner, artistSort] + credited + [details.work?.title, details.work?.movement])
  }
}
