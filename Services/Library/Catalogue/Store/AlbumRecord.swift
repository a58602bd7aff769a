import Messages
package import Model
import MusicTags
import Records
import Storage
import Text

extension CatalogueWriter {
  /// Inserts or updates the row of an album; for a server's album also its tags. For an album of files, an existing row
  /// keeps its picture and its time of arrival. `artists` are the names in the album artist one by one; nil for
  /// a single one.
  func write(
    _ album: ServerAlbum, by artists: [TaggedArtist]? = nil, key: String, as number: Int64, isNew: Bool = false,
    digest: Int64? = nil
  ) throws {
    let artistSort = album.artistSort ?? album.artist
    let artists = artists ?? [TaggedArtist(name: album.artist, sort: artistSort)]
    let arrival: [Column] = [("arrived_at", SQLValue(album.addedAt)), ("own_art", SQLValue(album.art))]
    let initial: [Column] = [
      ("id", .integer(number)), ("source", .text(source)), ("added_at", SQLValue(album.addedAt)), ("genres", .text("")),
      ("tracks", .integer(0)), ("duration", .integer(0)),
    ]
    let columns: [Column] = [
      ("key", .text(album.native)), ("merge_key", .text(key)), ("title", .text(album.title)),
      ("title_sort", .text(album.titleSort ?? album.title)), ("artist", .text(album.artist)),
      ("artist_sort", .text(artistSort)),
      ("artist_id", SQLValue(try artists.first.map(self.number))), ("year", SQLValue(album.year)),
      ("own_release", .text((album.tags ?? ReleaseTags(date: album.year.flatMap { PartialDate(year: $0) })).packed)),
      ("guid", SQLValue(album.guid)), ("release", SQLValue(album.releaseID)), ("section", SQLValue(album.section)),
      ("digest", SQLValue(digest)), ("own_rating", SQLValue(album.rating)),
      ("heard_at", SQLValue(album.lastPlayedAt ?? Timestamp(microseconds: 0))),
    ]
    let isOfFiles = source == MusicFolders.source
    try write(
      "albums", isOfFiles ? columns : columns + arrival, initially: isOfFiles ? initial + arrival : initial,
      isNew: isNew)
    touch(key)
    try write(artists, ofAlbum: number, isNew: isNew)
    guard !isOfFiles else { return }
    for (kind, names) in [(Library.Tag.Kind.genre, album.genres), (.mood, album.moods), (.style, album.styles)] {
      try AlbumTags.write(names, kind, of: number, transaction)
    }
  }

  /// Prepares the row of an album for new names and a new merge key: marks the old artist, key, ratings and search
  /// entries for an update. Returns the former values; nil where names and key do not change.
  func leave(_ number: Int64, for album: ServerAlbum, key: String) throws -> Former? {
    let former = try transaction.row(
      """
      SELECT merge_key, artist, (title, title_sort, artist, artist_sort) <> (?, ?, ?, ?), artist_id FROM albums
      WHERE id = ?
      """, album.title, album.titleSort, album.artist, album.artistSort, number
    ) {
      (
        Former(key: try $0.value(0), artist: try $0.value(1), isRenamed: try $0.value(2)),
        artist: try $0.value(3) as Int64
      )
    }
    guard let (former, artist) = former, former.isRenamed || former.key != key else { return nil }
    artists.touch(artist)
    touch(former.key)
    ratings.remember(album: number, former.key, artist: artist)
    if former.isRenamed { try reindex(album: number, withTracks: former.artist != album.artist) }
    return former
  }

  struct Former {
    var key: String
    var artist: String
    /// True if one of the names changes.
    var isRenamed: Bool
  }
}

/// An album as it is shown.
extension Catalogue {
  /// The columns of an album `a` that is shown, as `album(_:)` reads them.
  static let albumColumns = """
    a.source || ':a' || a.id, a.title, a.artist, (SELECT source || ':r' || id FROM artists WHERE id = a.artist_id),
    a.year, a.genres, a.tracks, a.duration, a.added_at, nullif(a.played_at, 0), a.art, a.rating,
    \(ArtIndex.paletteColumn), a.date, a.original_date, a.edition, a.types, a.quality, nullif(a.editions, 1),
    \(folderColumn)
    """

  /// The folder of the first track, where the album shares artist, title and year with another one.
  private static let folderColumn = """
    CASE WHEN EXISTS (SELECT 1 FROM albums o WHERE o.artist_id = a.artist_id AND o.year IS a.year
      AND o.title_sort = a.title_sort AND o.id <> a.id AND o.shelf = o.id)
    THEN (SELECT d.path FROM tracks t JOIN files f ON f.track = t.id JOIN folders d ON d.id = f.folder
      WHERE t.shelf = a.id LIMIT 1) END
    """

  static func album(_ row: borrowing Row) throws -> Album {
    var album = Album(
      id: try row.value(0), title: try row.value(1), artist: try row.value(2), artistID: try row.value(3),
      year: try row.value(4), genres: TextList.unpacked(try row.value(5)), trackCount: try row.value(6),
      duration: try row.value(7), addedAt: try row.value(8), lastPlayedAt: try row.value(9), art: try row.value(10),
      rating: try row.value(11), palette: ArtIndex.palette(try row.value(12)))
    album.date = try date(row.value(13))
    album.originalDate = try date(row.value(14))
    album.edition = try row.value(15)
    let types = ReleaseType.unpacked(try row.value(16))
    album.types = types.isEmpty ? nil : types
    album.quality = try row.value(17)
    album.editionCount = try row.value(18)
    album.folder = (try row.value(19) as [UInt8]?).map {
      LocalPath(bytes: AlbumGrouping.shownFolder(of: $0)).description
    }
    return album
  }

  private static func date(_ text: String?) -> PartialDate? { text.flatMap(PartialDate.init(_:)) }
}

extension Album: SizedItem {
  package var size: Int {
    520 + PageBudget.size(genres) + PageBudget.size(title) + PageBudget.size(artist) + PageBudget.size(edition)
      + PageBudget.size(quality) + PageBudget.size(folder) + 12 * (types?.count ?? 0)
  }
}
