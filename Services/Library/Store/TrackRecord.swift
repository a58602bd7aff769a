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
  var ids = MusicIDs()
  var levels: Levels?
  var rating: Rating?
  /// The path on the server's disk, by which the track is found again after the server's ids changed; nil if unknown.
  var file: String?
  /// The server's reference to the audio, for `MusicServer.stream`; nil where there is no audio now.
  var part: String?
  /// The audio's ending in lower case: `flac`, `mp3`.
  var format: String?
  var audio = AudioProperties()
  var addedAt: Timestamp?
  var lastPlayedAt: Timestamp?
  /// The numbers that the server gives; nil where it gives none.
  var counts: Counts?
  var section: String?
  /// True where the server did not give its details, such as moods and loudness: a track that is known stays as it is.
  var isPartial: Bool?

  struct Counts: Codable, Hashable, Sendable {
    /// The number of plays that the server counted.
    var plays: Int?
    /// The number of listeners at Last.fm, which Plex gives.
    var listeners: Int?
  }
}

extension ServerTrack {
  /// True if its audio is lossless by its codec, or by its ending where the codec is unknown.
  var isLossless: Bool {
    (audio.codec ?? format.flatMap(AudioFormat.codec)).map(AudioFormat.isLossless) ?? false
  }
}

/// A track as one source describes it, as it is written to its row. A new column of tracks is added in this file and in
/// `Schema.swift`.
struct SourceTrack {
  var album: Int64
  var title: String
  var titleSort: String
  /// The track's own artist, or the album artist.
  var artist: String
  var artistSort: String?
  var disc: Int
  var number: Int?
  /// The number as the tag writes it where it names the side of a record.
  var numberText: String?
  var year: Int?
  var genres: [String] = []
  var moods: [String] = []
  var duration: Milliseconds
  var recording: String?
  var release: String?
  var ids = MusicIDs()
  var format: String?
  var isLossless = false
  var audio = AudioProperties()
  var levels: Levels?
  var identity: TrackIdentity
  var details = TaggedDetails()
  /// The time at which the source added the track.
  var addedAt: Timestamp
  var server = ServerColumns()

  /// The columns that only servers set.
  struct ServerColumns {
    var native: String?
    var guid: String?
    var file: String?
    var part: String?
    var section: String?
    var digest: Int64?
    var rating: Rating?
    var plays: Int?
    var listeners: Int?
    /// The time of the last play that the server counted; a listen in Lunara may be later.
    var heardAt = Timestamp(microseconds: 0)
  }
}

extension CatalogueWriter {
  /// Inserts or updates a track's row. Its search entry is written again only if its words changed.
  func write(_ track: SourceTrack, as number: Int64, isNew: Bool) throws {
    if !isNew {
      let before = try transaction.row(
        "SELECT title = ? AND title_sort = ? AND artist = ? AND artist_sort IS ?, identity FROM tracks WHERE id = ?",
        track.title, track.titleSort, track.artist, track.artistSort, number
      ) { (isSame: try $0.value(0) as Bool, identity: try $0.value(1) as Int64) }
      if before?.isSame != true { reindex(track: number) }
      if let before { ratings.remember(track: number, before.identity) }
    }
    let (server, levels, audio) = (track.server, track.levels, track.audio)
    try write(
      "tracks",
      [
        ("album", .integer(track.album)), ("title", .text(track.title)), ("title_sort", .text(track.titleSort)),
        ("artist", .text(track.artist)), ("artist_sort", SQLValue(track.artistSort)), ("disc", SQLValue(track.disc)),
        ("number", SQLValue(track.number)), ("number_text", SQLValue(track.numberText)), ("year", SQLValue(track.year)),
        ("genres", .text(TextList.packed(track.genres))), ("moods", .text(TextList.packed(track.moods))),
        ("duration", SQLValue(track.duration)), ("recording", SQLValue(track.recording)),
        ("release", SQLValue(track.release)), ("music_ids", SQLValue(track.ids.packed)),
        ("format", SQLValue(track.format)), ("is_lossless", SQLValue(track.isLossless)),
        ("codec", SQLValue(audio.codec)), ("bit_rate", SQLValue(audio.bitRate)),
        ("sample_rate", SQLValue(audio.sampleRate)), ("bit_depth", SQLValue(audio.bitDepth)),
        ("channels", SQLValue(audio.channels)),
        ("track_gain", SQLValue(levels?.trackGain)), ("track_peak", SQLValue(levels?.trackPeak)),
        ("album_gain", SQLValue(levels?.albumGain)), ("album_peak", SQLValue(levels?.albumPeak)),
        ("identity", .integer(track.identity.hash64)), ("native", SQLValue(server.native)),
        ("guid", SQLValue(server.guid)), ("file", SQLValue(server.file)), ("part", SQLValue(server.part)),
        ("section", SQLValue(server.section)), ("digest", SQLValue(server.digest)),
        ("own_rating", SQLValue(server.rating)), ("server_plays", SQLValue(server.plays)),
        ("listeners", SQLValue(server.listeners)),
      ],
      initially: [
        ("id", .integer(number)), ("source", .text(source)), ("shelf", .integer(track.album)),
        ("shown", .integer(number)), ("added_at", SQLValue(track.addedAt)), ("rating", SQLValue(server.rating)),
        ("played_at", SQLValue(server.heardAt)),
      ], growing: [("heard_at", SQLValue(server.heardAt))], isNew: isNew)
    try write(track.details, of: number, isNew: isNew)
  }
}

