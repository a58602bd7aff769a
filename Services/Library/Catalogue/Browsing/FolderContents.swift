import Records
import Storage
import Text

/// The tracks of a folder and of all below it in their order, for a folder in which links lead out of it. Each file
/// comes once, at the first path by which it is found.
struct FolderContents {
  /// A folder with tracks, by the key of the path under which it is shown.
  private struct Part {
    var key: [UInt8]
    /// The path by which the catalogue knows it.
    var path: [UInt8]
  }

  private let transaction: ReadTransaction
  private var parts: [Part] = []
  /// The folders whose contents are among the parts.
  private var included: [[UInt8]] = []

  /// Returns true if a link in a folder or below it leads out of it.
  static func isNeeded(for folder: [UInt8], _ transaction: ReadTransaction) throws -> Bool {
    let (lower, end) = FilePath.range(below: folder)
    return try transaction.value(
      """
      SELECT EXISTS (SELECT 1 FROM music_links WHERE (folder = ?1 OR (folder >= ?2 AND folder < ?3))
        AND NOT (target = ?1 OR (target >= ?2 AND target < ?3)))
      """, folder, lower, end) ?? false
  }

  init(_ folder: [UInt8], _ transaction: ReadTransaction) throws {
    self.transaction = transaction
    var waiting = [(folder: folder, shown: folder)]
    while let next = waiting.popLast() {
      guard !included.contains(where: { FilePath.isWithin(next.folder, $0) }) else { continue }
      included.append(next.folder)
      waiting += try add(next.folder, shownAs: next.shown)
    }
    parts.sort { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// Adds the folders with tracks in one folder, and returns the folders to which links in it lead, the last first.
  private mutating func add(
    _ folder: [UInt8], shownAs shown: [UInt8]
  ) throws -> [(folder: [UInt8], shown: [UInt8])] {
    let (lower, end) = FilePath.range(below: folder)
    func place(_ path: [UInt8]) -> [UInt8] { shown + path.dropFirst(folder.count) }
    let paths: [[UInt8]] = try transaction.values(
      """
      SELECT path FROM folders d WHERE (path = ?1 OR (path >= ?2 AND path < ?3))
        AND EXISTS (SELECT 1 FROM files f WHERE f.folder = d.id AND f.track IS NOT NULL)
      UNION SELECT folder FROM music_links WHERE (folder = ?1 OR (folder >= ?2 AND folder < ?3)) AND file IS NOT NULL
      """, folder, lower, end)
    parts += paths.map { Part(key: NaturalOrder.key(of: place($0)), path: $0) }
    let links = try transaction.rows(
      """
      SELECT folder, name, target, file FROM music_links WHERE (folder = ?1 OR (folder >= ?2 AND folder < ?3))
        AND file IS NULL ORDER BY sort DESC
      """, folder, lower, end, as: LinkRows.link)
    return links.map { (folder: $0.target, shown: place($0.path)) }
  }

  /// Returns the tracks that are shown for the files, from a position on.
  func tracks(from position: Int64, limit: Int) throws -> [Int64] {
    var (passed, found): (Set<Int64>, [Int64]) = ([], [])
    for part in parts {
      let rows = try transaction.rows(
        """
        SELECT k.id, k.shown FROM \(FolderEntries.sql) CROSS JOIN tracks k ON k.id = e.track
        ORDER BY k.disc, ifnull(k.number, 1000000), natural_key(e.name), e.segment
        """, try transaction.value("SELECT id FROM folders WHERE path = ?", part.path) as Int64? ?? 0, part.path
      ) { (track: try $0.value(0) as Int64, shown: try $0.value(1) as Int64) }
      for row in rows where passed.insert(row.track).inserted && passed.count > position {
        found.append(row.shown)
        if found.count == limit { return found }
      }
    }
    return found
  }
}
