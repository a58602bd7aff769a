/// The prepared statements of one connection that were used last, by their SQL.
struct StatementCache {
  private struct Entry {
    let statement: Statement
    let lastUse: UInt64
  }

  /// A text of SQL. Its length and a few of its bytes tell it from the others of a cache; to hash all of them took
  /// longer than many a statement does.
  private struct Key: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) {
      let count = sql.utf8.count
      hasher.combine(count)
      sql.utf8.withContiguousStorageIfAvailable { bytes in
        for place in stride(from: count / 8, to: count, by: max(1, count / 8)) { hasher.combine(bytes[place]) }
      }
    }
  }

  private let capacity: Int
  private var entries: [Key: Entry] = [:]
  private var uses: UInt64 = 0

  /// Makes a cache of at most `capacity` statements.
  init(capacity: Int) { self.capacity = capacity }

  /// How many statements are kept.
  var count: Int { entries.count }

  /// Takes a statement out, so that a nested use of the same SQL gets another one.
  mutating func take(_ sql: String) -> Statement? { entries.removeValue(forKey: Key(sql: sql))?.statement }

  /// Puts a statement back, for which the one that was not used for longest may have to go.
  mutating func put(_ statement: Statement) {
    uses += 1
    entries[Key(sql: statement.sql)] = Entry(statement: statement, lastUse: uses)
    if entries.count > capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      entries[oldest.key] = nil
    }
  }

  /// Lets go of all of them.
  mutating func removeAll() { entries.removeAll() }
}
