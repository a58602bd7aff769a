import Model
import Records
import Storage

/// Tracks whose files left the music folders. Each is remembered for a year, so that music that comes back, even with
/// other tags or from another disk, has its ids, its plays, its ratings and its times again.
struct DepartedTracks {
  static let memory = Timestamp(seconds: 365 * 86_400)

  /// One of them, with the values of its row that a file does not have.
  struct Departed: Hashable, Sendable {
    var track: Int64
    var album: Int64
    /// The merge key of the album.
    var albumKey: String
    /// The identity by which the track was rated.
    var identity: Int64
    var addedAt: Timestamp
    var albumAddedAt: Timestamp
    /// The time of its last listen.
    var heardAt: Timestamp
  }

  private let transaction: Transaction

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Remembers a track whose row is about to be deleted.
  func add(track: Int64, _ recognition: TrackRecognition, now: Timestamp) throws {
    try transaction.execute(
      """
      INSERT OR REPLACE INTO departed_tracks
      SELECT t.id, t.album, a.merge_key, t.identity, t.duration, t.added_at, a.arrived_at, t.heard_at, ?2
      FROM tracks t JOIN albums a ON a.id = t.album WHERE t.id = ?1
      """, track, now)
    for key in Set(recognition.keys.values) {
      try transaction.execute("INSERT OR IGNORE INTO departed_keys (key, track) VALUES (?, ?)", key, track)
    }
  }

  var isEmpty: Bool {
    get throws { try transaction.value("SELECT 1 FROM departed_tracks LIMIT 1") as Int? == nil }
  }

  /// Returns the track that a new file was, by one kind of value: of several the one that left last.
  ///
  /// - Parameter taken: the tracks that other files already are.
  func find(
    _ recognition: TrackRecognition, by kind: TrackRecognition.Kind, except taken: Set<Int64>
  ) throws -> Departed? {
    guard let key = recognition.keys[kind] else { return nil }
    return try transaction.rows(
      """
      SELECT d.track, d.album, d.album_key, d.identity, d.added_at, d.album_added_at, d.heard_at, d.duration
      FROM departed_keys k JOIN departed_tracks d ON d.track = k.track WHERE k.key = ? ORDER BY d.left_at DESC, d.track
      """, key
    ) { row in
      (
        departed: Departed(
          track: try row.value(0), album: try row.value(1), albumKey: try row.value(2), identity: try row.value(3),
          addedAt: try row.value(4), albumAddedAt: try row.value(5), heardAt: try row.value(6)),
        duration: try row.value(7) as Milliseconds
      )
    }.first { !taken.contains($0.departed.track) && recognition.matches(kind, length: $0.duration) }?.departed
  }

  /// Gives the row of a track that came back its former times, and ends the redirect of its number.
  func restore(_ departed: Departed) throws {
    try transaction.execute(
      "UPDATE tracks SET added_at = ?2, heard_at = max(heard_at, ?3), played_at = max(played_at, ?3) WHERE id = ?1",
      departed.track, departed.addedAt, departed.heardAt)
    try transaction.execute(
      "DELETE FROM heirs WHERE kind = ? AND number = ?", CatalogueID.Kind.track, departed.track)
    try remove("track = ?", departed.track)
  }

  /// Forgets the tracks that left more than a year ago.
  func prune(now: Timestamp) throws {
    try remove("left_at < ?", Timestamp(microseconds: now.microseconds - Self.memory.microseconds))
  }

  private func remove(_ condition: String, _ value: some SQLBindable) throws {
    try transaction.execute(
      "DELETE FROM departed_keys WHERE track IN (SELECT track FROM departed_tracks WHERE \(condition))", value)
    try transaction.execute("DELETE FROM departed_tracks WHERE \(condition)", value)
  }
}
