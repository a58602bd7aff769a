import Messages
import Model
import Records
import Storage

/// Removes a server's collections and playlists that are gone.
extension ServerReconciliation {
  private struct MissingList {
    var number: Int64
    /// The number of complete readings before this one that did not have it.
    var readings: Int
    var section: String
    /// True if a person does not want its section.
    var isUnwanted: Bool
  }

  /// Deletes the lists that the server no longer has. A starting server may list none for a while, so each has to be
  /// missing in two complete readings in a row, and a person has to agree if a quarter of the lists or more are
  /// missing: of all playlists, or of the collections of a section.
  func deleteGone(_ kind: StagingTable.Kind) throws {
    let record = Self.isStaged(kind, "c.native")
    let id = Self.isStaged(.key, "'\(kind.rawValue):' || c.native")
    try transaction.execute(
      "UPDATE \(kind)s AS c SET missing = 0 WHERE source = ?1 AND missing > 0 AND (\(record) OR \(id))", source)
    let missing = try missingLists(kind, record: record, id: id).filter { list in
      try kind != .playlist || !isChangedHere(number: list.number)
    }
    guard !missing.isEmpty else { return }
    let counts = Dictionary(
      try transaction.rows(
        "SELECT \(Self.section(kind)), count(*) FROM \(kind)s c WHERE source = ? GROUP BY 1", source
      ) { (try $0.value(0) as String, try $0.value(1) as Int) }, uniquingKeysWith: +)
    for (section, lists) in Dictionary(grouping: missing, by: \.section) {
      let lists = lists.filter { list in !list.isUnwanted }
      let again = lists.filter { $0.readings > 0 }
      let isHeld = ListDeletionRule.asks(losing: again.count, of: counts[section] ?? 0)
      for list in lists {
        if list.readings > 0 && (acceptsDeletions || !isHeld) {
          try delete(list.number, kind)
        } else {
          areListsMissing = areListsMissing || list.readings == 0
          try transaction.execute(
            "UPDATE \(kind)s SET missing = ?2 WHERE id = ?1", list.number, min(list.readings + 1, 2))
        }
      }
    }
    for list in missing where list.isUnwanted { try delete(list.number, kind) }
  }

  /// Returns the lists that a reading of all lists of their kind or section did not have.
  private func missingLists(_ kind: StagingTable.Kind, record: String, id: String) throws -> [MissingList] {
    // With ids or a delta, the lists of single sections may have been read completely (`whole`).
    let areIdsThere = reading.hasKeys ? Self.isStaged(.key, "'\(kind.rawValue):'") : "0"
    let isWhole = Self.isStaged(.whole, "'\(kind.rawValue):' || \(Self.section(kind))")
    let isGone =
      reading.scope == .everything && reading.isWhole
      ? "NOT \(record)" : "((\(isWhole) AND NOT \(record)) OR (\(areIdsThere) AND NOT \(id)))"
    let isUnwanted =
      "EXISTS (SELECT 1 FROM sections s WHERE s.source = ?1 AND s.key = \(Self.section(kind)) AND NOT is_on)"
    return try transaction.rows(
      """
      SELECT id, missing, \(Self.section(kind)), \(isUnwanted) FROM \(kind)s c
      WHERE source = ?1 AND \(isGone) AND NOT \(Self.isUnread(kind)) ORDER BY id
      """, source
    ) { row in
      MissingList(
        number: try row.value(0), readings: try row.value(1), section: try row.value(2), isUnwanted: try row.value(3))
    }
  }

  private func isChangedHere(number: Int64) throws -> Bool {
    try transaction.value("SELECT EXISTS (SELECT 1 FROM playlist_outbox WHERE playlist = ?)", number) ?? false
  }

  private func delete(_ list: Int64, _ kind: StagingTable.Kind) throws {
    if kind == .collection {
      try deletedLists.delete(collection: list)
      writer.search.mark(.collection, list)
    } else {
      try deletedLists.delete(playlist: list)
      writer.search.mark(.playlist, list)
    }
    outcome.areListsChanged = true
  }

  /// Returns the problem that a person has to agree to the removal of a server's lists; nil if nobody has to. It
  /// follows from the rows, so it lasts as long as they do.
  static func heldLists(of source: String, _ transaction: ReadTransaction) throws -> LunaraError? {
    func count(_ table: String) throws -> Int {
      try transaction.value("SELECT count(*) FROM \(table) WHERE source = ? AND missing > 1", source) ?? 0
    }
    let (playlists, collections) = (try count("playlists"), try count("collections"))
    return playlists + collections == 0
      ? nil : SourceError.heldLists(playlists: playlists, collections: collections, source)
  }
}
