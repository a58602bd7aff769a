import Messages
import Model
import Storage

/// Items come in parts, which wait in the database until the last one is there.
extension QueueStore {
  /// How many items a part may have.
  static let partLimit = 100
  /// How many bytes an item may have, as JSON: it goes into facts and states, which have to fit into a message.
  static let itemLimit = 16 * 1024
  /// How long an unfinished load is kept.
  static let patience = Milliseconds(600_000)
  /// How many finished loads are remembered, so that one sent again is known.
  static let memory = 100

  /// One part of a load.
  struct Part: Sendable {
    /// Names what the parts belong to.
    var load: String
    /// Counts from 0.
    var number: Int
    var isLast: Bool
    var items: [QueueItem]
  }

  /// What a part did.
  enum Arrival: Sendable {
    /// The load was done before; this was its answer.
    case done(Playback.QueueSummary)
    /// More parts are to come.
    case waiting
    /// It was the last one; so many items are staged.
    case complete(Int)
  }

  /// What a part did to a queue.
  enum Outcome: Sendable {
    /// Nothing; this is the answer.
    case unchanged(Playback.QueueSummary)
    /// The queue after it, and whether to start the current item.
    case changed(Queue, starts: Bool)
  }

  /// Takes one part of a load.
  ///
  /// - Throws: `playback.badSetting`, what `stage` throws, and what `Queue.load` throws.
  static func take(_ load: Playback.Load, into queue: Queue, on date: Timestamp, in transaction: Transaction) throws
    -> Outcome
  {
    guard load.order != .unknown else {
      throw LunaraError("playback.badSetting", "The order is queued, tracks or albums.")
    }
    let part = Part(load: load.load, number: load.part, isLast: load.isLast, items: load.items)
    switch try stage(part, on: date, in: transaction) {
    case .done(let summary): return .unchanged(summary)
    case .waiting: return .unchanged(queue.summary)
    case .complete(let count):
      var queue = queue
      let loaded = try queue.load(count, load.mode, startAt: load.startAt)
      if load.mode == .now { queue.continuation = load.continuation }
      try apply(loaded.changes, of: &queue, load: load.load, in: transaction)
      if load.mode == .now, let order = load.order, order != .queued {
        // Somebody who starts a mixed queue at its first item has not chosen that one.
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

  /// Puts a part's items where those of its load wait.
  ///
  /// - Throws: `playback.loadIncomplete`, `playback.loadTooLarge`, `playback.itemTooLarge`.
  static func stage(_ part: Part, on date: Timestamp, in transaction: Transaction) throws -> Arrival {
    guard part.items.count <= partLimit else {
      throw LunaraError("playback.loadTooLarge", "A load has \(part.items.count) items in a part; \(partLimit) may be.")
    }
    let known = try transaction.row("SELECT parts, items, answer FROM loads WHERE load = ?", part.load) {
      (parts: try $0.value(0) as Int, items: try $0.value(1) as Int, answer: try $0.value(2) as [UInt8]?)
    }
    if let answer = known?.answer { return .done(try MessageCoding.decode(Playback.QueueSummary.self, from: answer)) }
    let (parts, items) = known.map { ($0.parts, $0.items) } ?? (0, 0)
    guard (0...parts).contains(part.number) else {
      throw LunaraError(
        "playback.loadIncomplete", "Part \(part.number) of a load came before part \(parts). Send the load again.")
    }
    // A part that is here already was sent again.
    guard part.number == parts else { return .waiting }
    if parts == 0 { try forget(before: date, in: transaction) }
    guard items + part.items.count <= Queue.limit else {
      throw LunaraError("playback.queueFull", "More than \(Queue.limit) items cannot be queued. Choose less.")
    }
    try stage(part.items, of: part.load, from: items, in: transaction)
    try transaction.execute(
      "INSERT OR REPLACE INTO loads (load, parts, items, moved) VALUES (?, ?, ?, ?)", part.load, parts + 1,
      items + part.items.count, date)
    return part.isLast ? .complete(items + part.items.count) : .waiting
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

  /// Puts items in the place of all that is queued, outside of any load; the queue after it.
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

  /// Notes the answer to a load that is done.
  static func finish(_ load: String, _ answer: Playback.QueueSummary, in transaction: Transaction) throws {
    try transaction.execute("DELETE FROM staged_items WHERE load = ?", load)
    try transaction.execute("UPDATE loads SET answer = ? WHERE load = ?", try MessageCoding.encode(answer), load)
  }

  /// Drops loads that were left unfinished, and the oldest of those that were finished.
  private static func forget(before date: Timestamp, in transaction: Transaction) throws {
    let limit = date - patience
    try transaction.execute(
      "DELETE FROM staged_items WHERE load IN (SELECT load FROM loads WHERE answer IS NULL AND moved < ?)", limit)
    try transaction.execute("DELETE FROM loads WHERE answer IS NULL AND moved < ?", limit)
    try transaction.execute(
      """
      DELETE FROM loads WHERE answer IS NOT NULL AND load NOT IN
        (SELECT load FROM loads WHERE answer IS NOT NULL ORDER BY moved DESC LIMIT ?)
      """, memory)
  }
}
