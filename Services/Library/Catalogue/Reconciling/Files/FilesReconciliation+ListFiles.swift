import Model
import Records
import Storage

/// Writes the list files of music folders, and removes those that are gone.
extension FilesReconciliation {
  private struct GoneList {
    var row: FolderLists.Row
    var folder: KnownFiles.Folder
    /// True if nothing is left in its folder, or the folder itself is gone, and no music was in it.
    var isOfEmptyFolder: Bool
  }

  var lists: FolderLists { FolderLists(source: Self.source, writer: writer, transaction: transaction) }

  /// Writes the list files of a folder. Where another device may be mounted at its path, they stay as they are.
  func writeLists(of folder: ScannedFolder) throws -> Bool {
    guard let found = folder.lists, let row = folders.at(folder.path), !isLost(folder) else { return false }
    return try lists.write(found, of: row.id, at: folder.path) { stamp in
      if vanishedLists == nil {
        // A list that is found here has left a folder that cannot be read.
        let missing = try missingLists(withUnread: true).filter(\.row.stamp.identifiesFile)
        // Without a number that lasts, size and time tell, if the list is gone for certain.
        let gone = try missingLists().filter { !$0.row.stamp.identifiesFile && $0.row.stamp.size > 0 }
        let single = Dictionary(grouping: gone) { $0.row.stamp }.values.filter { $0.count == 1 }.joined()
        vanishedLists = Dictionary((missing + single).map { ($0.row.stamp, $0.row) }) { first, _ in first }
      }
      return vanishedLists?.removeValue(forKey: stamp)
    }
  }

  /// Removes the lists whose files are gone, and the folders in which nothing else was, by the rule for tracks: nothing
  /// is removed in a folder that is on another device than before, nor in a music folder that has lost all its music. A
  /// person has to agree where a quarter of all lists or more are gone, if these are at least five, or nothing is left
  /// in a folder of lists.
  ///
  /// - Parameter isPortion: true if a scan of all folders is still to decide.
  func removeGoneLists(isPortion: Bool) throws {
    var (gone, held): ([GoneList], [GoneList]) = ([], [])
    let missing = try missingLists()
    let areOthersUnread = try !missing.isEmpty && !acceptsDeletions && scan.unreadable.contains(where: isUnknownList)
    for list in missing {
      if isPortion || areOthersUnread || self.held.contains(PathKey(list.folder.path))
        || !acceptsDeletions && hasLostAllMusic(list.folder.path)
      {
        held.append(list)
      } else {
        gone.append(list)
      }
    }
    let isMuch = gone.count >= Self.fewLists || gone.contains(where: \.isOfEmptyFolder)
    if !acceptsDeletions, isMuch, ListDeletionRule.asks(losing: gone.count, of: try lists.count) {
      if scan.isPartial { throw UncertainScan() }
      outcome.keep([SourceError.heldLists(playlists: gone.count, "the music folders")])
      held = held + gone
      gone = []
    }
    // The next scan visits these folders again.
    for folder in Set(held.map(\.folder.id)) {
      try transaction.execute("UPDATE folders SET digest = 0 WHERE id = ?", folder)
    }
    for list in gone { try lists.remove(list.row, at: list.folder.path) }
    if !gone.isEmpty {
      outcome.areListsChanged = true
      try folders.removeEmpty(keeping: scan)
    }
    for folder in known.folders.values where folder.isVisited && isGone(folder) {
      try transaction.execute(
        """
        DELETE FROM folders WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM files WHERE folder = ?1)
          AND NOT EXISTS (SELECT 1 FROM list_files WHERE folder = ?1)
        """, folder.id)
    }
  }

  /// Returns true for the path of a list file that is not stored: one that cannot be read may have moved there.
  private func isUnknownList(_ path: [UInt8]) throws -> Bool {
    guard ScannedList.isName(FilePath.name(path)), let folder = FilePath.parent(path) else { return false }
    let isKnown: Bool? = try transaction.value(
      "SELECT EXISTS (SELECT 1 FROM list_files WHERE folder = (SELECT id FROM folders WHERE path = ?) AND name = ?)",
      folder, FilePath.name(path))
    return isKnown != true
  }

  /// The number of missing list files from which a person has to agree, if they are a quarter of all.
  private static let fewLists = 5

  /// Returns the stored lists whose files were not found in folders that were read, or whose folders are gone.
  ///
  /// - Parameter withUnread: true for those in folders that could not be read as well.
  private func missingLists(withUnread: Bool = false) throws -> [GoneList] {
    let found = Dictionary(scan.folders.map { (PathKey($0.path), $0) }) { $1 }
    var missing: [GoneList] = []
    for folder in known.folders.values.sorted(by: { $0.id < $1.id }) where folder.isVisited {
      var names: Set<[UInt8]> = []
      if let scanned = found[PathKey(folder.path)] {
        guard let there = scanned.lists, !isLost(scanned) else { continue }
        if there.isEmpty, folder.device != scanned.device { continue }
        names = Set(there.map(\.name))
      } else if !withUnread, !isGone(folder) {
        continue
      }
      let isEmpty = names.isEmpty && folder.files.isEmpty
      missing += try lists.rows(of: folder.id)
        .filter { !names.contains($0.name) && (withUnread || !unseen.cover(FilePath.join(folder.path, $0.name))) }
        .map { GoneList(row: $0, folder: folder, isOfEmptyFolder: isEmpty) }
    }
    return missing
  }

  /// Returns true for a folder that was not found, though the nearest one above it was read, on the same device; also
  /// for one in a music folder that was taken out.
  private func isGone(_ folder: KnownFiles.Folder) -> Bool {
    guard scan.devices[PathKey(folder.path)] == nil else { return false }
    guard roots.contains(where: { FilePath.isWithin(folder.path, $0) }) else { return true }
    if unseen.cover(folder.path) { return false }
    var above = FilePath.parent(folder.path)
    while let path = above {
      if let device = scan.devices[PathKey(path)] { return device == folder.device }
      above = FilePath.parent(path)
    }
    return false
  }

  /// Returns true for a path in a music folder that had music and has none now, so that its disk may be away.
  private func hasLostAllMusic(_ path: [UInt8]) -> Bool {
    guard let root = roots.first(where: { FilePath.isWithin(path, $0) }), !scan.roots.contains(root) else {
      return false
    }
    return known.folders.values.contains { !$0.files.isEmpty && FilePath.isWithin($0.path, root) }
  }
}
