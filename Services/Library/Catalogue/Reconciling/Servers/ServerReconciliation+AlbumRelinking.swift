import Messages
import Model
import Records
import Storage

/// Finds the rows of albums whose ids at the server have changed.
extension ServerReconciliation {
  /// Assigns staged albums to the rows of albums whose tracks were relinked, by the majority of the tracks. Returns the
  /// server's ids of these albums.
  func followTracks(
    _ changes: StagedChanges, _ links: [String: Int64], _ rows: inout [String: Int64]
  ) throws -> Set<String> {
    var votes: [String: [Int64: Int]] = [:]
    for (native, row) in links {
      guard let track = try record(ServerTrack.self, .track, native)?.record else { continue }
      let album = try transaction.row("SELECT album FROM tracks WHERE id = ?", row) { try $0.value(0) as Int64 }
      guard let album, try !isStillThere(album) else { continue }
      votes[track.album, default: [:]][album, default: 0] += 1
    }
    var taken: Set<Int64> = []
    for native in votes.keys.sorted(by: StagedChanges.isBefore) {
      // An unchanged album keeps its row, even if tracks of another album were moved to it.
      if let own = rows[native], try isStillThere(own) { continue }
      let best = votes[native]?.filter { !taken.contains($0.key) }.max { ($0.value, $1.key) < ($1.value, $0.key) }
      rows[native] = best?.key
      if let best { taken.insert(best.key) }
    }
    // A row that was assigned to another album no longer belongs to its old id.
    for (native, row) in rows where taken.contains(row) && votes[native]?[row] == nil { rows[native] = nil }
    return Set(votes.keys.filter { rows[$0] != nil })
  }

  /// Returns true if the server still has the album of a row under the same id.
  func isStillThere(_ row: Int64) throws -> Bool {
    let known = try transaction.row("SELECT key, merge_key, guid FROM albums WHERE id = ?", row) { row in
      (native: try row.value(0) as String, key: try row.value(1) as String, guid: try row.value(2) as String?)
    }
    guard let known else { return false }
    guard let album = try record(ServerAlbum.self, .album, known.native)?.record else { return reading.scope == .delta }
    return mergeKey(of: album) == known.key || (Self.isGlobal(album.guid) && album.guid == known.guid)
  }

  /// Returns true if the staged album under a row's id is still the album of the row, and not another one with that id:
  /// it has the row's name, its guid or one of its tracks.
  func isSame(_ native: String, _ row: Int64, displaced: Set<Int64>) throws -> Bool {
    if try isStillThere(row) { return true }
    let tracks = try transaction.rows("SELECT id, native FROM tracks WHERE album = ?", row) { row in
      (row: try row.value(0) as Int64, native: try row.value(1) as String?)
    }
    return try tracks.contains { track in
      guard let id = track.native, !displaced.contains(track.row) else { return false }
      // A delta does not contain unchanged tracks.
      guard let staged = try record(ServerTrack.self, .track, id)?.record else { return reading.scope == .delta }
      return staged.album == native
    }
  }

  /// Assigns new albums to the rows of albums that the server no longer has, by guid or by name.
  func linkAlone(_ new: [String], _ rows: inout [String: Int64]) throws {
    guard !new.isEmpty, reading.scope == .everything else { return }
    var taken = Set(rows.values)
    let lost = try transaction.rows(
      """
      SELECT id, guid, merge_key FROM albums a WHERE source = ? AND NOT EXISTS
        (SELECT 1 FROM staged s
          WHERE s.source = a.source AND s.kind = \(StagingTable.Kind.album.sql) AND s.native = a.key)
      ORDER BY id
      """, source
    ) { row in (row: try row.value(0) as Int64, guid: try row.value(1) as String?, key: try row.value(2) as String) }
    .filter { !taken.contains($0.row) }
    guard !lost.isEmpty else { return }
    let guids = Dictionary(lost.compactMap { row in row.guid.map { ($0, row.row) } }) { first, _ in first }
    let keys = Dictionary(lost.map { ($0.key, $0.row) }) { first, _ in first }
    for native in new where rows[native] == nil {
      guard let album = try record(ServerAlbum.self, .album, native)?.record else { continue }
      let guid = Self.isGlobal(album.guid) ? album.guid : nil
      guard let row = guid.flatMap({ guids[$0] }) ?? keys[mergeKey(of: album)], taken.insert(row).inserted else {
        continue
      }
      rows[native] = row
    }
  }
}
