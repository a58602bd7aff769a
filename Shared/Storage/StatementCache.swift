/// The prepared statements of one connection that were used last, by their SQL.
struct StatementCache {
  private struct Entry {
    let statement: Statement
    let lastUse: UInt64
  }

  private let capacity: Int
  private var entries: [String: Entry] = [:]
  private var uses: UInt64 = 0

  /// Makes a cache of at most `capacity` statements.
  init(capacity: Int) { self.capacity = capacity }

  /// How many statements are kept.
  var count: Int { entries.count }

  /// Takes a statement out, so that a nested use of the same SQL gets another one.
  mutating func take(_ sql: String) -> Statement? { entries.removeValue(forKey: sql)?.statement }

  /// Puts a statement back, for which the one that was not used for longest may have to go.
  mutating func put(_ statement: Statement) {
    uses += 1
    entries[statement.sql] = Entry(statement: statement, lastUse: uses)
    if entries.count > capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      entries[oldest.key] = nil
    }
  }

  /// Lets go of all of them.
  mutating func removeAll() { entries.removeAll() }
}
