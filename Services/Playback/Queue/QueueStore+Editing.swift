import Messages
import Model
import Storage

extension QueueStore {
  /// Carries out an edit; the queue after it, or nil where it changed nothing.
  ///
  /// - Throws: `playback.noSuchItem`, `playback.badSetting`.
  static func edit(_ edit: Playback.EditQueue.Edit, of queue: Queue, in transaction: Transaction) throws -> Queue? {
    var queue = queue
    let changes: [Queue.Change]
    switch edit {
    case .clear: changes = queue.clear()
    case .remove(let index, let entry):
      changes = try queue.remove(at: try find(entry, near: index, in: queue, transaction))
    case .move(let from, let to, let entry):
      changes = try queue.move(from: try find(entry, near: from, in: queue, transaction), to: to)
    case .order(.unknown, _):
      throw LunaraError("playback.badSetting", "The order is queued, tracks or albums.")
    case .order(let order, let seed):
      changes = queue.order(order, seed: seed, albums: order == .albums ? try albums(in: transaction) : [:])
    case .forget(let tracks): changes = queue.remove(try rows(of: tracks, in: transaction))
    }
    guard !changes.isEmpty else { return nil }
    try apply(changes, of: &queue, in: transaction)
    return queue
  }

  /// The index that a command means: where its entry is by now, or the index itself where it names none.
  ///
  /// - Throws: `playback.noSuchItem` for an entry that is not in the queue.
  static func find(_ entry: EntryID?, near index: Int, in queue: Queue, _ reader: ReadTransaction) throws -> Int {
    guard let entry else { return index }
    guard let found = try self.index(of: entry, near: index, in: queue, reader) else {
      throw LunaraError("playback.noSuchItem", "The item \(entry) is no longer in the queue.")
    }
    return found
  }
}
