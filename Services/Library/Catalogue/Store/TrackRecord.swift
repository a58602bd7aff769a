package import Model
import Records
package import Storage

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
  package static let trackColumns = """
    t.source || ':t' || t.id, a.source || ':a' || a.id, t.title, t.artist, a.artist, a.title, t.disc, t.number,
    ifnull(t.year, a.year), t.genres, t.duration, t.recording, t.release, a.art, t.rating, t.section, t.track_gain,
    t.track_peak, t.album_gain, t.album_peak, t.music_ids, t.number_text, \(artistsColumn), \(composerColumn),
    \(workColumn)
    """

  package static func track(_ row: borrowing Row) throws -> Track {
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
      track.releaseGroupID = ids.releaseGroup
      track.isrc = ids.isrc
    }
    track.artists = (try row.value(22) as String?).flatMap(artists)
    track.composer = try row.value(23)
    track.work = (try row.value(24) as String?).flatMap(work)
    return track
  }

  /// Returns the track of a row that is shown; nil if there is none.
  package static func track(_ number: Int64, _ transaction: ReadTransaction) throws -> Track? {
    try transaction.row(
      "SELECT \(trackColumns) FROM tracks t JOIN albums a ON a.id = t.shelf WHERE t.id = ?", number, as: track)
  }
}

extension Track: SizedItem {
  package var size: Int {
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
