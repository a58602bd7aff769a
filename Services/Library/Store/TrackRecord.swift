import Model
import Storage

/// A track as a server shows it.
struct ServerTrack: Codable, Hashable, Sendable {
  var native: String
  /// The server's own id of its album.
  var album: String
  var title: String
  var titleSort: String?
  /// The track's own artist; nil where it is the album artist.
  var artist: String?
  var disc: Int = 1
  var number: Int?
  var year: Int?
  var genres: [String] = []
  var moods: [String] = []
  var duration: Milliseconds
  var guid: String?
  var recordingID: String?
  /// The MusicBrainz ids of its artists; nil where the server names none.
  var artistIDs: [String]?
  var isrc: String?
  var levels: Levels?
  var rating: Rating?
  /// The file on the server's disk, for finding it again after ids changed; nil where it is not told.
  var file: String?
  /// Names its audio for `MusicServer.stream`; nil where it cannot be had now.
  var part: String?
  /// The audio's ending in lower case: `flac`, `mp3`.
  var format: String?
  var addedAt: Timestamp?
  var lastPlayedAt: Timestamp?
  /// The number of plays that the server counted.
  var plays: Int?
  var section: String?
}

/// A track as one source describes it, and the row it is written to. A new column of tracks is added in this file and in
/// `Schema.swift`.
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
  /// The time at which the source took the track in.
  var addedAt: Timestamp
  /// The position of a new track in the search index, where that is known already.
  var place: Int64?
  var server = OfServer()

  /// The columns that only servers set.
  struct OfServer {
    var native: String?
    var guid: String?
    var file: String?
    var part: String?
    var section: String?
    var digest: Int64?
    var rating: Rating?
    var plays: Int?
    /// The time at which the server counted it last; what was heard here may be later.
    var heardAt = Timestamp(microseconds: 0)
  }
}

extension CatalogueWriter {
  /// Writes a track's row. The words by which it is found are written again only where they changed.
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

/// A track as it is shown.
extension Catalogue {
  /// The columns of a track `t` that is shown, on the album `a` that it is listed under, as `TrackRow` reads them.
  static let trackColumns = """
    t.source, t.id, a.id, t.title, t.artist, a.artist, a.title, t.disc, t.number, ifnull(t.year, a.year), t.genres,
    t.duration, t.recording, t.release, a.art, t.title_sort, ifnull(t.number, 1000000),
    a.source, t.rating, t.track_gain, t.track_peak, t.album_gain, t.album_peak, t.section,
    t.music_ids
    """
  /// The number of columns in `trackColumns`, for those that a query adds behind them.
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
      if let ids: String = try row.value(24) { track.apply(MusicIDs(packed: ids)) }
    }
  }
}

extension Track: SizedItem {
  var size: Int {
    genres.reduce(610) { $0 + PageBudget.size($1) + 1 } + PageBudget.size(title) + PageBudget.size(artist)
      + PageBudget.size(albumArtist) + PageBudget.size(album) + PageBudget.size(section) + PageBudget.size(recordingID)
      + PageBudget.size(releaseID) + PageBudget.size(releaseGroupID) + PageBudget.size(isrc)
      + (artistIDs ?? []).reduce(0) { $0 + PageBudget.size($1) + 3 }
  }
}

/// The ids of a track in public databases, beside its recording and release. The library does not use them; services
/// that listens are sent to do.
struct MusicIDs: Hashable, Sendable {
  /// The MusicBrainz ids of its artists, in their order.
  var artists: [String] = []
  /// The MusicBrainz id of its release group.
  var releaseGroup: String?
  /// Its International Standard Recording Code.
  var isrc: String?

  /// The most artists that are kept of one track.
  static let mostArtists = 16

  init(artists: [String] = [], releaseGroup: String? = nil, isrc: String? = nil) {
    self.artists = artists
    self.releaseGroup = releaseGroup
    self.isrc = isrc
  }

  /// All ids as one text for the column `music_ids`; nil where none is known.
  var packed: String? {
    self == MusicIDs()
      ? nil : TextList.packed([releaseGroup ?? "", isrc ?? ""] + artists)
  }

  /// Reads the text that `packed` gave.
  init(packed: String?) {
    let fields =
      packed?.utf8.split(separator: 0x1F, omittingEmptySubsequences: false).map { String(Substring($0)) } ?? []
    guard fields.count > 2 else { return }
    releaseGroup = fields[0].isEmpty ? nil : fields[0]
    isrc = fields[1].isEmpty ? nil : fields[1]
    artists = fields[2...].filter { !$0.isEmpty }
  }
}

extension Track {
  /// Sets the ids of public databases.
  mutating func apply(_ ids: MusicIDs) {
    artistIDs = ids.artists.isEmpty ? nil : ids.artists
    releaseGroupID = ids.releaseGroup
    isrc = ids.isrc
  }
}
