import Bus
import Messages
import Model
import Storage

extension Catalogue {
  /// Puts sources in another order: those that are named first, the others after them as they were. Albums and artists
  /// that several sources have are put together anew, as the order says whose word and whose copy counts. Gives the
  /// names of all in their order.
  ///
  /// - Throws: `library.unknownSource`, and nothing is changed.
  static func order(
    sources named: [String], now: Timestamp, journal: Journal?, _ transaction: Transaction
  ) throws -> [String] {
    let before = try records(transaction).map(\.name)
    var order: [String] = []
    for name in named where !order.contains(name) {
      guard before.contains(name) else { throw SourceError.unknown(name) }
      order.append(name)
    }
    order += before.filter { !order.contains($0) }
    guard order != before else { return order }
    for (position, name) in order.enumerated() {
      try transaction.execute("UPDATE sources SET position = ? WHERE name = ?", position + 1, name)
    }
    let writer = try CatalogueWriter(source: FilesSource.name, now: now, transaction)
    func texts(_ sql: String) throws -> [String] { try transaction.rows(sql) { try $0.value(0) } }
    for key in try texts("SELECT merge_key FROM albums GROUP BY merge_key HAVING min(source) <> max(source)") {
      writer.touch(key)
    }
    for key in try texts("SELECT key FROM artist_members GROUP BY key HAVING min(source) <> max(source)") {
      try writer.artists.touch(key: key)
    }
    try writer.finish()
    try countAndPublish(writer.changes, journal, transaction)
    return order
  }
}
