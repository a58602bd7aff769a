import Messages
import Model
import Storage

/// The files of kept albums, and reading them.
extension OfflineStore {
  /// The condition that each track of `album.row` has a complete file.
  private static let isWhole =
    "NOT EXISTS (SELECT 1 FROM track WHERE album = album.row AND key NOT IN (SELECT key FROM file))"

  /// A complete file of a track whose album is whole.
  struct Copy: Sendable {
    var row: Int64
    var name: String
    var size: Int64
    var track: Library.PlayableTrack
    var playedAt: Timestamp?
  }

  /// Returns the copy of a track; nil unless its whole album is there.
  static func copy(of track: TrackID, in reader: ReadTransaction) throws -> Copy? {
    try reader.row(
      """
      SELECT album.row, file.name, file.size, track.item, album.played_at FROM track
        JOIN album ON album.row = track.album JOIN file ON file.key = track.key
        WHERE track.id = ? AND \(isWhole) LIMIT 1
      """, track
    ) {
      Copy(
        row: try $0.value(0), name: try $0.value(1), size: try $0.value(2),
        track: try MessageCoding.decode(Library.PlayableTrack.self, from: try $0.value(3) as [UInt8]),
        playedAt: try $0.value(4))
    }
  }

  /// Returns the whole albums: their rows, ids and titles.
  static func wholeAlbums(in reader: ReadTransaction) throws -> [(row: Int64, id: String, title: String)] {
    try reader.rows("SELECT row, id, title FROM album WHERE \(isWhole) ORDER BY row") {
      (try $0.value(0), try $0.value(1), try $0.value(2))
    }
  }

  /// Returns the tracks of an album, in their order.
  static func tracks(of row: Int64, in reader: ReadTransaction) throws -> [Wanted] {
    try wanted("WHERE album = ? ORDER BY number", row, reader)
  }

  /// Returns the tracks of an album whose files are missing, one for each file.
  static func missing(of row: Int64, in reader: ReadTransaction) throws -> [Wanted] {
    try wanted("WHERE album = ? AND key NOT IN (SELECT key FROM file) GROUP BY key ORDER BY min(number)", row, reader)
  }

  private static func wanted(_ condition: String, _ row: Int64, _ reader: ReadTransaction) throws -> [Wanted] {
    try reader.rows("SELECT key, item FROM track \(condition)", row) {
      Wanted(
        key: try $0.value(0),
        track: try MessageCoding.decode(Library.PlayableTrack.self, from: try $0.value(1) as [UInt8]))
    }
  }

  /// Returns the albums that are not whole, in the order in which they were added.
  static func unfinished(in reader: ReadTransaction) throws -> [Int64] {
    try reader.values("SELECT row FROM album WHERE NOT \(isWhole) ORDER BY row")
  }

  /// Returns the whole albums with the times when they were last compared with their source, the oldest first.
  static func checks(in reader: ReadTransaction) throws -> [(row: Int64, at: Timestamp)] {
    try reader.rows("SELECT row, checked_at FROM album WHERE \(isWhole) ORDER BY checked_at, row") {
      (try $0.value(0), try $0.value(1))
    }
  }

  // MARK: - Files

  static func files(in reader: ReadTransaction) throws -> [File] {
    try reader.rows("SELECT key, name, size, digest, modified, version, place FROM file ORDER BY key", as: readFile)
  }

  static func file(_ key: String, in reader: ReadTransaction) throws -> File? {
    try reader.row(
      "SELECT key, name, size, digest, modified, version, place FROM file WHERE key = ?", key, as: readFile)
  }

  private static func readFile(_ row: borrowing Row) throws -> File {
    File(
      key: try row.value(0), name: try row.value(1), size: try row.value(2), digest: try row.value(3),
      modified: try row.value(4), version: try row.value(5), place: try row.value(6))
  }

  static func parts(in reader: ReadTransaction) throws -> [Part] {
    try reader.rows("SELECT key, name, size, version, place, received, boot FROM part ORDER BY key", as: readPart)
  }

  static func part(_ key: String, in reader: ReadTransaction) throws -> Part? {
    try reader.row(
      "SELECT key, name, size, version, place, received, boot FROM part WHERE key = ?", key, as: readPart)
  }

