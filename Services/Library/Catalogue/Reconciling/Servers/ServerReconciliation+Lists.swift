import Messages
import Model
import Records
import Storage
import Text

/// Writes a server's collections and playlists.
extension ServerReconciliation {
  /// Writes new and changed lists, and deletes those that the server no longer has.
  func writeLists() throws {
    for kind in [StagingTable.Kind.collection, .playlist] {
      let changes = try StagedChanges(of: kind, self)
      let rows = Dictionary(changes.changed.map { ($0.native, $0.row) }) { $1 }
      for native in changes.natives {
        guard let (list, digest) = try record(ServerList.self, kind, native) else { continue }
        if kind == .playlist, try isChangedHere(native) { continue }
        if kind == .playlist, try PlaylistOutbox.isBeingMade(list, source: source, transaction) { continue }
        try write(list, digest, kind, row: rows[native] ?? formerRow(of: list, kind))
      }
      try deleteGone(kind)
    }
    try deletedLists.prune()
    outcome.problems += try transaction.rows(
      "SELECT body FROM staged WHERE source = ? AND kind = ? ORDER BY native", source, StagingTable.Kind.unread.rawValue
    ) { try MessageCoding.decode(LunaraError.self, from: try $0.value(0) as [UInt8]) }
  }

  /// Returns true for a playlist with a change that is still to be sent: it stays as it is here until then.
  private func isChangedHere(_ native: String) throws -> Bool {
    try transaction.value(
      "SELECT EXISTS (SELECT 1 FROM playlist_outbox WHERE source = ? AND native = ?)", source, native) ?? false
  }

  /// Returns a condition that is true for a list `c` that is among the records or ids of this kind.
  static func isStaged(_ kind: StagingTable.Kind, _ native: String) -> String {
    "EXISTS (SELECT 1 FROM staged s WHERE s.source = ?1 AND s.kind = \(kind.rawValue) AND s.native = \(native))"
  }

  /// Returns a condition that is true for a list `c` that the server refused, alone or with all of its section.
  static func isUnread(_ kind: StagingTable.Kind) -> String {
    """
    (\(isStaged(.unread, "'\(kind.rawValue):' || c.native"))
      OR \(isStaged(.unread, "'\(kind.rawValue)/' || \(section(kind))")))
    """
  }

  static func section(_ kind: StagingTable.Kind) -> String {
    kind == .collection ? "ifnull(c.section, '')" : "''"
  }

  var deletedLists: DeletedLists { DeletedLists(now: now, transaction: transaction) }

  /// Returns the row of a list that was here with another id of the server, or that was deleted and is back.
  private func formerRow(of list: ServerList, _ kind: StagingTable.Kind) throws -> Int64? {
    try lostRow(of: list.title, kind)
      ?? deletedLists.restore(
        kind == .collection ? .collection : .playlist, native: list.native, title: list.title, of: source)
  }

  /// Returns the row of a list with this title whose id the server no longer has. A playlist that waits for its server,
  /// with a change or to be made there, is another one.
  private func lostRow(of title: String, _ kind: StagingTable.Kind) throws -> Int64? {
    guard reading.scope == .everything else { return nil }
    return try transaction.row(
      """
      SELECT id FROM \(kind)s c WHERE source = ?1 AND title = ?2 AND NOT EXISTS
        (SELECT 1 FROM staged s WHERE s.source = ?1 AND s.kind = ?3 AND s.native = c.native)
        AND NOT \(Self.isUnread(kind))
        AND (\(kind == .collection ? "TRUE" : "id NOT IN (SELECT playlist FROM playlist_outbox)")) ORDER BY id
      """, source, title, kind.rawValue
    ) { try $0.value(0) as Int64 }
  }

