import Messages
import Model
import Storage

/// Loads come in parts, which wait in the database until the last one is there.
extension QueueStore {
  /// How many items a part may have.
  static let partLimit = 100
  /// How many bytes an item may have, as JSON: it goes into facts and states, which have to fit into a message.
  static let itemLimit = 16 * 1024
  /// How long an unfinished load is kept.
  static let patience = Milliseconds(600_000)
  /// How many finished loads are remembered, so that one sent again is known.
  static let memory = 100

  /// What a part of a load did.
  enum Part: Sendable {
    /// The load was done before; this was its answer.
    case done(Playback.QueueSummary)
    /// More parts are to come.
    case waiting
    /// It was the last one: the queue after the load, and whether to start the current item.
    case loaded(Queue, starts: Bool)
  }

  /// Takes one part of a load.
  ///
  /// - Throws: `playback.loadIncomplete`, `playback.loadTooLarge`, `playback.itemTooLarge`, and what `Queue.load`
  ///   throws.
  static func take(_ part: Playback.Load, into queue: Queue, on date: Timestamp, in transaction: Transaction) throws
    -> Part
  {
    guard part.items.count <= partLimit else {
      throw LunaraError("playback.loadTooLarge", "A load has \(part.items.count) items in a part; \(partLimit) may be.")
    }
    let known = try transaction.row("SELECT parts, items, answer FROM loads WHERE load = ?", part.load) {
      (parts: try $0.value(0) as Int, items: try $0.value(1) as Int, answer: try $0.value(2) as [UInt8]?)
    }
    if let answer = known?.answer { return .done(try MessageCoding.decode(Playback.QueueSummary.self, from: answer)) }
    let (parts, items) = known.map { ($0.parts, $0.items) } ?? (0, 0)
    // A part that is here already was sent again.
    guard part.part >= parts else { return .waiting }
    guard part.part == parts else {
      throw LunaraError(
        "playback.loadIncomplete", "Part \(part.part) of a load came before part \(parts). Send the load again.")
    }
    if parts == 0 { try forget(before: date, in: transaction) }
    for (offset, item) in part.items.enumerated() {
      let bytes = try MessageCoding.encode(item)
      guard bytes.count <= itemLimit else {
        throw LunaraError(
          "playback.itemTooLarge", "The tags of \(item.track.id) are too long to be queued. Shorten them.")
      }
      try transaction.execute(
        "INSERT INTO staged_items (load, number, item) VALUES (?, ?, ?)", part.load, items + offset, bytes)
    }
    var loaded: (queue: Queue, starts: Bool)?
    var answer: [UInt8]?
    if part.isLast {
      var queue = queue
      let outcome = try queue.load(items + part.items.count, part.mode, startAt: part.startAt)
      try insert(outcome.changes, of: part.load, in: transaction)
      try apply(outcome.changes, of: queue, in: transaction)
      if outcome.starts { try transaction.execute("UPDATE room SET position = 0") }
      answer = try MessageCoding.encode(queue.summary)
      loaded = (queue, outcome.starts)
    }
    try transaction.execute(
      "INSERT OR REPLACE INTO loads (load, parts, items, answer, moved) VALUES (?, ?, ?, ?, ?)", part.load, parts + 1,
      items + part.items.count, answer, date.microseconds)
    return loaded.map { .loaded($0.queue, starts: $0.starts) } ?? .waiting
  }

  /// Makes the staged items of a load rows of the queue.
  private static func insert(_ changes: [Queue.Change], of load: String, in transaction: Transaction) throws {
    for change in changes {
      guard let block = change.block else { continue }
      if case .replaced = change { try transaction.execute("DELETE FROM queue_items") }
      try transaction.execute(
        """
        INSERT INTO queue_items (row, place, item) SELECT ? + number, ? + number * ?, item FROM staged_items
        WHERE load = ?
        """, block.firstRow, block.firstPlace, block.step, load)
    }
    try transaction.execute("DELETE FROM staged_items WHERE load = ?", load)
  }

  /// Drops loads that were left unfinished, and the oldest of those that were finished.
  private static func forget(before date: Timestamp, in transaction: Transaction) throws {
    let limit = (date - patience).microseconds
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

extension Queue.Change {
  /// The rows that come.
  var block: Queue.Block? {
    switch self {
    case .replaced(let block), .inserted(let block): block
    case .removed, .moved, .cleared, .renumbered: nil
    }
  }
}
