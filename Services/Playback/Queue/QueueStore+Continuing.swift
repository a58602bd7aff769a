import Messages
import Model
import Storage

extension QueueStore {
  /// Takes one part of what a continuation brings.
  ///
  /// - Parameter row: where the queue came to its end before this came: it goes on with the first row from that one on, which a
  ///   person may have queued for later since. Nil where nothing is to start.
  /// - Throws: `playback.queueMoved` where queue or continuation are no longer what was seen, and what `stage` and
  ///   `Queue.load` throw.
  static func take(
    _ append: Playback.Append, into queue: Queue, goingOnAt row: Int64?, on date: Timestamp,
    in transaction: Transaction
  ) throws -> Outcome {
    let part = Part(load: append.load, number: append.part, isLast: append.isLast, items: append.items)
    let arrival = try stage(part, on: date, in: transaction)
    if case .done(let summary) = arrival { return .unchanged(summary) }
    guard append.revision == queue.revision, append.position == queue.continuation?.position else {
      throw LunaraError("playback.queueMoved", "The queue has changed since. Read it, and append what it wants now.")
    }
    guard case .complete(let count) = arrival else { return .unchanged(queue.summary) }
    var queue = queue
    let changes = count > 0 ? try queue.load(count, .later).changes : []
    if count == 0 { queue.revision += 1 }
    if let after = append.after, let continuation = queue.continuation {
      queue.continuation = Playback.Continuation(
        list: continuation.list, after: after, position: continuation.position + 1)
    } else {
      queue.continuation = nil
    }
    let next = row.flatMap { row in queue.slots.firstIndex { $0.row >= row } }
    let starts = queue.current == nil && count > 0 && next != nil
    if starts, let next { try queue.jump(to: next) }
    try apply(changes, of: &queue, load: append.load, in: transaction)
    try finish(append.load, queue.summary, in: transaction)
    return .changed(queue, starts: starts)
  }
}
