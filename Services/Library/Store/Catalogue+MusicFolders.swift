import Bus
import Messages
import Model
import Storage

/// The folders of music that people added, and leaving one of them.
extension Catalogue {
  /// Where they are kept: a person's words, which no refresh touches.
  static let musicFolders = Migration(
    "catalogue-folders-4",
    "CREATE TABLE music_folders (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, added_at INTEGER NOT NULL)")

  /// The folders that people added, in the order they came.
  static func addedFolders(_ transaction: ReadTransaction) throws -> [[UInt8]] {
    try transaction.rows("SELECT path FROM music_folders ORDER BY id") { try $0.value(0) as [UInt8] }
  }

  /// Notes a folder.
  static func add(folder path: [UInt8], now: Timestamp, _ transaction: Transaction) throws {
    try transaction.execute("INSERT OR IGNORE INTO music_folders (path, added_at) VALUES (?, ?)", path, now)
  }

  /// How many tracks lie in a folder and below it.
  static func tracks(below path: [UInt8], _ transaction: ReadTransaction) throws -> Int {
    let (inside, end) = FilePath.range(below: path)
    return try transaction.row(
      """
      SELECT count(*) FROM folders d JOIN files f ON f.folder = d.id
      WHERE (d.path = ?1 OR (d.path >= ?2 AND d.path < ?3)) AND f.track IS NOT NULL
      """, path, inside, end
    ) { try $0.value(0) } ?? 0
  }

  /// Forgets folders that people added, and takes what was found there out of the catalogue, but for what lies in one of
  /// the folders that stay. What people did with it stays as well.
  ///
  /// The disk is not looked at: the catalogue is brought in line with what is known of the other folders.
  static func leave(
    folders: [[UInt8]], staying: [[UInt8]], now: Timestamp, journal: Journal?, _ transaction: Transaction
  ) throws {
    let clock = ContinuousClock.now
    for path in folders { try transaction.execute("DELETE FROM music_folders WHERE path = ?", path) }
    let known = try knownFiles(transaction)
    let rest = known.asFound { path in
      !folders.contains { FilePath.isWithin(path, $0) } || staying.contains { FilePath.isWithin(path, $0) }
    }
    let reconciliation = try FilesReconciliation(
      rest, known: known, roots: staying, acceptsDeletions: true, progress: RefreshProgress(), now: now, in: transaction)
    let outcome = try reconciliation.run()
    guard outcome.isChanged else { return }
    _ = try finishRun(
      of: FilesSource.name, started: now, now: now, seconds: clock.duration(to: .now).inSeconds, outcome,
      problemsOfFiles: true, journal: journal, transaction)
  }
}

extension KnownFiles {
  /// What is known of some folders as a scan would find it where nothing changed.
  func asFound(_ isWanted: ([UInt8]) -> Bool) -> ScanResult {
    var result = ScanResult()
    for folder in folders.values where isWanted(folder.path) {
      var found = ScannedFolder(
        path: folder.path, device: folder.device, cover: folder.cover, artistPicture: folder.artistPicture)
      found.files = folder.files.map { name, file in
        ScannedFile(FolderListing.Entry(name: name.bytes, stamp: file.stamp, isLink: false), .same(file))
      }
      result.devices[PathKey(folder.path)] = folder.device
      result.folders.append(found)
    }
    result.folders.sort { $0.path.lexicographicallyPrecedes($1.path) }
    return result
  }
}