  private static func readPart(_ row: borrowing Row) throws -> Part {
    Part(
      key: try row.value(0), name: try row.value(1),
      source: OfflineSource(size: try row.value(2), version: try row.value(3), place: try row.value(4)),
      received: try row.value(5), boot: try row.value(6))
  }

  static func store(_ part: Part, in transaction: Transaction) throws {
    try transaction.execute(
      """
      INSERT OR REPLACE INTO part (key, name, size, version, place, received, boot) VALUES (?, ?, ?, ?, ?, ?, ?)
      """, part.key, part.name, part.source.size, part.source.version, part.source.place, part.received, part.boot)
  }

  static func forget(part key: String, in transaction: Transaction) throws {
    try transaction.execute("DELETE FROM part WHERE key = ?", key)
  }

  static func forget(file name: String, in transaction: Transaction) throws {
    try transaction.execute("DELETE FROM file WHERE name = ?", name)
  }

  /// Makes a complete file of a part. Returns the name of the file that it replaces; nil if there is none. A file that
  /// no track needs any more is returned in its place, and has no row then.
  static func finish(_ file: File, in transaction: Transaction) throws -> String? {
    try forget(part: file.key, in: transaction)
    let isWanted: Int? = try transaction.value("SELECT 1 FROM track WHERE key = ? LIMIT 1", file.key)
    guard isWanted != nil else { return file.name }
    let old: String? = try transaction.value("SELECT name FROM file WHERE key = ?", file.key)
    try store(file, in: transaction)
    return old == file.name ? nil : old
  }

  static func store(_ file: File, in transaction: Transaction) throws {
    try transaction.execute(
      """
      INSERT OR REPLACE INTO file (key, name, size, digest, modified, version, place) VALUES (?, ?, ?, ?, ?, ?, ?)
      """, file.key, file.name, file.size, file.digest, file.modified, file.version, file.place)
  }

  // MARK: - Listing

  /// The number of albums on a page.
  static let pageSize = 100

  /// Returns at most a page of albums after a row. The progress is `whole` or `waiting`.
  static func albums(after row: Int64, in reader: ReadTransaction) throws -> [(
    row: Int64, album: Playback.OfflineAlbum
  )] {
    // A part counts only where there is no complete file, which it may be to replace.
    let keys = "SELECT DISTINCT key FROM track WHERE album = album.row"
    let missing = "key IN (\(keys)) AND key NOT IN (SELECT key FROM file)"
    return try reader.rows(
      """
      SELECT row, id, title, artist, art, pinned, added_at, played_at,
        (SELECT count(*) FROM track WHERE album = album.row),
        (SELECT count(*) FROM track WHERE album = album.row AND key IN (SELECT key FROM file)),
        (SELECT coalesce(sum(size), 0) FROM file WHERE key IN (\(keys))),
        (SELECT coalesce(sum(received), 0) FROM part WHERE \(missing)),
        (SELECT coalesce(sum(size), 0) FROM part WHERE \(missing)),
        (SELECT count(*) FROM (\(keys)) WHERE key NOT IN (SELECT key FROM file)
          AND key NOT IN (SELECT key FROM part WHERE size IS NOT NULL))
        FROM album WHERE row > ? ORDER BY row LIMIT ?
      """, row, pageSize
    ) { row in
      let (tracks, kept): (Int, Int) = (try row.value(8), try row.value(9))
      let (whole, received, expected): (Int64, Int64, Int64) = (
        try row.value(10), try row.value(11), try row.value(12)
      )
      let unknown: Int = try row.value(13)
      return (
        try row.value(0),
        Playback.OfflineAlbum(
          id: try row.value(1), title: try row.value(2), artist: try row.value(3), art: try row.value(4),
          state: kept == tracks ? .whole : .waiting, tracks: tracks, kept: kept, bytes: whole + received,
          size: unknown == 0 ? whole + expected : nil, isPinned: try row.value(5), addedAt: try row.value(6),
          playedAt: try row.value(7))
      )
    }
  }

  /// Returns the number of albums, and of whole ones.
  static func counts(in reader: ReadTransaction) throws -> (albums: Int, whole: Int) {
    try reader.row("SELECT count(*), coalesce(sum(\(isWhole)), 0) FROM album") { (try $0.value(0), try $0.value(1)) }
      ?? (0, 0)
  }
}