  private func write(_ list: ServerList, _ digest: Int64, _ kind: StagingTable.Kind, row: Int64?) throws {
    var columns: [(name: String, value: SQLValue)] = [
      ("native", .text(list.native)), ("title", .text(list.title)),
      ("title_sort", .text(SortKey.of(list.titleSort ?? list.title))),
      ("art", SQLValue(list.art)), ("digest", .integer(digest)),
    ]
    let number: Int64
    if kind == .collection {
      number = row ?? writer.numbers.next(.collection)
      writer.search.mark(.collection, number)
      columns += [("summary", SQLValue(list.summary)), ("section", SQLValue(list.section))]
    } else {
      number = row ?? writer.numbers.next(.playlist)
      writer.search.mark(.playlist, number)
      columns.append(("is_smart", SQLValue(list.isSmart)))
    }
    try transaction.execute(
      """
      INSERT INTO \(kind)s (id, source, \(columns.map(\.name).joined(separator: ", ")))
      VALUES (?, ?\(String(repeating: ", ?", count: columns.count)))
      ON CONFLICT (id) DO UPDATE SET \(columns.map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", "))
      """, values: [.integer(number), .text(source)] + columns.map(\.value))
    if kind == .collection {
      try transaction.execute("DELETE FROM collection_items WHERE collection = ?", number)
      for (position, item) in list.items.enumerated() {
        try transaction.execute(
          "INSERT INTO collection_items (collection, position, native) VALUES (?, ?, ?)", number, position, item)
      }
    } else {
      try PlaylistEntries(of: number, transaction).setNatives(list.items)
    }
    outcome.areListsChanged = true
  }

  /// Updates the rows to which the items of lists refer, by the server's ids: an item may have been read later than its
  /// list, or deleted.
  func placeItems() throws {
    let (album, artist, track) = (
      "(SELECT a.id FROM albums a WHERE a.source = ?1 AND a.key = i.native)",
      "(SELECT r.artist FROM artist_members m JOIN artist_names r ON r.key = m.key WHERE m.source = ?1 AND m.native = i.native)",
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
      UPDATE playlist_entries AS i SET track = \(track) WHERE playlist IN (SELECT id FROM playlists WHERE source = ?1)
        AND track IS NOT \(track)
      """, source)
  }
}

/// Writes a server's artists. Several with one name are one artist.
extension ServerReconciliation {
  /// Writes new and changed artists, and deletes those that the server no longer has.
  func writeArtists() throws {
    for native in try StagedChanges(of: .artist, self).natives {
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
    let (artist, key) = (StagingTable.Kind.artist.sql, StagingTable.Kind.key.sql)
    let isStaged =
      reading.scope == .everything
      ? "s.kind = \(artist) AND s.native = m.native" : "s.kind = \(key) AND s.native = '\(artist):' || m.native"
    // If no artist at all was staged, the server does not list artists, and none is deleted.
    typealias Gone = (native: String, isUnwanted: Bool)
    let gone: [Gone] = try transaction.rows(
      """
      SELECT native, EXISTS (SELECT 1 FROM sections s WHERE s.source = ?1 AND s.key = m.section AND NOT is_on)
      FROM artist_members m WHERE source = ?1 AND NOT EXISTS
        (SELECT 1 FROM staged s WHERE s.source = ?1 AND \(isStaged)) AND EXISTS
        (SELECT 1 FROM staged s WHERE s.source = ?1 AND (s.kind = \(artist) OR s.native LIKE '\(artist):%'))
      """, source
    ) { (try $0.value(0), try $0.value(1)) }
    // Artists are not shown by themselves, so nobody is asked if a short answer lacks many of them.
    let count: Int = try transaction.value("SELECT count(*) FROM artist_members WHERE source = ?", source) ?? 0
    let lost = gone.count { !$0.isUnwanted }
    let isHeld = !acceptsDeletions && lost >= Self.fewArtists && ListDeletionRule.asks(losing: lost, of: count)
    for (native, isUnwanted) in gone where isUnwanted || !isHeld {
      try touchArtist(native)
      try transaction.execute("DELETE FROM artist_members WHERE source = ? AND native = ?", source, native)
      outcome.isChanged = true
    }
  }

  /// The number of missing artists from which they are kept, if they are a quarter of all.
  private static let fewArtists = 5

  private func touchArtist(_ native: String) throws {
    let key = try transaction.row("SELECT key FROM artist_members WHERE source = ? AND native = ?", source, native) {
      try $0.value(0) as String
    }
    if let key { try writer.artists.touch(key: key) }
  }
}
