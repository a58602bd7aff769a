import Model
import Storage

/// A track as its source says it is: what the store keeps of it, apart from what is shown.
struct SourceTrack {
  /// The row of the album it is on.
  var album: Int64
  var title: String
  var titleSort: String
  /// The track's own artist, or the album artist.
  var artist: String
  var artistSort: String?
  var disc: Int
  var number: Int?
  var year: Int?
  var genres: [String] = []
  var moods: [String] = []
  var duration: Milliseconds
  var recording: String?
  var release: String?
  var ids = MusicIDs()
  var format: String?
  var isLossless = false
  var levels: Levels?
  var identity: TrackIdentity
  /// When the source took it in.
  var addedAt: Timestamp
  /// The place of a new track in the search index, where that is known already.
  var place: Int64?
  var server = OfServer()

  /// What only servers say.
  struct OfServer {
    var native: String?
    var guid: String?
    var file: String?
    var part: String?
    var section: String?
    var digest: Int64?
    var rating: Rating?
    var plays: Int?
    /// When the server counted it last; what was heard here may be later.
    var heardAt = Timestamp(microseconds: 0)
  }
}

extension CatalogueWriter {
  /// Writes a track's row; words by which it is found are written anew only where they are others.
  func write(_ track: SourceTrack, as number: Int64, isNew: Bool) throws {
    if !isNew {
      let before = try transaction.row(
        "SELECT title = ? AND title_sort = ? AND artist = ? AND artist_sort IS ?, identity FROM tracks WHERE id = ?",
        track.title, track.titleSort, track.artist, track.artistSort, number
      ) { (isSame: try $0.value(0) as Bool, identity: try $0.value(1) as Int64) }
      if before?.isSame != true { try reindex(track: number) }
      if let before { ratings.remember(track: number, before.identity) }
    }
    let server = track.server
    try transaction.execute(
      """
      INSERT INTO tracks (id, source, album, shelf, shown, title, title_sort, artist, artist_sort, disc, number, year,
        genres, moods, duration, recording, release, added_at, format, is_lossless, track_gain, track_peak, album_gain,
        album_peak, identity, native, guid, file, part, section, digest, own_rating, server_plays, heard_at, rating,
        played_at, music_ids, search_row)
      VALUES (?1, ?2, ?3, ?3, ?1, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
        ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?30, ?32, ?33, ?34)
      ON CONFLICT (id) DO UPDATE SET album = ?3, title = ?4, title_sort = ?5, artist = ?6, artist_sort = ?7, disc = ?8,
        number = ?9, year = ?10, genres = ?11, moods = ?12, duration = ?13, recording = ?14, release = ?15,
        format = ?17, is_lossless = ?18, track_gain = ?19, track_peak = ?20, album_gain = ?21, album_peak = ?22,
        identity = ?23, native = ?24, guid = ?25, file = ?26, part = ?27, section = ?28, digest = ?29,
        own_rating = ?30, server_plays = ?31, heard_at = max(heard_at, ?32), music_ids = ?33
      """,
      values: [
        .integer(number), .text(source), .integer(track.album), .text(track.title), .text(track.titleSort),
        .text(track.artist), SQLValue(track.artistSort), SQLValue(track.disc), SQLValue(track.number),
        SQLValue(track.year), .text(TextList.packed(track.genres)), .text(TextList.packed(track.moods)),
        SQLValue(track.duration), SQLValue(track.recording), SQLValue(track.release), SQLValue(track.addedAt),
        SQLValue(track.format), SQLValue(track.isLossless), SQLValue(track.levels?.trackGain),
        SQLValue(track.levels?.trackPeak), SQLValue(track.levels?.albumGain), SQLValue(track.levels?.albumPeak),
        .integer(track.identity.hash64), SQLValue(server.native), SQLValue(server.guid), SQLValue(server.file),
        SQLValue(server.part), SQLValue(server.section), SQLValue(server.digest), SQLValue(server.rating),
        SQLValue(server.plays), SQLValue(server.heardAt), SQLValue(track.ids.packed),
        SQLValue(track.place),
      ])
  }
}
