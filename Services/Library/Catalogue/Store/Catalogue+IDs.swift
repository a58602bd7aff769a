package import Model
package import Records
package import Storage

/// Finds the item that is shown for an id. The id may be that of any member of an album, of any copy of a track, of a
/// removed row whose album or track stays, or a server's own.
extension Catalogue {
  /// Returns the item that is shown for an id; nil if the id names nothing.
  package static func resolve<Item>(_ id: ItemID<Item>, _ transaction: ReadTransaction) throws -> CatalogueID? {
    if let known = CatalogueID(id) {
      let (table, shown) = known.kind.rows
      let number: Int64? =
        try transaction.value("SELECT \(shown) FROM \(table) WHERE id = ? AND source = ?", known.number, id.source)
        ?? transaction.value("SELECT \(Successors.shownOfSuccessor(known.kind, "?1"))", known.number)
      if let number { return CatalogueID(known.kind, number) }
    }
    // Files have no ids of a server; the column `key` of their albums is a merge key.
    guard id.source != MusicFolders.source else { return nil }
    for (kind, query) in numbersOfServers {
      if let number: Int64 = try transaction.value(query, id.source, id.native) { return CatalogueID(kind, number) }
    }
    return nil
  }

  /// The queries that find an item by a server's own id. In Plex no two kinds share an id; elsewhere an album is found
  /// before a track with the same id.
  private static let numbersOfServers: [(CatalogueID.Kind, String)] = [
    (.album, "SELECT shelf FROM albums WHERE source = ? AND key = ?"),
    (.track, "SELECT shown FROM tracks WHERE source = ? AND native = ?"),
    (
      .artist,
      "SELECT n.artist FROM artist_members m JOIN artist_names n ON n.key = m.key WHERE m.source = ? AND m.native = ?"
    ),
    (.collection, "SELECT id FROM collections WHERE source = ? AND native = ?"),
    (.playlist, "SELECT id FROM playlists WHERE source = ? AND native = ?"),
  ]

  /// Returns the number of the item of a kind that is shown for an id; nil if there is none.
  package static func find<Item>(
    _ kind: CatalogueID.Kind, _ id: ItemID<Item>, _ transaction: ReadTransaction
  ) throws -> Int64? {
    try resolve(id, transaction).flatMap { $0.kind == kind ? $0.number : nil }
  }

  /// Returns the same number. Throws `library.unknownID` where there is none.
  package static func number<Item>(
    of kind: CatalogueID.Kind, _ id: ItemID<Item>, _ transaction: ReadTransaction
  ) throws -> Int64 {
    guard let found = try resolve(id, transaction) else { throw CatalogueID.unknown(id) }
    guard found.kind == kind else {
      throw LunaraError("library.unknownID", "\(id) is \(found.kind.name), not \(kind.name).")
    }
    return found.number
  }
}
