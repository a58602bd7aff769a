import Messages
import Model
import Records
package import ServiceKit
package import Storage
import Text

/// The tracks of listens that only have a description, such as those of imports. Each stands for the matching track of
/// the library, and is linked to it once the music is there.
struct DescribedListenTracks {
  /// A row of `listen_tracks`.
  struct Row {
    var id: Int64
    /// The number of the track that is shown for it today, and its length; nil if it is not in the library.
    var shown: Int64?
    var duration: Milliseconds?
  }

  private let transaction: Transaction

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Returns the rows of tracks by the ids of their descriptions; adds those that are missing.
  func rows(of tracks: [Track]) throws -> [TrackID: Row] {
    var rows: [TrackID: Row] = [:]
    var missing: [TrackID: Track] = [:]
    for track in tracks where rows[track.id] == nil && missing[track.id] == nil {
      guard let row = try row(of: track.id) else {
        missing[track.id] = track
        continue
      }
      try Self.addKeys(of: track, to: row.id, transaction)
      rows[track.id] = row
    }
    let new = Array(missing.values)
    let matches = try TrackMatcher(roots: [], transaction: transaction).matches(of: new.map(\.wanted))
    for (track, match) in zip(new, matches) {
      try add(track, as: match.track)
      rows[track.id] = try row(of: track.id)
    }
    return rows
  }

  private func row(of track: TrackID) throws -> Row? {
    try transaction.row(
      """
      SELECT h.id, c.shown, c.duration FROM listen_tracks h \(Successors.join(.track, "h.number"))
      LEFT JOIN tracks c ON c.id = ifnull(e.heir, h.number) WHERE h.track = ? ORDER BY h.id LIMIT 1
      """, track
    ) { Row(id: try $0.value(0), shown: try $0.value(1), duration: try $0.value(2)) }
  }

  private func add(_ track: Track, as number: Int64?) throws {
    let keys = Self.keys(of: track)
    try transaction.execute(
      """
      INSERT INTO listen_tracks (track, number, album, identity, body, title_key, artist_key)
      VALUES (?1, ?2, (SELECT album FROM tracks WHERE id = ?2), 0, ?3, ?4, ?5)
      """, track.id, number, String(decoding: try MessageCoding.encode(track), as: UTF8.self), keys.title, keys.artist)
  }

  /// Adds the keys of a described track to its row, as earlier versions wrote rows without them.
  static func addKeys(of track: Track, to row: Int64, _ transaction: Transaction) throws {
    let keys = keys(of: track)
    try transaction.execute(
      "UPDATE listen_tracks SET title_key = ?2, artist_key = ?3 WHERE id = ?1 AND title_key IS NULL", row, keys.title,
      keys.artist)
  }

  /// Returns the keys for finding a described track.
  static func keys(of track: Track) -> (title: String, artist: String) {
    (SortKey.of(TrackNames.plainTitle(track.title)), ArtistRows.key(of: track.albumArtist))
  }

  /// Indexes the rows without keys by their ids, and adds `number` to the index of titles, so that looking for rows
  /// without a track reads no row.
  static let migration = Migration(
    "catalogue-listen-keys-37",
    "CREATE INDEX listen_tracks_without_keys ON listen_tracks (id) WHERE \(lacksKeys)",
    "DROP INDEX listen_tracks_described",
    "CREATE INDEX listen_tracks_described ON listen_tracks (title_key, number) WHERE title_key IS NOT NULL")

  /// SQL for the rows of described tracks that earlier versions wrote without keys. The text is that of an index, so it
  /// never changes.
  private static let lacksKeys = "title_key IS NULL AND track >= 'described:' AND track < 'described;'"

  /// SQL for the next `?2` rows without keys after the id `?1`.
  static let withoutKeys = """
    SELECT id, body FROM listen_tracks INDEXED BY listen_tracks_without_keys WHERE \(lacksKeys) AND id > ?1
    ORDER BY id LIMIT ?2
    """

