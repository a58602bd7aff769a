package import Records
package import Storage
import Text

/// The rows of symbolic links to music that the catalogue knows by another path.
///
/// A scan notes where they lead, so that browsing and playing never wait for a disk. Files behind them are in the
/// catalogue once.
package enum LinkRows {
  private struct Key: Hashable {
    var folder: [UInt8]
    var name: [UInt8]
  }

  /// The most links that are followed for one path.
  private static let mostSteps = 40

  /// Writes the links that a scan found; only the differences.
  ///
  /// - Parameter roots: the music folders.
  package static func write(_ scan: ScanResult, roots: [[UInt8]], _ transaction: Transaction) throws {
    guard !scan.isPartial else { return try forget(scan, transaction) }
    let unseen = UnseenPaths(scan.unreadable)
    var found = Dictionary(scan.links.found.map { (Key(folder: $0.folder, name: $0.name), $0) }) { $1 }
    for link in try transaction.rows("SELECT folder, name, target, file FROM music_links", as: link) {
      let key = Key(folder: link.folder, name: link.name)
      if found[key] == link {
        found[key] = nil
      } else if found[key] == nil, isGone(link, scan, unseen, roots) {
        try transaction.execute("DELETE FROM music_links WHERE folder = ? AND name = ?", link.folder, link.name)
      }
    }
    for link in found.values {
      let place = link.file == nil ? FilePath.join(link.folder, link.name) : link.folder
      try transaction.execute(
        "INSERT OR REPLACE INTO music_links (folder, name, sort, target, file) VALUES (?, ?, ?, ?, ?)", link.folder,
        link.name, NaturalOrder.key(of: place), link.target, link.file)
    }
  }

  /// Forgets the links in folders that a scan of some folders found without any, and in those that are gone.
  private static func forget(_ scan: ScanResult, _ transaction: Transaction) throws {
    for folder in scan.links.linkless { try transaction.execute("DELETE FROM music_links WHERE folder = ?", folder) }
    for folder in scan.leftOut.gone {
      let (inside, end) = FilePath.range(below: folder)
      try transaction.execute(
        "DELETE FROM music_links WHERE folder = ? OR (folder >= ? AND folder < ?)", folder, inside, end)
    }
  }

  /// Returns true if a link that was not found is gone: not where its folder could not be read, or its music folder
  /// seems empty, as that of a share that is away.
  private static func isGone(
    _ link: MusicLink, _ scan: ScanResult, _ unseen: UnseenPaths, _ roots: [[UInt8]]
  ) -> Bool {
    guard let root = roots.first(where: { FilePath.isWithin(link.folder, $0) }) else { return true }
    guard !unseen.cover(FilePath.join(link.folder, link.name)) else { return false }
    return scan.roots.contains(root) || scan.links.found.contains { FilePath.isWithin($0.folder, root) }
  }

  static func link(_ row: borrowing Row) throws -> MusicLink {
    MusicLink(
      folder: try row.value(0), name: try row.value(1), target: try row.value(2), file: try row.value(3))
  }

  /// Returns the path by which the catalogue knows a folder: each link in it is replaced by what it leads to.
  package static func resolve(_ path: [UInt8], _ transaction: ReadTransaction) throws -> [UInt8] {
    var path = path
    for _ in 0..<mostSteps {
      guard let next = try follow(path, transaction) else { break }
      path = next
    }
    return path
  }

  /// Replaces the first link in a path; nil where there is none.
  private static func follow(_ path: [UInt8], _ transaction: ReadTransaction) throws -> [UInt8]? {
    let isAny: Bool? = try transaction.value("SELECT EXISTS (SELECT 1 FROM music_links WHERE file IS NULL)")
    guard isAny == true else { return nil }
    let slash = UInt8(ascii: "/")
    for end in path.indices.dropFirst() + [path.endIndex] where end == path.endIndex || path[end] == slash {
      let start = Array(path[..<end])
      guard let folder = FilePath.parent(start) else { continue }
      let target: [UInt8]? = try transaction.value(
        "SELECT target FROM music_links WHERE folder = ? AND name = ? AND file IS NULL", folder, FilePath.name(start))
      guard let target else { continue }
      let rest = path[end...].drop { $0 == slash }
      return rest.isEmpty ? target : FilePath.join(target, Array(rest))
    }
    return nil
  }
}
