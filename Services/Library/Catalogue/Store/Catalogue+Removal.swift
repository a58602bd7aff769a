import Bus
import Messages
package import Model
import Records
package import Storage

/// Removes a source from the catalogue in batches, so that a rating or a play that is written meanwhile waits for one
/// batch only. After each batch the catalogue is consistent; the next start of the service continues a removal that was
/// interrupted.
extension Catalogue {
  /// The number of albums in a batch: other changes wait for one batch at most.
  private static let portion = 50

  /// Marks a source as being removed.
  package static func beginRemoval(of source: String, _ transaction: Transaction) throws {
    // Without a mark a later refresh would read the source completely.
    try transaction.execute("UPDATE sources SET is_leaving = 1, mark = NULL WHERE name = ?", source)
  }

  /// Removes a batch of a source's albums. Returns false, and removes nothing, where less than a batch is left:
  /// `remove(source:)` removes the rest.
  ///
  /// Counts and facts are written only at the end, as counting reads all tracks.
  package static func removeBatch(
    of source: String, now: Timestamp, _ publisher: ChangePublisher, _ transaction: Transaction
  ) throws -> Bool {
    let albums: [Int64] = try transaction.values("SELECT id FROM albums WHERE source = ? LIMIT ?", source, portion)
    guard albums.count == portion else { return false }
    try transaction.expectManyRows()
    let writer = try CatalogueWriter(source: source, now: now, followers: publisher.followers, transaction)
    for album in albums {
      for track: Int64 in try transaction.values("SELECT id FROM tracks WHERE album = ?", album) {
        try writer.delete(track: track)
      }
      try writer.delete(album: album)
    }
    try writer.finish()
    return true
  }

  /// Removes a source with all that the catalogue has of it. Ratings, plays and pins stay.
  package static func remove(
    source: String, now: Timestamp, _ publisher: ChangePublisher, _ transaction: Transaction
  ) throws {
    try transaction.expectManyRows()
    let writer = try CatalogueWriter(source: source, now: now, followers: publisher.followers, transaction)
    func numbers(_ sql: String) throws -> [Int64] { try transaction.values(sql, source) }
    for track in try numbers("SELECT id FROM tracks WHERE source = ?") { try writer.delete(track: track) }
    for album in try numbers("SELECT id FROM albums WHERE source = ?") { try writer.delete(album: album) }
    for artist in try numbers(
      "SELECT n.artist FROM artist_members m JOIN artist_names n ON n.key = m.key WHERE m.source = ?")
    {
      writer.artists.touch(artist)
    }
    for collection in try numbers("SELECT id FROM collections WHERE source = ?") {
      writer.search.mark(.collection, collection)
    }
    for playlist in try numbers("SELECT id FROM playlists WHERE source = ?") {
      writer.search.mark(.playlist, playlist)
    }
    for sql in [
      "DELETE FROM collection_items WHERE collection IN (SELECT id FROM collections WHERE source = ?)",
      "DELETE FROM playlist_entries WHERE playlist IN (SELECT id FROM playlists WHERE source = ?)",
      "DELETE FROM playlist_undo WHERE playlist IN (SELECT id FROM playlists WHERE source = ?)",
      "DELETE FROM playlist_entries WHERE playlist IN (SELECT id FROM deleted_playlists WHERE source = ?)",
      "DELETE FROM deleted_playlists WHERE source = ?", "DELETE FROM playlist_outbox WHERE source = ?",
      "DELETE FROM opinion_outbox WHERE source = ?",
      "DELETE FROM deleted_collections WHERE source = ?",
      "DELETE FROM collections WHERE source = ?", "DELETE FROM playlists WHERE source = ?",
      "DELETE FROM artist_members WHERE source = ?", "DELETE FROM sections WHERE source = ?",
      "DELETE FROM staged WHERE source = ?", "DELETE FROM runs WHERE source = ?",
      "DELETE FROM sources WHERE name = ?",
    ] { try transaction.execute(sql, source) }
    try writer.finish()
    try countListChange(transaction)
    // The albums of earlier batches are not in `writer.changes`, so the fact is a wide one.
    try countAndPublish(writer.changes, publisher, transaction, isWide: true)
  }
}

/// The music folders that people added, and removing one of them.
extension Catalogue {
  /// Returns these folders, in the order of their addition.
  package static func addedFolders(_ transaction: ReadTransaction) throws -> [[UInt8]] {
    try transaction.values("SELECT path FROM music_folders ORDER BY id")
  }

  package static func add(folder path: [UInt8], now: Timestamp, _ transaction: Transaction) throws {
    try transaction.execute("INSERT OR IGNORE INTO music_folders (path, added_at) VALUES (?, ?)", path, now)
  }

  /// Returns the number of tracks in a folder and below it.
  package static func tracks(below path: [UInt8], _ transaction: ReadTransaction) throws -> Int {
    let (inside, end) = FilePath.range(below: path)
    return try transaction.value(
      """
      SELECT count(*) FROM folders d JOIN files f ON f.folder = d.id
      WHERE (d.path = ?1 OR (d.path >= ?2 AND d.path < ?3)) AND f.track IS NOT NULL
      """, path, inside, end) ?? 0
  }

  /// Removes folders that people added, and their music from the catalogue, except music that is also in a folder that
  /// stays. Ratings and plays stay.
  ///
  /// The disk is not read: the catalogue is reconciled with the stored files of the other folders.
  package static func remove(
    folders: [[UInt8]], staying: [[UInt8]], now: Timestamp, _ publisher: ChangePublisher, _ transaction: Transaction
  ) throws {
    let clock = ContinuousClock.now
    for path in folders { try transaction.execute("DELETE FROM music_folders WHERE path = ?", path) }
    let known = try knownFiles(transaction)
    let rest = known.asFound { path in
      !folders.contains { FilePath.isWithin(path, $0) } || staying.contains { FilePath.isWithin(path, $0) }
    }
    let reconciliation = try FilesReconciliation(
      rest, known: known, roots: staying, rules: try tagRules(transaction), acceptsDeletions: true,
      progress: RefreshProgress(), now: now, followers: publisher.followers, in: transaction)
    let outcome = try reconciliation.run()
    guard outcome.isChanged || outcome.areListsChanged else { return }
    _ = try finishRun(
      of: MusicFolders.source, nil, started: now, now: now, seconds: clock.duration(to: .now).inSeconds, outcome,
      publisher, transaction)
  }
}

extension KnownFiles {
  /// Returns what a scan of some folders would find if nothing had changed.
  func asFound(_ isWanted: ([UInt8]) -> Bool) -> ScanResult {
    var result = ScanResult()
    for folder in folders.values where isWanted(folder.path) {
      var found = ScannedFolder(
        path: folder.path, device: folder.device, cover: folder.cover, artistPicture: folder.artistPicture,
        digest: folder.digest, sheets: folder.sheets)
      found.files = folder.files.map { name, file in
        ScannedFile(FolderEntry(name: name.bytes, stamp: file.stamp, isLink: false), .same(file))
      }
      result.devices[PathKey(folder.path)] = folder.device
      result.folders.append(found)
    }
    result.folders.sort { $0.path.lexicographicallyPrecedes($1.path) }
    return result
  }
}
