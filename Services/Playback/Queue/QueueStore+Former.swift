import Messages
import Model
import Storage

/// The former queue: the one that was cleared, or replaced by a load or by a move to this room. It is kept whole until
/// the next one, so that a person can bring it back.
extension QueueStore {
  static let formerMigration = Migration(
    "playback-former",
    """
    CREATE TABLE former_items (number INTEGER PRIMARY KEY, item BLOB NOT NULL, entry TEXT NOT NULL, track TEXT NOT NULL,
      album TEXT NOT NULL)
    """,
    // `current` is the number of the current item, NULL if none was; `position` is in milliseconds.
    """
    CREATE TABLE former_queue (one INTEGER PRIMARY KEY CHECK (one = 1), current INTEGER, position INTEGER NOT NULL,
      repeats TEXT NOT NULL, continuation BLOB)
    """)

  static let formerOrderMigration = Migration(
    "playback-former-order",
    // The place of the item before the queue was shuffled; 0 if it is not shuffled.
    "ALTER TABLE former_items ADD COLUMN home INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE former_queue ADD COLUMN ordering TEXT NOT NULL DEFAULT 'queued'",
    "ALTER TABLE former_queue ADD COLUMN seed INTEGER NOT NULL DEFAULT 0")

  /// Stores the present queue as the former one, with the position in its current item. An empty queue leaves the one
  /// before it.
  static func keepFormer(_ queue: Queue, at position: Milliseconds, in transaction: Transaction) throws {
    guard !queue.slots.isEmpty else { return }
    try transaction.execute("DELETE FROM former_items")
    try transaction.execute("DELETE FROM former_queue")
    try transaction.execute(
      """
      INSERT INTO former_items (number, item, entry, track, album, home)
        SELECT row_number() OVER (ORDER BY p.place) - 1, i.item, n.entry, n.track, n.album, p.home
        FROM queue_places p JOIN queue_items i ON i.row = p.row JOIN queue_names n ON n.row = p.row
      """)
    try transaction.execute(
      """
      INSERT INTO former_queue (one, current, position, repeats, continuation, ordering, seed)
        VALUES (1, ?, ?, ?, ?, ?, ?)
      """, queue.current, position, queue.repeats.rawValue, try queue.continuation.map { try MessageCoding.encode($0) },
      queue.order.rawValue, Int64(bitPattern: queue.seed))
  }

  /// Replaces the queue by the former one, and keeps it as the former one. Returns the new queue, and the position in
  /// its current item. Throws `playback.noFormerQueue`.
  static func restoreFormer(
    replacing queue: Queue, at position: Milliseconds, in transaction: Transaction
  ) throws -> (queue: Queue, position: Milliseconds) {
    let former = try transaction.row(
      "SELECT current, position, repeats, continuation, ordering, seed FROM former_queue"
    ) { row in
      let continuation: [UInt8]? = try row.value(3)
      return (
        current: try row.value(0) as Int?, position: try row.value(1) as Milliseconds,
        repeats: Playback.Repeat(rawValue: try row.value(2)) ?? .off,
        continuation: try continuation.map { try MessageCoding.decode(Playback.Continuation.self, from: $0) },
        order: Playback.Order(rawValue: try row.value(4)) ?? .queued,
        seed: UInt64(bitPattern: try row.value(5) as Int64)
      )
    }
    guard let former else {
      throw LunaraError(
        "playback.noFormerQueue", "No queue was cleared or replaced here, so there is none to bring back.")
    }
    let load = "former"
    try transaction.execute("DELETE FROM staged_items WHERE load = ?", load)
    let count = try transaction.execute(
      """
      INSERT INTO staged_items (load, number, item, entry, track, album)
        SELECT ?, number, item, entry, track, album FROM former_items
      """, load)
    let originalPlaces: [Int64] = try transaction.rows("SELECT home FROM former_items ORDER BY number") {
      try $0.value(0)
    }
    try keepFormer(queue, at: position, in: transaction)
    var restored = queue
    let loaded = try restored.load(count, .now, startAt: former.current ?? 0)
    if former.current == nil { restored.stop() }
    restored.repeats = former.repeats
    restored.continuation = former.continuation
    let changes = loaded.changes + restored.shuffled(former.order, seed: former.seed, originalPlaces: originalPlaces)
    try apply(changes, of: &restored, load: load, in: transaction)
    try transaction.execute("UPDATE progress SET position = ?", former.position)
    return (restored, former.position)
  }
}
