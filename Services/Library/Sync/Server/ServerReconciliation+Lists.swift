import Messages
import Model
import Storage
import Text

/// Writing a server's collections and playlists.
extension ServerReconciliation {
  /// Writes what is new and different, and deletes what the server no longer has.
  func writeLists() throws {
    for native in try changed(.collection, "collections") {
      guard let (collection, digest) = try record(ServerCollection.self, .collection, native) else { continue }
      let row = try row(of: native, title: collection.title, .collection, "collections")
      try write(collection, digest, row: row)
    }
    for native in try changed(.playlist, "playlists") {
      guard let (playlist, digest) = try record(ServerPlaylist.self, .playlist, native) else { continue }
      let row = try row(of: native, title: playlist.title, .playlist, "playlists")
      try write(playlist, digest, row: row)
    }
    try deleteGone(.collection, "collections", items: "collection_items", "collection")
    try deleteGone(.playlist, "playlists", items: "playlist_items", "playlist")
  }

  private func changed(_ kind: StagingTable.Kind, _ table: String) throws -> [String] {
    var natives: [String] = []
    _ = try transaction.rows(
      """
      SELECT s.native, s.body, c.digest FROM staged s LEFT JOIN \(table) c ON c.source = s.source
        AND c.native = s.native WHERE s.source = ? AND s.kind = ?
      """, source, kind.rawValue
    ) { row in
      if try row.value(2) as Int64? != contentHash(of: try row.value(1) as [UInt8]) { natives.append(try row.value(0)) }
    }
    return natives.sorted(by: StagedChanges.isBefore)
  }

  /// The row of a list: that of its id, or that of its title where the server no longer has the row's id.
  private func row(of native: String, title: String, _ kind: StagingTable.Kind, _ table: String) throws -> Int64? {
    let known = try transaction.row("SELECT id FROM \(table) WHERE source = ? AND native = ?", source, native) {
      try $0.value(0) as Int64
    }
    guard known == nil, reading.scope == .everything else { return known }
    return try transaction.row(
      """
      SELECT id FROM \(table) c WHERE source = ?1 AND title = ?2 AND NOT EXISTS
        (SELECT 1 FROM staged s WHERE s.source = ?1 AND s.kind = ?3 AND s.native = c.native) ORDER BY id
      """, source, title, kind.rawValue
    ) { try $0.value(0) as Int64 }
  }

  private func write(_ collection: ServerCollection, _ digest: Int64, row: Int64?) throws {
    let number = row ?? writer.numbers.nextCollection()
    if let row {
      let place = try transaction.row("SELECT search_row FROM collections WHERE id = ?", row) {
        try $0.value(0) as Int64?
      }
      writer.search.remove(place ?? nil)
    }
    try transaction.execute(
      """
      INSERT INTO collections (id, source, native, title, title_sort, summary, art, section, digest)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      ON CONFLICT (id) DO UPDATE SET native = ?3, title = ?4, title_sort = ?5, summary = ?6, art = ?7, section = ?8,
        digest = ?9, search_row = NULL
      """, number, source, collection.native, collection.title,
      SortKey.of(collection.titleSort ?? collection.title), collection.summary,
      collection.art.map { "\(source):\($0)" }, collection.section, digest)
    try transaction.execute("DELETE FROM collection_items WHERE collection = ?", number)
    for (position, item) in collection.items.enumerated() {
      try transaction.execute(
        "INSERT INTO collection_items (collection, position, native) VALUES (?, ?, ?)", number, position, item)
    }
    outcome.isChanged = true
  }

  private func write(_ playlist: ServerPlaylist, _ digest: Int64, row: Int64?) throws {
    let number = row ?? writer.numbers.nextPlaylist()
    try transaction.execute(
      """
      INSERT INTO playlists (id, source, native, title, title_sort, is_smart, art, digest)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT (id) DO UPDATE SET native = ?3, title = ?4, title_sort = ?5, is_smart = ?6, art = ?7, digest = ?8
      """, number, source, playlist.native, playlist.title, SortKey.of(playlist.title), playlist.isSmart,
      playlist.art.map { "\(source):\($0)" }, digest)
    try transaction.execute("DELETE FROM playlist_items WHERE playlist = ?", number)
    for (position, item) in playlist.items.enumerated() {
      try transaction.execute(
        "INSERT INTO playlist_items (playlist, position, native) VALUES (?, ?, ?)", number, position, item)
    }
    outcome.isChanged = true
  }

  private func deleteGone(_ kind: StagingTable.Kind, _ table: String, items: String, _ column: String) throws {
    let section = kind == .collection ? "ifnull(c.section, '')" : "''"
    func isStaged(_ kind: StagingTable.Kind, _ native: String) -> String {
      "EXISTS (SELECT 1 FROM staged s WHERE s.source = ?1 AND s.kind = \(kind.rawValue) AND s.native = \(native))"
    }
    let (record, id) = (isStaged(kind, "c.native"), isStaged(.key, "'\(kind.rawValue):' || c.native"))
    // Where ids were read, and none of this kind, the server was not asked for them. Beside them, or a delta, single
    // lists may have been read whole.
    let areIdsThere =
      reading.hasKeys
      ? "EXISTS (SELECT 1 FROM staged WHERE source = ?1 AND kind = 6 AND native LIKE '\(kind.rawValue):%')" : "0"
    let isWhole = isStaged(.whole, "'\(kind.rawValue):' || \(section)")
    let isGone =
      reading.scope == .everything && reading.isWhole
      ? "NOT \(record)" : "((\(isWhole) AND NOT \(record)) OR (\(areIdsThere) AND NOT \(id)))"
    let place = kind == .collection ? "search_row" : "NULL"
    let gone = try transaction.rows(
      """
      SELECT id, \(place) FROM \(table) c WHERE source = ?1 AND \(isGone)
      """, source
    ) { row in (number: try row.value(0) as Int64, place: try row.value(1) as Int64?) }
    for list in gone {
      writer.search.remove(list.place)
      try transaction.execute("DELETE FROM \(items) WHERE \(column) = ?", list.number)
      try transaction.execute("DELETE FROM \(table) WHERE id = ?", list.number)
      outcome.isChanged = true
    }
  }

  /// Finds the rows of what lists hold by the server's ids: what came later than its list, and what went.
  func placeItems() throws {
    let (album, artist, track) = (
      "(SELECT a.id FROM albums a WHERE a.source = ?1 AND a.key = i.native)",
      "(SELECT r.id FROM artist_members m JOIN artists r ON r.key = m.key WHERE m.source = ?1 AND m.native = i.native)",
      "(SELECT t.id FROM tracks t WHERE t.source = ?1 AND t.native = i.native)"
    )
    try transaction.execute(
      """
      UPDATE collection_items AS i SET kind = CASE WHEN \(album) IS NOT NULL THEN 2 WHEN \(track) IS NOT NULL THEN 3
        WHEN \(artist) IS NOT NULL THEN 1 END, item = coalesce(\(album), \(track), \(artist))
      WHERE collection IN (SELECT id FROM collections WHERE source = ?1)
        AND item IS NOT coalesce(\(album), \(track), \(artist))
      """, source)
    try transaction.execute(
      """
      UPDATE playlist_items AS i SET track = \(track) WHERE playlist IN (SELECT id FROM playlists WHERE source = ?1)
        AND track IS NOT \(track)
      """, source)
  }
}
