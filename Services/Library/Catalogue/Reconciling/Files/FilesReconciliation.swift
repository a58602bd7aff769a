import Messages
package import Model
package import MusicTags
package import Records
package import Storage

/// Updates the catalogue with the result of a scan of the music folders, within one transaction.
package final class FilesReconciliation {
  static let source = MusicFolders.source

  let transaction: Transaction
  let scan: ScanResult
  let known: KnownFiles
  let now: Timestamp
  let rules: TagRules
  var outcome = RefreshOutcome()
  var matching: FileMatching
  var folders: FolderRows
  var albums: AlbumRows
  let writer: CatalogueWriter
  /// True if a folder holds more than one album, by its number.
  var sharedFolders: [Int64: Bool] = [:]
  var deleted: Set<Int64> = []
  /// Those of them whose rows are gone. New rows may have their numbers.
  private var removed: Set<Int64> = []
  /// The folders of files that were not found and stay. The next scan visits them again.
  var held: Set<PathKey> = []
  let departures: DepartedTracks
  /// True until all music folders were read once.
  let isFirstScan: Bool
  /// The lists that were not found at their places, by their stamps; nil until a new one is written.
  var vanishedLists: [FileStamp: FolderLists.Row]?
  /// The tracks that come back.
  var returning: [NewTrack: DepartedTracks.Departed] = [:]
  let roots: [[UInt8]]
  /// The files and folders that the scan could not read.
  let unseen: UnseenPaths
  let acceptsDeletions: Bool
  /// The progress of the refresh; a request to stop it ends the reconciliation with `CancellationError`.
  let progress: RefreshProgress

  package init(
    _ scan: ScanResult, known: KnownFiles, roots: [[UInt8]], rules: TagRules, acceptsDeletions: Bool,
    progress: RefreshProgress, now: Timestamp, followers: [any CatalogueFollower], in transaction: Transaction
  ) throws {
    self.rules = rules
    self.transaction = transaction
    self.scan = scan
    self.known = known
    self.now = now
    self.roots = roots
    unseen = UnseenPaths(scan.unreadable)
    self.acceptsDeletions = acceptsDeletions
    self.progress = progress
    matching = FileMatching(scan, known)
    folders = FolderRows(known, transaction)
    writer = try CatalogueWriter(source: Self.source, now: now, followers: followers, transaction)
    writer.artists.splitter = rules.artists
    albums = AlbumRows(writer)
    departures = DepartedTracks(transaction)
    let isRefreshed: Bool? = try transaction.value(
      "SELECT refreshed_at IS NOT NULL FROM sources WHERE name = ?", Self.source)
    isFirstScan = isRefreshed != true
  }

  /// - Parameter indexing: false if the search index is written later, with that of other portions.
  package func run(indexing: Bool = true) throws -> RefreshOutcome {
    try transaction.expectManyRows()
    outcome.problems = scan.problems
    outcome.unchanged = matching.unchanged + known.others
    outcome.isComplete = !scan.isPartial
    try decideDeletions()
    let touched = touchedFolders()
    for folder in scan.folders {
      if try folders.write(folder, isLost: isLost(folder), isHeld: held.contains(PathKey(folder.path))) {
        outcome.isChanged = true
      }
      if try writeLists(of: folder) { outcome.areListsChanged = true }
    }
    try writeAlbums(in: touched)
    try deleteVanished()
    try removeGoneLists(isPortion: !indexing)
    for album in albums.touchedAlbums { try albums.update(album, try summary(of: album)) }
    try writeArtistPictures()
    try departures.prune(now: now)
    try writer.finish(indexing: indexing)
    outcome.changes = writer.changes
    outcome.problems += try lists.problems()
    outcome.isChanged = outcome.isChanged || outcome.new + outcome.changed + outcome.deleted > 0
    return outcome
  }

  private func decideDeletions() throws {
    var guarding = DeletionGuard(
      matching.vanished, scan: scan, known: known, roots: roots, accepts: acceptsDeletions)
    try recogniseFiles(among: &guarding)
    if !acceptsDeletions {
      let found = matching.seen.count + matching.written.count
      try guarding.holdBackIfTooMany(known: known.count + known.others, found: found + known.others) { [guarding] in
        try DeletionGuard.wholeAlbums(among: guarding.deletable.flatMap { try tracks(of: $0) }, transaction)
      }
    }
    if scan.isPartial { try requireCertainty(of: guarding) }
    outcome.keep(guarding.problems)
    outcome.held = guarding.held
    deleted = Set(guarding.deletions.map(\.file.id))
    held = Set(matching.vanished.filter { !deleted.contains($0.file.id) }.map { PathKey($0.folder) })
    // The tracks of cut files are recognised one by one, as tracks that left and come back.
    let cut = Set(guarding.deletions.filter { $0.file.segments > 0 }.map(\.file.id))
    for file in cut.sorted() { try delete(file: file) }
    removed = cut
    returning = try returningTracks()
  }

  /// Throws `UncertainScan` where a person might have to agree to the deletions, or where a music folder would be left
  /// without music.
  private func requireCertainty(of guarding: DeletionGuard) throws {
    guard guarding.held == 0, guarding.problems.isEmpty else { throw UncertainScan() }
    let vanished = Set(guarding.deletable.map(\.file.id))
    for root in roots where guarding.deletable.contains(where: { FilePath.isWithin($0.folder, root) }) {
      if matching.written.contains(where: { FilePath.isWithin(scan.folders[$0.folder].path, root) }) { continue }
      let (inside, end) = FilePath.range(below: root)
      let files: [Int64] = try transaction.values(
        """
        SELECT f.id FROM folders d CROSS JOIN files f ON f.folder = d.id
        WHERE d.path = ?1 OR (d.path >= ?2 AND d.path < ?3) LIMIT ?4
        """, root, inside, end, vanished.count + 1)
      if files.allSatisfy(vanished.contains) { throw UncertainScan() }
    }
  }

  private func tracks(of missing: FileMatching.MissingFile) throws -> [Int64] {
    if let track = missing.file.track { return [track] }
    return try transaction.values(
      """
      SELECT s.track FROM files f JOIN files s ON s.folder = f.folder AND s.name = f.name AND s.segment > 0
      WHERE f.id = ? AND s.track IS NOT NULL
      """, missing.file.id)
  }

  private func deleteVanished() throws {
    guard !deleted.isEmpty else { return }
    for file in deleted.subtracting(removed).sorted() { try delete(file: file) }
    try folders.removeEmpty(keeping: scan)
  }

  /// Deletes a file's row with its tracks, which are remembered.
  private func delete(file: Int64) throws {
    let rows: [Int64] = try transaction.values(
      """
      SELECT s.id FROM files f JOIN files s ON s.folder = f.folder AND s.name = f.name AND s.segment > 0 WHERE f.id = ?
      """, file)
    for row in rows + [file] { try delete(row: row) }
  }

  /// Deletes one row of a file, and its track, which is remembered.
  func delete(row file: Int64) throws {
    let row = try transaction.row(
      """
      SELECT t.id, t.album, d.path, f.name, f.tags FROM files f JOIN folders d ON d.id = f.folder
      LEFT JOIN tracks t ON t.id = f.track WHERE f.id = ?
      """, file
    ) { row in
      (
        track: try row.value(0) as Int64?, album: try row.value(1) as Int64?, folder: try row.value(2) as [UInt8],
        name: try row.value(3) as [UInt8], tags: try row.value(4) as String
      )
    }
    try transaction.execute("DELETE FROM files WHERE id = ?", file)
    guard let row, let track = row.track, let album = row.album else { return }
    try depart(track, of: album, FileMetadata(packed: row.tags, folder: row.folder, name: row.name, rules))
  }

  /// Deletes a track and remembers it. No row of a file has it any more.
  func depart(_ track: Int64, of album: Int64, _ reading: FileMetadata) throws {
    try departures.add(track: track, TrackRecognition(reading), now: now)
    try writer.delete(track: track)
    albums.touch(album)
    outcome.deleted += 1
  }

  /// Returns the sorted folders whose files have to be grouped again: a file was added, removed or changed, or the
  /// cover.
  private func touchedFolders() -> [[UInt8]] {
    var touched: Set<PathKey> = []
    func touch(_ folder: [UInt8]) { touched.insert(PathKey(AlbumGrouping.albumFolder(of: folder))) }
    let paths = Dictionary(known.folders.values.map { ($0.id, $0.path) }) { $1 }
    for written in matching.written {
      touch(scan.folders[written.folder].path)
      if let before = written.known, let path = paths[before.folder] { touch(path) }
    }
    for file in matching.vanished where deleted.contains(file.file.id) { touch(file.folder) }
    for folder in scan.folders where known.folder(folder.path)?.cover != folder.cover { touch(folder.path) }
    return touched.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Returns true if a folder is on another device and most of its files are missing, so that it may be another folder
  /// at the same path.
  func isLost(_ folder: ScannedFolder) -> Bool {
    guard let before = known.folder(folder.path), before.device != folder.device else { return false }
    return before.files.values.count { matching.seen.contains($0.id) } * 2 < before.files.count
  }
}
