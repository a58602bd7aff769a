import Messages
import Model
import Storage

/// Writing what a server says of artists. Several of one name are one artist.
extension ServerReconciliation {
  /// Writes what is new and different, and deletes what the server no longer has.
  func writeArtists() throws {
    var natives: [String] = []
    _ = try transaction.rows(
      """
      SELECT s.native, s.body, m.digest FROM staged s
      LEFT JOIN artist_members m ON m.source = s.source AND m.native = s.native WHERE s.source = ? AND s.kind = 1
      """, source
    ) { row in
      if try row.value(2) as Int64? != contentHash(of: try row.value(1) as [UInt8]) { natives.append(try row.value(0)) }
    }
    for native in natives {
      try checkStop()
      guard let (artist, digest) = try record(ServerArtist.self, .artist, native) else { continue }
      try touchArtist(native)
      try transaction.execute(
        """
        INSERT OR REPLACE INTO artist_members (source, native, key, guid, mbid, art, summary, genres, rating, section,
          digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, source, native, ArtistRows.key(of: artist.name), artist.guid, artist.artistID, artist.art, artist.summary,
        TextList.packed(artist.genres), artist.rating, artist.section, digest)
      try touchArtist(native)
      outcome.isChanged = true
    }
    guard reading.isComplete else { return }
    let isStaged =
      reading.scope == .everything ? "s.kind = 1 AND s.native = m.native" : "s.kind = 6 AND s.native = '1:' || m.native"
    // A server that does not tell of artists at all keeps what is known of them.
    let gone = try transaction.rows(
      """
      SELECT native FROM artist_members m WHERE source = ?1 AND NOT EXISTS
        (SELECT 1 FROM staged s WHERE s.source = ?1 AND \(isStaged)) AND EXISTS
        (SELECT 1 FROM staged s WHERE s.source = ?1 AND (s.kind = 1 OR s.native LIKE '1:%'))
      """, source
    ) { try $0.value(0) as String }
    for native in gone {
      try touchArtist(native)
      try transaction.execute("DELETE FROM artist_members WHERE source = ? AND native = ?", source, native)
      outcome.isChanged = true
    }
  }

  private func touchArtist(_ native: String) throws {
    let key = try transaction.row("SELECT key FROM artist_members WHERE source = ? AND native = ?", source, native) {
      try $0.value(0) as String
    }
    if let key { try writer.artists.touch(key: key) }
  }
}
