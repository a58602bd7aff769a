import Messages
import Model
import Storage

/// Loading: items come in parts, which are staged in the database until the last part is there.
extension QueueStore {
  static let partLimit = 100
  /// The largest size of an item, in bytes of JSON: it becomes part of facts and states, which must fit into a message.
  static let itemLimit = 16 * 1024
  /// The time for which an unfinished load is kept.
  static let unfinishedLoadLifetime = Milliseconds(600_000)
  /// The number of finished loads that are remembered, so that a repeated one is recognised.
  static let rememberedLoads = 100

  enum StagingResult: Sendable {
    /// The load was done before, with this answer.
    case done(Playback.QueueSummary)
    case waiting
    /// The last part has arrived; this is the number of staged items.
    case complete(Int)
  }

  enum Outcome: Sendable {
    /// Nothing changed; this is the answer.
    case unchanged(Playback.QueueSummary)
    /// The queue after the change; `starts` is true if the current item should be started.
    case changed(Queue, starts: Bool)
    /// The former queue is back, and continues at this position in its current item.
    case restored(Queue, at: Milliseconds)
  }

  /// Adds one part of a load; the last part changes the queue. A queue that it replaces is kept as the former one, with
  /// `position`, the one in its current item. Throws `playback.badSetting`, and the errors of `stage` and `Queue.load`.
  static func apply(
    _ load: Playback.Load, to queue: Queue, at position: Milliseconds = .zero, on date: Timestamp,
    in transaction: Transaction
  ) throws -> Outcome {
    guard load.order != .unknown else {
      throw LunaraError("playback.badSetting", "The order must be queued, tracks or albums.")
    }
    switch try stage(load.items, of: load.load, part: load.part, isLast: load.isLast, on: date, in: transaction) {
    case .done(let summary): return .unchanged(summary)
    case .waiting: return .unchanged(queue.summary)
    case .complete(let count):
      var queue = queue
      if load.mode == .now { try keepFormer(queue, at: position, in: transaction) }
      let loaded = try queue.load(count, load.mode, startAt: load.startAt)
      if load.mode == .now { queue.continuation = load.continuation }
      try apply(loaded.changes, of: &queue, load: load.load, in: transaction)
      if load.mode == .now, let order = load.order, order != .queued {
        // The first item is the default start of a load, not a person's choice, so a shuffled queue may start with
        // another one.
        if load.startAt <= 0 { queue.stop() }
        let albums = order == .albums ? try albums(in: transaction) : [:]
        let changes = queue.order(order, seed: load.seed ?? 0, albums: albums)
        try queue.jump(to: 0)
        try apply(changes, of: &queue, in: transaction)
      }
      if loaded.starts { try transaction.execute("UPDATE progress SET position = 0") }
      try finish(load.load, queue.summary, in: transaction)
      return .changed(queue, starts: loaded.starts)
    }
  }

  /// Stages the items of a part until the last part of its load is there. Throws `playback.loadIncomplete`,
  /// `playback.loadTooLarge`, `playback.itemTooLarge`, `playback.queueFull`.
  private static func stage(
    _ more: [QueueItem], of load: String, part: Int, isLast: Bool, on date: Timestamp, in transaction: Transaction
  ) throws -> StagingResult {
    guard more.count <= partLimit else {
      throw LunaraError(
        "playback.loadTooLarge", "A part of a load has \(more.count) items; at most \(partLimit) are allowed.")
    }
    let known = try transaction.row("SELECT parts, items, answer FROM loads WHERE load = ?", load) {
      (parts: try $0.value(0) as Int, items: try $0.value(1) as Int, answer: try $0.value(2) as [UInt8]?)
    }
    if let answer = known?.answer { return .done(try MessageCoding.decode(Playback.QueueSummary.self, from: answer)) }
    let (parts, items) = known.map { ($0.parts, $0.items) } ?? (0, 0)
    guard (0...parts).contains(part) else {
      throw LunaraError(
        "playback.loadIncomplete", "Part \(part) of a load came before part \(parts). Send the load again.")
    }
    // A part that was received before was sent again.
    guard part == parts else { return .waiting }
    if parts == 0 { try forget(before: date, in: transaction) }
    let count = items + more.count
    guard count <= Queue.limit else {
      throw LunaraError("playback.queueFull", "More than \(Queue.limit) items cannot be queued. Choose less.")
    }
    try stage(more, of: load, from: items, in: transaction)
    try transaction.execute(
      "INSERT OR REPLACE INTO loads (load, parts, items, moved) VALUES (?, ?, ?, ?)", load, parts + 1, count, date)
    return isLast ? .complete(count) : .waiting
  }

