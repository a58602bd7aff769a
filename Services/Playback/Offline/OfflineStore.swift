import Messages
import Model
import Storage

/// The tables of the albums that a room keeps. They contain no address and no secret.
///
/// A file has a row in `file` only once it is complete and checked; while it is fetched it has one in `part`. So an
/// album is whole if each of its tracks has a row in `file`, and nothing else says so.
enum OfflineStore {
  static let migrations = [
    Migration(
      "offline-1",
      """
      CREATE TABLE album (row INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
        artist TEXT NOT NULL, art TEXT, pinned INTEGER NOT NULL, added_at INTEGER NOT NULL, played_at INTEGER,
        checked_at INTEGER NOT NULL)
      """,
      // Several tracks may be segments of one file, which has one key.
      """
      CREATE TABLE track (album INTEGER NOT NULL REFERENCES album (row) ON DELETE CASCADE, number INTEGER NOT NULL,
        id TEXT NOT NULL, key TEXT NOT NULL, item BLOB NOT NULL, PRIMARY KEY (album, number)) WITHOUT ROWID
      """,
      "CREATE INDEX track_by_id ON track (id)",
      "CREATE INDEX track_by_key ON track (key)",
      """
      CREATE TABLE file (key TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, digest BLOB NOT NULL,
        modified INTEGER NOT NULL, version TEXT, place TEXT NOT NULL) WITHOUT ROWID
      """,
      // `received` bytes have survived a sync; `boot` is the host's boot in which they came.
      """
      CREATE TABLE part (key TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER, version TEXT,
        place TEXT NOT NULL, received INTEGER NOT NULL, boot TEXT) WITHOUT ROWID
      """,
      "CREATE TABLE space (one INTEGER PRIMARY KEY CHECK (one = 1), chosen INTEGER)",
      "INSERT INTO space (one) VALUES (1)"),
    Migration("offline-2", "ALTER TABLE space ADD COLUMN connection TEXT"),
  ]

  static let savedTables = ["album", "track", "file", "part", "space"]

  /// The statements that repair the saved tables.
  static let repairs = [
    "DELETE FROM track WHERE album NOT IN (SELECT row FROM album)",
    "DELETE FROM album WHERE row NOT IN (SELECT album FROM track)",
    "INSERT OR IGNORE INTO space (one) VALUES (1)",
  ]

  /// A track that must be kept, and the key of its file.
  struct Wanted: Sendable {
    var key: String
    var track: Library.PlayableTrack
  }

  /// A complete file.
  struct File: Hashable, Sendable {
    var key: String
    var name: String
    var size: Int64
    var digest: [UInt8]
    /// The nanoseconds from 1970 to the last change on this disk.
    var modified: Int64
    /// The version at the source, as `OfflineSource.version`.
    var version: String?
    var place: String
  }

  /// A file that is being fetched.
  struct Part: Hashable, Sendable {
    var key: String
    var name: String
    var source: OfflineSource
    var received: Int64 = 0
    var boot: String?
  }

  /// Returns the key of a track's file.
  static func key(of track: Library.PlayableTrack) -> String {
    track.segment?.file.map { "file \($0)" } ?? "track \(track.track.id)"
  }
}

// MARK: - Albums

extension OfflineStore {
  /// Adds an album, unless it is there. Returns true if it was added.
  static func add(
    _ album: OfflineListing, isPinned: Bool, at date: Timestamp, in transaction: Transaction
  ) throws -> Bool {
    let first = album.tracks[0].track
    let added = try transaction.execute(
      """
      INSERT OR IGNORE INTO album (id, title, artist, art, pinned, added_at, checked_at) VALUES (?, ?, ?, ?, ?, ?, ?)
      """, album.id, first.album, first.albumArtist, first.art, isPinned, date, date)
    guard added == 1 else { return false }
    try set(album.tracks, of: transaction.lastInsertedRowID, in: transaction)
    return true
  }

