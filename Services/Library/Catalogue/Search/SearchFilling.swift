import Model
package import Records
package import Storage
import Text

/// Writes the entries of kinds of items that the search index has none of, as after a first scan. The words of a
/// portion are read and folded while the portion before is written, and other changes come in between.
///
/// The items of a kind stay pending until all of them have their entries. So after a crash or another change between
/// the portions, `SearchIndex.finish` writes all of them again.
package struct SearchFilling {
  package typealias Kind = CatalogueID.Kind

  /// The place of an item in the sorted order of its kind.
  private struct Place: Sendable {
    var keys: [String]
    var number: Int64
  }

  private struct Entry: Sendable {
    var place: Place
    var words: String
  }

  private let database: Database
  private let kind: Kind
  private let portion: Int

  /// Fills the index with the pending items of all kinds, until the refresh is stopped.
  ///
  /// - Parameter size: the number of items of a portion, and the number of pending ones from which a kind is filled.
  package static func run(in database: Database, _ progress: RefreshProgress, items size: Int = 4000) async throws {
    for kind in [Kind.artist, .album, .track] {
      try await Self(database: database, kind: kind, portion: size).run(progress)
    }
  }

  private func run(_ progress: RefreshProgress) async throws {
    let (kind, portion) = (kind, portion)
    guard try await database.read({ try Self.isDue(kind, portion, $0) }) else { return }
    var position = kind.first
    var entries = try await self.entries(after: Place(keys: Array(repeating: "", count: kind.keyCount), number: 0))
    while let last = entries.last?.place, !progress.isStopped {
      async let next = self.entries(after: last)
      let (written, before) = (entries, position)
      let isWritten = try await database.write(priority: .background) {
        try Self.write(written, of: kind, after: before, $0)
      }
      entries = try await next
      guard isWritten else { return }
      position += Int64(written.count) * Kind.spacing
    }
    guard entries.isEmpty else { return }
    try await database.write(priority: .background) { [position] transaction in
      guard try Self.isUndisturbed(kind, at: position, transaction) else { return }
      try transaction.execute("DELETE FROM search_pending WHERE item BETWEEN ? AND ?", kind.first, kind.last)
    }
  }

  private static func isDue(_ kind: Kind, _ portion: Int, _ transaction: ReadTransaction) throws -> Bool {
    let pending: Int? = try transaction.value(
      "SELECT count(*) FROM (SELECT 1 FROM search_pending WHERE item BETWEEN ? AND ? LIMIT ?)", kind.first, kind.last,
      portion)
    // Most refreshes end here, without a look at the index.
    guard pending == portion else { return false }
    return try lastPosition(kind, transaction) == nil
  }

  private static func lastPosition(_ kind: Kind, _ transaction: ReadTransaction) throws -> Int64? {
    try transaction.value(
      "SELECT rowid FROM search WHERE rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT 1", kind.first, kind.last)
  }

  /// Returns true if no other change has written the entries of the kind meanwhile, which ends with none pending.
  private static func isUndisturbed(_ kind: Kind, at position: Int64, _ transaction: ReadTransaction) throws -> Bool {
    guard try lastPosition(kind, transaction) ?? kind.first == position else { return false }
    return try transaction.value(
      "SELECT 1 FROM search_pending WHERE item BETWEEN ? AND ? LIMIT 1", kind.first, kind.last) as Int? != nil
  }

  private func entries(after place: Place) async throws -> [Entry] {
    let (kind, keys, portion) = (kind, kind.keyCount, portion)
    return try await database.read { transaction in
      let values: [(any SQLBindable)?] = place.keys + [place.number, portion]
      return try transaction.rows(kind.nextPendingWords, values: values) { row in
        Entry(
          place: Place(keys: try (0..<keys).map { try row.value($0) }, number: try row.value(keys)),
          words: SearchText.indexed(try (keys + 1..<row.count).map { try row.value($0) as String? }))
      }
    }
  }

  /// Writes a portion behind a position, which is that of the last entry. Returns false and writes nothing where
  /// another change has written entries of the kind meanwhile.
  private static func write(
    _ portion: [Entry], of kind: Kind, after position: Int64, _ transaction: Transaction
  ) throws -> Bool {
    guard try isUndisturbed(kind, at: position, transaction) else { return false }
    try transaction.expectManyRows()
    let index = SearchIndex(transaction)
    for (place, entry) in portion.enumerated() {
      try index.write(entry.place.number, entry.words, of: kind, at: position + Int64(place + 1) * Kind.spacing)
    }
    return true
  }
}
