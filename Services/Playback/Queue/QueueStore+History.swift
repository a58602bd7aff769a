import Messages
import Model
import Storage

extension QueueStore {
  /// How many hearings are kept.
  static let historyLimit = 1000

  /// Notes a hearing that is over.
  static func note(
    _ subject: Playback.ListenSubject, _ heard: Milliseconds, _ reason: Playback.EndReason, in transaction: Transaction
  ) throws {
    try transaction.execute(
      "INSERT INTO played (item, started_at, heard, reason) VALUES (?, ?, ?, ?)",
      try MessageCoding.encode(subject.item), subject.startedAt, heard, reason.rawValue)
    try transaction.execute("DELETE FROM played WHERE number <= ?", transaction.lastInsertedRowID - Int64(historyLimit))
  }

  /// Reads what was played, newest first, as much as fits into one message.
  static func played(_ limit: Int, in reader: ReadTransaction) throws -> [Playback.PlayedItem] {
    let rows = try reader.rows(
      "SELECT item, started_at, heard, reason FROM played ORDER BY number DESC LIMIT ?", max(0, min(100, limit))
    ) {
      (
        item: try $0.value(0) as [UInt8], startedAt: try $0.value(1) as Timestamp,
        heard: try $0.value(2) as Milliseconds, reason: try $0.value(3) as String
      )
    }
    var items: [Playback.PlayedItem] = []
    var size = 0
    for row in rows {
      size += row.item.count
      guard size <= messageLimit else { break }
      items.append(
        Playback.PlayedItem(
          item: try MessageCoding.decode(QueueItem.self, from: row.item), startedAt: row.startedAt, heard: row.heard,
          reason: Playback.EndReason(rawValue: row.reason) ?? .unknown))
    }
    return items
  }
}