  /// SQL for the rows without a track in the library, whose title begins a title in the library, which may continue
  /// after a space.
  static let linkable = """
    SELECT h.id, h.body FROM listen_tracks h INDEXED BY listen_tracks_described
    WHERE h.title_key IS NOT NULL AND \(DescribedListenTracks.isGone)
      AND EXISTS (SELECT 1 FROM tracks t INDEXED BY tracks_by_title
        WHERE t.shelf IS NOT NULL AND t.title_sort >= h.title_key AND t.title_sort < h.title_key || '!')
    """

  /// SQL for rows `h` of `listen_tracks` without a track in the library.
  static let isGone = """
    NOT EXISTS (SELECT 1 FROM tracks c WHERE c.id = ifnull(
      \(Successors.of(.track, "h.number")), h.number))
    """
}

/// Looks for the tracks of listens whose music was not in the library when they were imported, or left it since.
package struct DescribedListenLinker: Sendable {
  /// The number of rows that one transaction changes.
  private static let batch = 500

  let database: Database
  let log: Log

  package init(database: Database, log: Log) {
    self.database = database
    self.log = log
  }

  private var descriptions: StoredDescriptions { StoredDescriptions(kind: "listens", log: log) }

  /// Returns true if it found some.
  package func run() async throws -> Bool {
    try await addKeys()
    let found = try await database.read { transaction in
      let rows = descriptions.decode(
        Track.self, of: try transaction.rows(DescribedListenTracks.linkable) { (try $0.value(0), try $0.value(1)) })
      let matches = try TrackMatcher(roots: [], transaction: transaction).matches(of: rows.map(\.value.wanted))
      return zip(rows, matches).compactMap { row, match in match.track.map { (row: row.id, track: $0) } }
    }
    for start in stride(from: 0, to: found.count, by: Self.batch) {
      let part = found[start..<min(start + Self.batch, found.count)]
      try await database.write { transaction in
        for (row, track) in part { try Self.link(row, to: track, transaction) }
        try transaction.execute("UPDATE catalogue SET generation = generation + 1")
      }
    }
    return !found.isEmpty
  }

  /// Adds the keys to the rows of described tracks that earlier versions wrote.
  private func addKeys() async throws {
    var last: Int64 = 0
    while true {
      let after = last
      let rows: [(id: Int64, body: String)] = try await database.read { transaction in
        try transaction.rows(DescribedListenTracks.withoutKeys, after, Self.batch) {
          (try $0.value(0), try $0.value(1))
        }
      }
      guard let end = rows.last?.id else { return }
      let tracks = descriptions.decode(Track.self, of: rows)
      try await database.write { transaction in
        for (row, track) in tracks { try DescribedListenTracks.addKeys(of: track, to: row, transaction) }
      }
      last = end
    }
  }

  private static func link(_ row: Int64, to track: Int64, _ transaction: Transaction) throws {
    // The track may have left meanwhile.
    let changed = try transaction.execute(
      """
      UPDATE listen_tracks SET number = ?2, album = (SELECT album FROM tracks WHERE id = ?2)
      WHERE id = ?1 AND EXISTS (SELECT 1 FROM tracks WHERE id = ?2)
      """, row, track)
    guard changed > 0 else { return }
    // A listen without a length counts as the whole track.
    try transaction.execute(
      """
      UPDATE listens SET heard = (SELECT duration FROM tracks WHERE id = ?2)
      WHERE track = ?1 AND imported_by IS NOT NULL AND heard = 0
      """, row, track)
    let last: Timestamp? = try transaction.value(
      "SELECT max(counted_at) FROM listens INDEXED BY listens_of_track WHERE track = ? AND outcome = 1", row)
    if let last { try HeardTimes.raise(of: track, to: last, transaction) }
  }
}

extension Track {
  /// The description for finding the track.
  fileprivate var wanted: TrackMatcher.Wanted {
    TrackMatcher.Wanted(
      track: DescribedTrack(
        title: title, artist: artist, album: album.isEmpty ? nil : album, duration: duration > .zero ? duration : nil,
        isrc: isrc, recordingID: recordingID))
  }
}
