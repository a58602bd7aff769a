import Messages
import Model
import Storage

extension QueueStore {
  /// Carries out an edit. Returns the new queue; nil if nothing changed. Throws `playback.noSuchItem`,
  /// `playback.badSetting`, `playback.nothingToContinue`, `playback.queueMoved`.
  ///
  /// - Parameters:
  ///   - position: the position in the current item.
  ///   - next: the index at which the room would start if nothing is current; nil if it would not.
  static func edit(
    _ edit: Playback.EditQueue.Edit, of queue: Queue, at position: Milliseconds = .zero, startingAt next: Int? = nil,
    in transaction: Transaction
  ) throws -> Queue? {
    var queue = queue
    let changes: [Queue.Change]
    switch edit {
    case .clear:
      try keepFormer(queue, at: position, in: transaction)
      changes = queue.clear()
    case .remove(let index, let entry):
      changes = try queue.remove(at: try find(entry, near: index, in: queue, transaction))
    case .removeAll(let ranges, let revision):
      guard revision == queue.revision else {
        throw LunaraError("playback.queueMoved", "The queue has changed since its places were read. Try again.")
      }
      guard !ranges.isEmpty, ranges.allSatisfy({ $0.from <= $0.to }) else {
        throw LunaraError("playback.badSetting", "The places must be ranges, each from a first to a last one.")
      }
      try keepFormer(queue, at: position, in: transaction)
      changes = try queue.remove(at: ranges)
    case .move(let from, let to, let entry):
      changes = try queue.move(from: try find(entry, near: from, in: queue, transaction), to: to)
    case .order(.unknown, _):
      throw LunaraError("playback.badSetting", "The order must be queued, tracks or albums.")
    case .order(let order, let seed):
      changes = queue.order(order, seed: seed, albums: order == .albums ? try albums(in: transaction) : [:])
    case .forget(let tracks): changes = queue.remove(try rows(of: tracks, in: transaction))
    // `restoreFormer` does that, as it also gives a position, and `renew` the other, as it changes no order.
    case .restore, .renew: changes = []
    case .continues(true): return try startContinuing(queue, in: transaction)
    case .continues(false): return try endContinuing(queue, startingAt: next, in: transaction)
    }
    guard !changes.isEmpty else { return nil }
    try apply(changes, of: &queue, in: transaction)
    return queue
  }

  /// Returns the present index of a command's entry, or `index` itself if it names no entry. Throws
  /// `playback.noSuchItem` for an entry that is not in the queue.
  static func find(_ entry: EntryID?, near index: Int, in queue: Queue, _ reader: ReadTransaction) throws -> Int {
    guard let entry else { return index }
    if queue.slots.indices.contains(index) {
      let there: EntryID? = try reader.row("SELECT entry FROM queue_names WHERE row = ?", queue.slots[index].row) {
        try $0.value(0)
      }
      if there == entry { return index }
    }
    let rows: [Int64] = try reader.rows("SELECT row FROM queue_names WHERE entry = ?", entry) { try $0.value(0) }
    guard let found = queue.slots.firstIndex(where: { rows.contains($0.row) }) else {
      throw LunaraError("playback.noSuchItem", "The item \(entry) is no longer in the queue.")
    }
    return found
  }

  /// The number of played items that are kept.
  static let historyLimit = 1000

  static func storePlayed(
    _ subject: Playback.ListenSubject, _ heard: Milliseconds, _ reason: Playback.EndReason, in transaction: Transaction
  ) throws {
    try transaction.execute(
      "INSERT INTO played (item, started_at, heard, reason) VALUES (?, ?, ?, ?)",
      try MessageCoding.encode(subject.item), subject.startedAt, heard, reason.rawValue)
    try transaction.execute("DELETE FROM played WHERE number <= ?", transaction.lastInsertedRowID - Int64(historyLimit))
  }

  /// Returns the played items, the newest first, as many as fit into one message.
  static func played(_ limit: Int, in reader: ReadTransaction) throws -> [Playback.PlayedItem] {
    let rows = try reader.rows(
      "SELECT item, started_at, heard, reason FROM played ORDER BY number DESC LIMIT ?", max(0, min(100, limit))
    ) {
      let bytes: [UInt8] = try $0.value(0)
      let played = Playback.PlayedItem(
        item: try MessageCoding.decode(QueueItem.self, from: bytes), startedAt: try $0.value(1),
        heard: try $0.value(2), reason: Playback.EndReason(rawValue: try $0.value(3)) ?? .unknown)
      return (size: bytes.count, played: played)
    }
    var size = 0
    return rows.prefix {
      size += $0.size
      return size <= messageLimit
    }.map(\.played)
  }
}
