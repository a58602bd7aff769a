import Messages
import Model
import Storage

/// The queue and what goes with it in the room's database. A change of the queue writes the rows it concerns; the
/// position and the open listen have rows of their own. No URL and no secret is stored.
enum QueueStore {
  /// The tables; the journal's come before them.
  static let migrations = [
    Migration(
      "playback-1",
      "CREATE TABLE queue_items (row INTEGER PRIMARY KEY, place INTEGER NOT NULL, item BLOB NOT NULL)",
      """
      CREATE TABLE staged_items (load TEXT NOT NULL, number INTEGER NOT NULL, item BLOB NOT NULL,
        PRIMARY KEY (load, number)) WITHOUT ROWID
      """,
      """
      CREATE TABLE loads (load TEXT PRIMARY KEY, parts INTEGER NOT NULL, items INTEGER NOT NULL, answer BLOB,
        moved INTEGER NOT NULL) WITHOUT ROWID
      """,
      """
      CREATE TABLE room (one INTEGER PRIMARY KEY CHECK (one = 1), revision INTEGER NOT NULL, current INTEGER,
        position INTEGER NOT NULL, volume INTEGER NOT NULL)
      """,
      "INSERT INTO room (one, revision, position, volume) VALUES (1, 0, 0, 100)",
      """
      CREATE TABLE open_listen (one INTEGER PRIMARY KEY CHECK (one = 1), listen TEXT NOT NULL, subject BLOB NOT NULL,
        heard INTEGER NOT NULL)
      """)
  ]

  /// Reads everything as it was stored.
  static func restore(in reader: ReadTransaction) throws -> (queue: Queue, checkpoint: Checkpoint) {
    let slots = try reader.rows("SELECT row, place FROM queue_items ORDER BY place") {
      Queue.Slot(row: try $0.value(0), place: try $0.value(1))
    }
    var checkpoint = Checkpoint()
    var revision: Int64 = 0
    try reader.row("SELECT revision, current, position, volume FROM room") {
      revision = try $0.value(0)
      checkpoint.row = try $0.value(1)
      checkpoint.position = try $0.value(2)
      checkpoint.volume = try $0.value(3)
    }
    checkpoint.listen = try reader.row("SELECT subject, heard FROM open_listen") {
      let subject: [UInt8] = try $0.value(0)
      return ListenMeter.OpenListen(
        subject: try MessageCoding.decode(Playback.ListenSubject.self, from: subject), heard: try $0.value(1))
    }
    let current = checkpoint.row.flatMap { row in slots.firstIndex { $0.row == row } }
    return (Queue(slots: slots, current: current, revision: revision), checkpoint)
  }

  /// Reads the items of some rows, as many as fit into one message; a row that is gone leaves a gap in the order.
  static func items(_ rows: [Int64], in reader: ReadTransaction) throws -> [QueueItem] {
    var items: [QueueItem] = []
    var size = 0
    for row in rows {
      guard
        let item: [UInt8] = try reader.row("SELECT item FROM queue_items WHERE row = ?", row, as: { try $0.value(0) })
      else { continue }
      size += item.count
      guard size <= messageLimit || items.isEmpty else { break }
      items.append(try MessageCoding.decode(QueueItem.self, from: item))
    }
    return items
  }

  /// How many bytes of items go into one message of the bus.
  static let messageLimit = 180 * 1024

  /// Writes what an edit changed.
  static func apply(_ changes: [Queue.Change], of queue: Queue, in transaction: Transaction) throws {
    for change in changes {
      switch change {
      case .removed(let row): try transaction.execute("DELETE FROM queue_items WHERE row = ?", row)
      case .moved(let slot): try place(slot, in: transaction)
      case .cleared: try transaction.execute("DELETE FROM queue_items")
      case .renumbered: for slot in queue.slots { try place(slot, in: transaction) }
      case .replaced, .inserted: break
      }
    }
    try note(queue, in: transaction)
  }

  /// Notes the revision and which row is current.
  static func note(_ queue: Queue, in transaction: Transaction) throws {
    try transaction.execute("UPDATE room SET revision = ?, current = ?", queue.revision, queue.currentSlot?.row)
  }

  private static func place(_ slot: Queue.Slot, in transaction: Transaction) throws {
    try transaction.execute("UPDATE queue_items SET place = ? WHERE row = ?", slot.place, slot.row)
  }

  /// Stores how things stand.
  ///
  /// - Parameter known: the listen whose subject is stored already.
  static func store(_ checkpoint: Checkpoint, known: ListenID?, in transaction: Transaction) throws {
    try transaction.execute(
      "UPDATE room SET current = ?, position = ?, volume = ?", checkpoint.row, checkpoint.position, checkpoint.volume)
    guard let listen = checkpoint.listen else {
      try transaction.execute("DELETE FROM open_listen")
      return
    }
    if listen.subject.listen == known {
      try transaction.execute("UPDATE open_listen SET heard = ?", listen.heard)
    } else {
      try transaction.execute(
        "INSERT OR REPLACE INTO open_listen (one, listen, subject, heard) VALUES (1, ?, ?, ?)", listen.subject.listen,
        try MessageCoding.encode(listen.subject), listen.heard)
    }
  }
}