  private static func stage(_ items: [QueueItem], of load: String, from first: Int, in transaction: Transaction) throws
  {
    for (offset, item) in items.enumerated() {
      let bytes = try MessageCoding.encode(item)
      guard bytes.count <= itemLimit else {
        throw LunaraError(
          "playback.itemTooLarge", "The tags of \(item.track.id) are too long to be queued. Shorten them.")
      }
      try transaction.execute(
        "INSERT INTO staged_items (load, number, item, entry, track, album) VALUES (?, ?, ?, ?, ?, ?)", load,
        first + offset, bytes, item.entry, item.track.id, item.track.albumID)
    }
  }

  /// Replaces the whole queue by items that are not part of a load. Returns the new queue.
  @discardableResult
  static func replace(_ queue: Queue, by items: [QueueItem], current: Int?, in transaction: Transaction) throws -> Queue
  {
    var queue = queue
    guard !items.isEmpty else {
      let changes = queue.clear()
      try apply(changes, of: &queue, in: transaction)
      return queue
    }
    try transaction.execute("DELETE FROM staged_items WHERE load = ''")
    try stage(items, of: "", from: 0, in: transaction)
    let loaded = try queue.load(items.count, .now, startAt: current ?? 0)
    if current == nil { queue.stop() }
    try apply(loaded.changes, of: &queue, in: transaction)
    return queue
  }

  /// Stores the answer to a finished load.
  static func finish(_ load: String, _ answer: Playback.QueueSummary, in transaction: Transaction) throws {
    try transaction.execute("DELETE FROM staged_items WHERE load = ?", load)
    try transaction.execute("UPDATE loads SET answer = ? WHERE load = ?", try MessageCoding.encode(answer), load)
  }

  /// Deletes loads that were not finished in time, and the oldest finished ones.
  private static func forget(before date: Timestamp, in transaction: Transaction) throws {
    let limit = date - unfinishedLoadLifetime
    try transaction.execute(
      "DELETE FROM staged_items WHERE load IN (SELECT load FROM loads WHERE answer IS NULL AND moved < ?)", limit)
    try transaction.execute("DELETE FROM loads WHERE answer IS NULL AND moved < ?", limit)
    try transaction.execute(
      """
      DELETE FROM loads WHERE answer IS NOT NULL AND load NOT IN
        (SELECT load FROM loads WHERE answer IS NOT NULL ORDER BY moved DESC LIMIT ?)
      """, rememberedLoads)
  }

  /// Adds one part of the items that continue the queue; the last part changes it.
  ///
  /// If nothing is current, the queue starts at the first row from `row` on, which may be one that a person has queued
  /// meanwhile; nil starts nothing. Throws `playback.queueMoved` if the queue or its continuation has changed since it
  /// was read, and the errors of `stage` and `Queue.load`.
  static func apply(
    _ append: Playback.Append, to queue: Queue, startingAt row: Int64?, on date: Timestamp,
    in transaction: Transaction
  ) throws -> Outcome {
    let staging = try stage(
      append.items, of: append.load, part: append.part, isLast: append.isLast, on: date, in: transaction)
    if case .done(let summary) = staging { return .unchanged(summary) }
    guard queue.continues, append.revision == queue.revision, append.position == queue.continuation?.position else {
      throw LunaraError("playback.queueMoved", "The queue has changed since. Read it, and append what it wants now.")
    }
    guard case .complete(let count) = staging else { return .unchanged(queue.summary) }
    var queue = queue
    let changes = count > 0 ? try queue.load(count, .later).changes : []
    if count == 0 { queue.revision += 1 }
    if let after = append.after, let continuation = queue.continuation {
      queue.continuation = Playback.Continuation(
        list: continuation.list, after: after, position: continuation.position + 1,
        start: continuation.start ?? continuation.after)
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
