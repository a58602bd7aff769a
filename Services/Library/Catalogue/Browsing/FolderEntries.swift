import Records
import Storage
import Text

/// The folders and tracks that a folder shows: its own, and those to which links in it lead.
///
/// Paths are those by which the catalogue knows folders (`LinkRows.resolve`).
struct FolderEntries {
  let transaction: ReadTransaction

  /// The names, segments and tracks `e` in a folder: of its files, and of its links to files. The parameters are the
  /// number of the folder, and its path.
  static let sql = """
    (SELECT f.name, f.segment, f.track FROM files f WHERE f.folder = ? UNION ALL
      SELECT l.name, f.segment, f.track FROM music_links l CROSS JOIN folders d ON d.path = l.target
      CROSS JOIN files f ON f.folder = d.id AND f.name = l.file WHERE l.folder = ?) e
    """

  private static let holdsTracks = "EXISTS (SELECT 1 FROM files f WHERE f.folder = d.id AND f.track IS NOT NULL)"
  /// The most links to folders of links that are followed to find out whether there is music behind them.
  private static let mostDepth = 4

  /// A row that shows a folder: its own, that of a link to a folder, or that of a link to a file in it.
  private struct Candidate {
    /// The key of the folder's path.
    var key: [UInt8]
    var path: [UInt8]
  }

  /// Returns the first folder directly in another from a key on, and the key from which on the others are found. The
  /// indexes of keys are read at one place for each, however much is in the folders.
  ///
  /// In this order `a b` is between `a` and `a/c`. A folder with music of its own is found by its own row, and the rows
  /// below it are passed over later.
  func folder(in parent: [UInt8], from start: [UInt8]) throws -> (path: [UInt8], next: [UInt8])? {
    let (lower, end) = (FolderRange(parent).lower, FolderRange.inOrder(parent).upper)
    var start = start
    while let found = try candidate(from: start, to: end) {
      let path = lower + found.path.dropFirst(lower.count).prefix { $0 != UInt8(ascii: "/") }
      if path == found.path { return (path, found.key + [1]) }
      let key = NaturalOrder.key(of: path)
      start = FolderRange.inOrder(path).upper
      if try candidate(from: key, to: key + [0]) == nil { return (path, start) }
    }
    return nil
  }

  /// Returns true if the library has something in a folder or below it.
  func isKnown(_ folder: [UInt8]) throws -> Bool {
    let range = FolderRange(folder)
    let isFolder: Bool? = try transaction.value(
      "SELECT 1 FROM folders d WHERE \(range.condition) LIMIT 1", folder, range.lower, range.upper)
    return try isFolder == true || isLinked(folder, depth: 0)
  }

  /// Returns the first row from one key on and before another.
  private func candidate(from start: [UInt8], to end: [UInt8]) throws -> Candidate? {
    let own = try transaction.row(
      "SELECT sort, path FROM folders d WHERE d.sort >= ? AND d.sort < ? AND \(Self.holdsTracks) ORDER BY d.sort LIMIT 1",
      start, end
    ) { Candidate(key: try $0.value(0), path: try $0.value(1)) }
    let linked = try linked(from: start, to: own?.key ?? end, depth: 0)
    return linked ?? own
  }

  /// Returns the first link to music from one key on and before another.
  private func linked(from start: [UInt8], to end: [UInt8], depth: Int) throws -> Candidate? {
    var (key, folder, name): ([UInt8], [UInt8], [UInt8]) = (start, [], [])
    while true {
      let row = try transaction.row(
        """
        SELECT folder, name, target, file, sort FROM music_links WHERE (sort, folder, name) > (?, ?, ?) AND sort < ?
        ORDER BY sort, folder, name LIMIT 1
        """, key, folder, name, end
      ) { (link: try LinkRows.link($0), key: try $0.value(4) as [UInt8]) }
      guard let row else { return nil }
      if try leadsToMusic(row.link, depth: depth) {
        return Candidate(key: row.key, path: row.link.file == nil ? row.link.path : row.link.folder)
      }
      key = row.key
      folder = row.link.folder
      name = row.link.name
    }
  }

  private func leadsToMusic(_ link: MusicLink, depth: Int) throws -> Bool {
    guard let file = link.file else { return try holdsMusic(link.target, depth: depth + 1) }
    let isTrack: Bool? = try transaction.value(
      """
      SELECT 1 FROM folders d CROSS JOIN files f ON f.folder = d.id AND f.name = ? WHERE d.path = ?
        AND f.track IS NOT NULL LIMIT 1
      """, file, link.target)
    return isTrack == true
  }

  private func holdsMusic(_ folder: [UInt8], depth: Int) throws -> Bool {
    let range = FolderRange(folder)
    let isFolder: Bool? = try transaction.value(
      "SELECT 1 FROM folders d WHERE \(range.condition) AND \(Self.holdsTracks) LIMIT 1", folder, range.lower,
      range.upper)
    return try isFolder == true || isLinked(folder, depth: depth)
  }

  /// Returns true if links in a folder or below it lead to music.
  private func isLinked(_ folder: [UInt8], depth: Int) throws -> Bool {
    guard depth < Self.mostDepth else { return false }
    let (key, range) = (NaturalOrder.key(of: folder), FolderRange.inOrder(folder))
    return try linked(from: key, to: key + [0], depth: depth) != nil
      || linked(from: range.lower, to: range.upper, depth: depth) != nil
  }
}