  /// Sets the tracks of an album. Returns the names of files that no track needs any more; their rows are removed.
  @discardableResult
  static func set(
    _ tracks: [Library.PlayableTrack], of row: Int64, in transaction: Transaction
  ) throws -> [String] {
    try transaction.execute("DELETE FROM track WHERE album = ?", row)
    for (number, track) in tracks.enumerated() {
      try transaction.execute(
        "INSERT INTO track (album, number, id, key, item) VALUES (?, ?, ?, ?, ?)", row, number, track.track.id,
        key(of: track), try MessageCoding.encode(track))
    }
    return try removeUnused(in: transaction)
  }

  /// Removes albums. Returns the names of files that no track needs any more.
  static func remove(_ rows: [Int64], in transaction: Transaction) throws -> [String] {
    for row in rows {
      try transaction.execute("DELETE FROM track WHERE album = ?", row)
      try transaction.execute("DELETE FROM album WHERE row = ?", row)
    }
    return try removeUnused(in: transaction)
  }

  private static func removeUnused(in transaction: Transaction) throws -> [String] {
    try ["file", "part"].flatMap { table -> [String] in
      let unused = "FROM \(table) WHERE key NOT IN (SELECT key FROM track)"
      let names: [String] = try transaction.values("SELECT name \(unused)")
      if !names.isEmpty { try transaction.execute("DELETE \(unused)") }
      return names
    }
  }

  /// Returns the row of an album; nil if it is not there.
  static func row(of id: AlbumID, in reader: ReadTransaction) throws -> Int64? {
    try reader.value("SELECT row FROM album WHERE id = ?", id)
  }

  static func id(of row: Int64, in reader: ReadTransaction) throws -> AlbumID? {
    try reader.value("SELECT id FROM album WHERE row = ?", row)
  }

  /// Changes the pin of an album that is there, and has it compared with its source again.
  static func renew(_ row: Int64, isPinned: Bool?, in transaction: Transaction) throws {
    try transaction.execute(
      "UPDATE album SET checked_at = 0, pinned = coalesce(?, pinned) WHERE row = ?", isPinned, row)
  }

  static func markChecked(_ row: Int64, at date: Timestamp, in transaction: Transaction) throws {
    try transaction.execute("UPDATE album SET checked_at = ? WHERE row = ?", date, row)
  }

  static func markPlayed(_ row: Int64, at date: Timestamp, in transaction: Transaction) throws {
    try transaction.execute("UPDATE album SET played_at = ? WHERE row = ?", date, row)
  }
}

// MARK: - Space

extension OfflineStore {
  /// Returns the bytes of all files; those of parts as far as they have survived a sync.
  static func used(in reader: ReadTransaction) throws -> Int64 {
    try reader.value(
      "SELECT (SELECT coalesce(sum(size), 0) FROM file) + (SELECT coalesce(sum(received), 0) FROM part)") ?? 0
  }

  static func chosenLimit(in reader: ReadTransaction) throws -> Int64? {
    try reader.value("SELECT chosen FROM space")
  }

  static func choose(_ limit: Int64?, in transaction: Transaction) throws {
    try transaction.execute("UPDATE space SET chosen = ?", limit)
  }

  /// Returns the connections that a person chose; nil for the default.
  static func chosenConnection(in reader: ReadTransaction) throws -> Playback.OfflineConnection? {
    try (reader.value("SELECT connection FROM space") as String?).flatMap(Playback.OfflineConnection.init(rawValue:))
  }

  static func choose(_ connection: Playback.OfflineConnection?, in transaction: Transaction) throws {
    try transaction.execute("UPDATE space SET connection = ?", connection?.rawValue)
  }

  /// Returns the albums that may be removed to make room: those that are not pinned. The bytes of a file that several
  /// albums share count for each of them.
  static func removable(in reader: ReadTransaction) throws -> [OfflineSpace.Album] {
    try reader.rows(
      """
      SELECT row, coalesce(played_at, added_at), (SELECT coalesce(sum(size), 0) FROM file WHERE key IN
        (SELECT key FROM track WHERE album = album.row)) FROM album WHERE NOT pinned
      """
    ) { OfflineSpace.Album(row: try $0.value(0), usedAt: try $0.value(1), size: try $0.value(2)) }
  }
}
