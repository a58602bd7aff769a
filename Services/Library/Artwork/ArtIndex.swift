import Messages
import Model
import Storage

/// The rows of pictures: which bytes a reference stands for, and their colours. The files themselves are in the folder of
/// pictures, under names that follow from their bytes.
enum ArtIndex {
  /// The tables. `size` is the size that a server was asked for, and 0 for pictures in music folders. A picture without
  /// a digest cannot be shown.
  static let migration = Migration(
    "artwork-2",
    """
    CREATE TABLE pictures (reference TEXT NOT NULL, size INTEGER NOT NULL, digest TEXT,
      PRIMARY KEY (reference, size)) WITHOUT ROWID
    """,
    "CREATE TABLE palettes (reference TEXT PRIMARY KEY, colours TEXT NOT NULL) WITHOUT ROWID")

  /// Earlier versions took every end of the worker for a picture's fault, so all pictures without a digest are tried again.
  static let secondLook = Migration("artwork-3", "DELETE FROM pictures WHERE digest IS NULL")

  /// The colours of an album's cover, for a row of albums `a`.
  static let paletteColumn = "(SELECT p.colours FROM palettes p WHERE p.reference = a.art)"

  /// A picture that was made before.
  enum Known: Equatable, Sendable {
    /// Its bytes' digest.
    case digest(String)
    /// It cannot be shown.
    case broken
  }

  /// Returns a picture that was made before; nil where it was not.
  static func find(_ reference: String, size: Int, _ transaction: ReadTransaction) throws -> Known? {
    try transaction.row("SELECT digest FROM pictures WHERE reference = ? AND size = ?", reference, size) { row in
      (try row.value(0) as String?).map { .digest($0) } ?? .broken
    }
  }

  /// Stores the digest and colours of a picture; without a digest that it cannot be shown.
  static func keep(
    _ reference: String, size: Int, digest: String?, palette: Palette?, _ transaction: Transaction
  ) throws {
    try transaction.execute(
      "INSERT OR REPLACE INTO pictures (reference, size, digest) VALUES (?, ?, ?)", reference, size, digest)
    guard let palette else { return }
    try transaction.execute(
      "INSERT OR REPLACE INTO palettes (reference, colours) VALUES (?, ?)", reference, text(palette))
  }

  /// Returns covers of albums that were never made, those of the newest albums first.
  static func unseen(_ limit: Int, after: Set<String>, _ transaction: ReadTransaction) throws -> [ArtID] {
    try transaction.rows(
      """
      SELECT art FROM albums a
      WHERE shelf = id AND art IS NOT NULL AND NOT EXISTS (SELECT 1 FROM pictures p WHERE p.reference = a.art)
      GROUP BY art ORDER BY max(added_at) DESC LIMIT ?
      """, limit + after.count
    ) { row in try row.value(0) as String }
    .filter { !after.contains($0) }.prefix(limit).compactMap { ArtID($0) }
  }

  /// Deletes the rows of pictures that nothing refers to any more. Returns the digests and references that remain.
  static func prune(_ transaction: Transaction) throws -> (digests: Set<String>, references: Set<String>) {
    let live = """
      SELECT art FROM albums WHERE art IS NOT NULL UNION SELECT art FROM artists WHERE art IS NOT NULL
      UNION SELECT source || ':' || art FROM collections WHERE art IS NOT NULL
      UNION SELECT source || ':' || art FROM playlists WHERE art IS NOT NULL
      """
    try transaction.execute("DELETE FROM pictures WHERE reference NOT IN (\(live))")
    try transaction.execute("DELETE FROM palettes WHERE reference NOT IN (\(live))")
    let digests = try transaction.rows("SELECT digest FROM pictures WHERE digest IS NOT NULL") { row in
      try row.value(0) as String
    }
    return (Set(digests), Set(try transaction.rows(live) { row in try row.value(0) as String }))
  }

  private static func text(_ palette: Palette) -> String { palette.first + palette.second + palette.dark }

  /// Reads `paletteColumn`.
  static func palette(_ text: String?) -> Palette? {
    guard let text, text.utf8.count == 21 else { return nil }
    let colours = stride(from: 0, to: 21, by: 7).map { String(text.dropFirst($0).prefix(7)) }
    return Palette(first: colours[0], second: colours[1], dark: colours[2])
  }
}

/// The origin of a picture of the music folders. Its text changes when the picture does.
enum ArtReference: Hashable, Sendable {
  /// The cover file of a folder.
  case folder(Int64, mark: String)
  /// The picture of an artist in a folder.
  case artist(Int64, mark: String)
  /// The picture in a track's file.
  case track(Int64, mark: String)

  /// Reads a reference from the native part of a picture's id.
  init?(_ native: String) {
    let parts = native.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let kind = parts[0].first, let number = Int64(parts[0].dropFirst()) else { return nil }
    switch kind {
    case "a": self = .artist(number, mark: String(parts[1]))
    case "c": self = .folder(number, mark: String(parts[1]))
    case "e": self = .track(number, mark: String(parts[1]))
    default: return nil
    }
  }

  /// The native part of the picture's id.
  var native: String {
    switch self {
    case .artist(let number, let mark): "a\(number).\(mark)"
    case .folder(let number, let mark): "c\(number).\(mark)"
    case .track(let number, let mark): "e\(number).\(mark)"
    }
  }
}
