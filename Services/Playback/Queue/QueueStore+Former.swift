import Messages
import Model
import Storage

/// The former queue: the one that a move to this room replaced. It is kept in the order of playing until the next move,
/// so that a person can bring it back.
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

  /// Stores the present queue as the former one, with the position in its current item. An empty queue leaves the one
  /// before it.
  static func keepFormer(_ queue: Queue, at position: Milliseconds, in transaction: Transaction) throws {
    guard !queue.slots.isEmpty else { return }
    try transaction.execute("DELETE FROM former_items")
    try transaction.execute("DELETE FROM former_queue")
    try transaction.execute(
      """
      INSERT INTO former_items (number, item, entry, track, album)
        SELECT row_number() OVER (ORDER BY p.place) - 1, i.item, n.entry, n.track, n.album
        FROM queue_places p JOIN queue_items i ON i.row = p.row JOIN queue_names n ON n.row = p.row
      """)
    try transaction.execute(
      "INSERT INTO former_queue (one, current, position, repeats, continuation) VALUES (1, ?, ?, ?, ?)", queue.current,
      position, queue.repeats.rawValue, try queue.continuation.map { try MessageCoding.encode($0) })
  }

  /// Replaces the queue by the former one, and keeps it as the former one. Returns the new queue, and the position in
  /// its current item. Throws `playback.noFormerQueue`.
  static func restoreFormer(
    replacing queue: Queue, at position: Milliseconds, in transaction: Transaction
  ) throws -> (queue: Queue, position: Milliseconds) {
    let former = try transaction.row("SELECT current, position, repeats, continuation FROM former_queue") { row in
      let continuation: [UInt8]? = try row.value(3)
      return (
        current: try row.value(0) as Int?, position: try row.value(1) as Milliseconds,
        repeats: Playback.Repeat(rawValue: try row.value(2)) ?? .off,
        continuation: try continuation.map { try MessageCoding.decode(Playback.Continuation.self, from: $0) }
      )
    }
    guard let former else {
      throw LunaraError("playback.noFormerQueue", "No move has replaced a queue here, so there is none to bring back.")
    }
    let load = "former"
    try transaction.execute("DELETE FROM staged_items WHERE load = ?", load)
    let count = try transaction.execute(
      """
      INSERT INTO staged_items (load, number, item, entry, track, album)
        SELECT ?, number, item, entry, track, album FROM former_items
      """, load)
    try keepFormer(queue, at: position, in: transaction)
    var restored = queue
    let loaded = try restored.load(count, .now, startAt: former.current ?? 0)
    if former.current == nil { restored.stop() }
    (restored.repeats, restored.continuation) = (former.repeats, former.continuation)
    try apply(loaded.changes, of: &restored, load: load, in: transaction)
    try transaction.execute("UPDATE progress SET position = ?", former.position)
    return (restored, former.position)
  }
}
