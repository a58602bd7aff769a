import Model
import Storage

/// Rows as the values that surfaces show.
extension Catalogue {
  static let albumColumns = """
    a.source, a.id, a.title, a.artist, a.artist_id, a.year, a.genres, a.tracks, a.duration, a.added_at, a.played_at,
    a.art, a.artist_sort, a.title_sort, a.year_order, a.rating, (SELECT source FROM artists WHERE id = a.artist_id),
    \(ArtIndex.paletteColumn)
    """

  /// An album with the values it is sorted by.
  struct AlbumRow {
    var album: Album
    var number: Int64
    var artistSort: String
    var titleSort: String
    var yearOrder: Int64
    var addedAt: Int64
    var playedAt: Int64

    /// Reads `albumColumns`.
    init(_ row: borrowing Row) throws {
      let source: String = try row.value(0)
      number = try row.value(1)
      addedAt = try row.value(9)
      playedAt = try row.value(10)
      artistSort = try row.value(12)
      titleSort = try row.value(13)
      yearOrder = try row.value(14)
      album = Album(
        id: CatalogueID.album(source: source, number), title: try row.value(2), artist: try row.value(3),
        artistID: CatalogueID.artist(source: try row.value(16), try row.value(4)), year: try row.value(5),
        genres: TextList.unpacked(try row.value(6)), trackCount: try row.value(7), duration: try row.value(8),
        addedAt: Timestamp(microseconds: addedAt),
        lastPlayedAt: playedAt > 0 ? Timestamp(microseconds: playedAt) : nil, art: try row.value(11),
        rating: try row.value(15), palette: ArtIndex.palette(try row.value(17)))
    }
  }

  static let artistColumns = "r.source, r.id, r.name, r.albums, r.sort, r.art"

  /// Reads `artistColumns`.
  static func artist(_ row: borrowing Row) throws -> (artist: Artist, number: Int64, sort: String) {
    let (source, number): (String, Int64) = (try row.value(0), try row.value(1))
    let artist = Artist(
      id: CatalogueID.artist(source: source, number), name: try row.value(2), albumCount: try row.value(3),
      art: try row.value(5))
    return (artist, number, try row.value(4))
  }

  /// Of a track that is shown, `t`, on the album it is listed under, `a`.
  static let trackColumns = """
    t.source, t.id, a.id, t.title, t.artist, a.artist, a.title, t.disc, t.number, ifnull(t.year, a.year), t.genres,
    t.duration, t.recording, t.release, a.art, t.title_sort, ifnull(t.number, 1000000),
    a.source, t.rating, t.track_gain, t.track_peak, t.album_gain, t.album_peak, t.section,
    t.music_ids
    """
  /// How many columns `trackColumns` has, for those that come after it.
  static let trackColumnCount = 25

  /// A track with the values it is sorted by within its album.
  struct TrackRow {
    var track: Track
    var number: Int64
    var titleSort: String
    var place: Int64

    /// Reads `trackColumns`.
    init(_ row: borrowing Row) throws {
      let source: String = try row.value(0)
      number = try row.value(1)
      titleSort = try row.value(15)
      place = try row.value(16)
      let levels = Levels(
        trackGain: try row.value(19), trackPeak: try row.value(20), albumGain: try row.value(21),
        albumPeak: try row.value(22))
      track = Track(
        id: CatalogueID.track(source: source, number),
        albumID: CatalogueID.album(source: try row.value(17), try row.value(2)),
        title: try row.value(3), artist: try row.value(4), albumArtist: try row.value(5), album: try row.value(6),
        disc: try row.value(7), number: try row.value(8), year: try row.value(9),
        genres: TextList.unpacked(try row.value(10)), duration: try row.value(11), recordingID: try row.value(12),
        releaseID: try row.value(13), art: try row.value(14), rating: try row.value(18),
        levels: levels.isEmpty ? nil : levels, section: try row.value(23))
      if let ids: String = try row.value(24) { track.take(MusicIDs(packed: ids)) }
    }
  }
}
