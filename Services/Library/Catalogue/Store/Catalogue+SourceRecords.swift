import Model
package import Records
package import Storage

extension Catalogue {
  /// The sources that are set up, in the person's order.
  package static func records(_ transaction: ReadTransaction) throws -> [SourceRecord] {
    try transaction.rows(
      """
      SELECT name, kind, address, account, machine, settings, is_from_settings, is_leaving FROM sources
      ORDER BY position, name
      """
    ) { row in
      SourceRecord(
        name: try row.value(0), kind: try row.value(1), address: try row.value(2), account: try row.value(3),
        machine: try row.value(4), settings: try row.value(5), isFromSettings: try row.value(6),
        isLeaving: try row.value(7))
    }
  }

  package static func keep(_ record: SourceRecord, _ transaction: Transaction) throws {
    try register(source: record.name, kind: record.kind, isFromSettings: record.isFromSettings, transaction)
    try transaction.execute(
      "UPDATE sources SET address = ?, account = ?, machine = ?, settings = ? WHERE name = ?", record.address,
      record.account, record.machine, record.settings, record.name)
  }

  /// Returns a free name for a new source of a kind: `plex`, then `plex-2` and so on.
  package static func freeName(_ kind: String, _ records: [SourceRecord]) -> String {
    let taken = Set(records.map(\.name))
    let others = (2...).lazy.map { "\(kind)-\($0)" }
    return taken.contains(kind) ? others.first { !taken.contains($0) } ?? kind : kind
  }
}