/// A track as it is shown.
extension Catalogue {
  /// The columns of a shown track `t` on its album `a`, as `track(_:)` reads them.
  static let trackColumns = """
    t.source || ':t' || t.id, a.source || ':a' || a.id, t.title, t.artist, a.artist, a.title, t.disc, t.number,
    ifnull(t.year, a.year), t.genres, t.duration, t.recording, t.release, a.art, t.rating, t.section, t.track_gain,
    t.track_peak, t.album_gain, t.album_peak, t.music_ids, t.number_text, \(artistsColumn), \(composerColumn),
    \(workColumn)
    """

  static func track(_ row: borrowing Row) throws -> Track {
    let levels = Levels(
      trackGain: try row.value(16), trackPeak: try row.value(17), albumGain: try row.value(18),
      albumPeak: try row.value(19))
    var track = Track(
      id: try row.value(0), albumID: try row.value(1), title: try row.value(2), artist: try row.value(3),
      albumArtist: try row.value(4), album: try row.value(5), disc: try row.value(6), number: try row.value(7),
      year: try row.value(8), genres: TextList.unpacked(try row.value(9)), duration: try row.value(10),
      recordingID: try row.value(11), releaseID: try row.value(12), art: try row.value(13),
      rating: try row.value(14), levels: levels.isEmpty ? nil : levels, section: try row.value(15))
    track.numberText = try row.value(21)
    if let ids = (try row.value(20) as String?).map(MusicIDs.init(packed:)) {
      track.artistIDs = ids.artists.isEmpty ? nil : ids.artists
      (track.releaseGroupID, track.isrc) = (ids.releaseGroup, ids.isrc)
    }
    track.artists = (try row.value(22) as String?).flatMap(artists)
    track.composer = try row.value(23)
    track.work = (try row.value(24) as String?).flatMap(work)
    return track
  }

  /// Returns the track of a row that is shown; nil where there is none.
  static func track(_ number: Int64, _ transaction: ReadTransaction) throws -> Track? {
    try transaction.row(
      "SELECT \(trackColumns) FROM tracks t JOIN albums a ON a.id = t.shelf WHERE t.id = ?", number, as: track)
  }
}

extension Track: SizedItem {
  var size: Int {
    let texts = [
      title, artist, albumArtist, album, section, recordingID, releaseID, releaseGroupID, isrc, composer, work?.title,
      work?.movement, work?.composer?.name,
    ]
    let names = artists?.map(\.name) ?? []
    return texts.reduce(
      610 + PageBudget.size(genres) + PageBudget.size(names) + 50 * names.count + 2 * (artistIDs?.count ?? 0)
        + PageBudget.size(artistIDs ?? [])
    ) {
      $0 + PageBudget.size($1)
    }
  }
}

/// The ids of a track in public databases, beside its recording and release. The library only stores them for the
/// services to which listens are sent.
struct MusicIDs: Codable, Hashable, Sendable {
  /// The MusicBrainz ids of its artists, in their order.
  var artists: [String] = []
  /// The MusicBrainz id of its release group.
  var releaseGroup: String?
  /// Its International Standard Recording Code.
  var isrc: String?

  /// The most artists that are kept of one track.
  static let mostArtists = 16

  /// All ids as one text for the column `music_ids`; nil where none is known.
  var packed: String? {
    self == MusicIDs() ? nil : TextList.packed([releaseGroup ?? "", isrc ?? ""] + artists)
  }
}

extension MusicIDs {
  init(packed: String) {
    let fields = packed.utf8.split(separator: 0x1F, omittingEmptySubsequences: false).map { String(Substring($0)) }
    guard fields.count > 2 else { return }
    releaseGroup = fields[0].isEmpty ? nil : fields[0]
    isrc = fields[1].isEmpty ? nil : fields[1]
    artists = fields[2...].filter { !$0.isEmpty }
  }
}
