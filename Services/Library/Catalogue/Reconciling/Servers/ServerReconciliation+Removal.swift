import Messages
import Model
import Records
import Storage

/// Leaves out records of unwanted sections, and removes tracks that are gone.
extension ServerReconciliation {
  /// Deletes the staged records of sections that a person has switched off during the reading. A switch of any section
  /// makes the next refresh read everything.
  func skipUnwanted() throws {
    let sections = try transaction.rows("SELECT key, is_on FROM sections WHERE source = ?", source) { row in
      (key: try row.value(0) as String, isOn: try row.value(1) as Bool)
    }
    unread = sections.filter { $0.isOn && reading.sections.off.contains($0.key) }.map(\.key)
    let unwanted = sections.filter { !$0.isOn && reading.sections.on.contains($0.key) }.map(\.key)
    isOutdated = !unwanted.isEmpty || !unread.isEmpty
    for section in unwanted {
      try transaction.execute(
        """
        DELETE FROM staged WHERE source = ? AND kind <= 4 AND json_extract(CAST(body AS TEXT), '$.section') = ?
        """, source, section)
    }
  }

  /// Returns the tracks of sections that a person switched off, and the tracks that the server no longer has.
  func findLost(beside displaced: [Int64]) throws -> (switchedOff: [Int64], lost: [Int64]) {
    let off = try transaction.rows(
      """
      SELECT id FROM tracks WHERE source = ?1
        AND (section IN (SELECT key FROM sections WHERE source = ?1 AND is_on = 0)
          OR (section IS NULL AND EXISTS (SELECT 1 FROM sections WHERE source = ?1)
            AND NOT EXISTS (SELECT 1 FROM sections WHERE source = ?1 AND is_on)))
      """, source
    ) { try $0.value(0) as Int64 }
    guard reading.hasAll else { return (off, Set(displaced).subtracting(off).sorted()) }
    let (track, key) = (StagingTable.Kind.track.sql, StagingTable.Kind.key.sql)
    let found =
      reading.scope == .everything
      ? "s.kind = \(track) AND s.native = t.native" : "s.kind = \(key) AND s.native = '\(track):' || t.native"
    let isStaged = "SELECT 1 FROM staged s WHERE s.source = t.source AND \(found)"
    let missing = try transaction.rows(
      "SELECT id, section FROM tracks t WHERE source = ? AND NOT EXISTS (\(isStaged)) ORDER BY id", source
    ) { row in (row: try row.value(0) as Int64, section: try row.value(1) as String?) }
    .filter { track in !(track.section.map(unread.contains) ?? false) }.map(\.row)
    let lost = Set(missing).union(displaced).subtracting(off)
    return (off, lost.sorted())
  }

  /// Returns the tracks to delete: all of them, or none if a person has to agree first (`DeletionGuard.problem`).
  func holdBackIfTooMany(_ vanished: [Int64], known: Int) throws -> [Int64] {
    if acceptsDeletions { return vanished }
    let problem = try DeletionGuard.problem(losing: vanished.count, of: known, isAll: vanished.count == known) {
      try DeletionGuard.wholeAlbums(among: vanished, transaction)
    }
    guard let problem else { return vanished }
    outcome.held = vanished.count
    outcome.problems.append(problem)
    return []
  }

  func delete(_ tracks: [Int64]) throws {
    for track in tracks {
      try checkStop()
      let album = try transaction.row("SELECT album FROM tracks WHERE id = ?", track) { try $0.value(0) as Int64 }
      if let album { touchedAlbums.insert(album) }
      try writer.delete(track: track)
    }
  }
}
