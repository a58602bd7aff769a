import Messages
import Model
import Storage

/// The queue and the other state of the room in its database. A change of the queue writes only the affected rows.
enum QueueStore {
  static func queue(in reader: ReadTransaction) throws -> Queue {
    let slots = try reader.rows("SELECT row, place, home FROM queue_places ORDER BY place") {
      Queue.Slot(row: try $0.value(0), place: try $0.value(1), originalPlace: try $0.value(2))
    }
    var queue = Queue(slots: slots)
    try reader.row("SELECT revision, current, ordering, seed, repeats, continuation FROM room") {
      queue.revision = try $0.value(0)
      let row: Int64? = try $0.value(1)
      queue.current = row.flatMap { row in slots.firstIndex { $0.row == row } }
      queue.order = Playback.Order(rawValue: try $0.value(2)) ?? .queued
      queue.seed = UInt64(bitPattern: try $0.value(3))
      queue.repeats = Playback.Repeat(rawValue: try $0.value(4)) ?? .off
      let continuation: [UInt8]? = try $0.value(5)
      queue.continuation = try continuation.map { try MessageCoding.decode(Playback.Continuation.self, from: $0) }
    }
    queue.lastAlbum = try lastAlbum(of: queue, in: reader)
    return queue
  }

  /// Returns the stored queue if it is newer than `queue`, as an edit was committed meanwhile; else nil. Rows of
  /// `queue` may be gone then.
  static func queue(newerThan queue: Queue, in reader: ReadTransaction) throws -> Queue? {
    let revision = try reader.row("SELECT revision FROM room") { try $0.value(0) as Int64 }
    guard let revision, revision > queue.revision else { return nil }
    return try self.queue(in: reader)
  }

  /// Returns the items of rows, as many as fit into one message; rows that are gone are left out.
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

  /// The largest size of the items in one message, in bytes.
  static let messageLimit = 180 * 1024

  /// Returns a number for the album of each row.
  static func albums(in reader: ReadTransaction) throws -> [Int64: Int] {
    var numbers: [String: Int] = [:]
    let rows = try reader.rows("SELECT row, album FROM queue_names") { row in
      let album: String = try row.value(1)
      let number = numbers[album] ?? numbers.count
      numbers[album] = number
      return (try row.value(0) as Int64, number)
    }
    return Dictionary(rows) { first, _ in first }
  }

  static func rows(of tracks: [TrackID], in reader: ReadTransaction) throws -> Set<Int64> {
    let wanted = Set(tracks.map(\.description))
    let rows = try reader.rows("SELECT row, track FROM queue_names") {
      wanted.contains(try $0.value(1)) ? try $0.value(0) as Int64 : nil
    }
    return Set(rows.compactMap { $0 })
  }

  static func lastAlbum(of queue: Queue, in reader: ReadTransaction) throws -> AlbumID? {
    guard let row = queue.lastQueued?.row else { return nil }
    return try reader.row("SELECT album FROM queue_names WHERE row = ?", row) { try $0.value(0) }
  }
}

// MARK: - Writing

extension QueueStore {
  /// Writes changes of the queue, and sets `lastAlbum`. `load` is the name of the staged items that were inserted.
  static func apply(_ changes: [Queue.Change], of queue: inout Queue, load: String = "", in transaction: Transaction)
    throws
  {
    for change in changes {
      switch change {
      case .replaced(let block):
        try clear(in: transaction)
        try insert(block, of: load, in: transaction)
      case .inserted(let block): try insert(block, of: load, in: transaction)
      case .removed(let rows):
        for row in rows {
          for table in tables { try transaction.execute("DELETE FROM \(table) WHERE row = ?", row) }
        }
      case .moved(let slot): try place(slot, in: transaction)
      case .cleared: try clear(in: transaction)
      case .renumbered(let range): for slot in queue.slots[range] { try place(slot, in: transaction) }
      case .unshuffled: try transaction.execute("UPDATE queue_places SET place = home, home = 0")
      }
    }
    queue.lastAlbum = try lastAlbum(of: queue, in: transaction)
    try storeHeader(of: queue, in: transaction)
  }

  /// Stores the revision, the current row, and the order. If another row becomes current, its position is set to 0.
  static func storeHeader(of queue: Queue, in transaction: Transaction) throws {
    let row = queue.currentSlot?.row
    try transaction.execute("UPDATE progress SET position = 0 WHERE (SELECT current FROM room) IS NOT ?", row)
    try transaction.execute(
      "UPDATE room SET revision = ?, current = ?, ordering = ?, seed = ?, repeats = ?, continuation = ?",
      queue.revision, row, queue.order.rawValue, Int64(bitPattern: queue.seed), queue.repeats.rawValue,
      try queue.continuation.map { try MessageCoding.encode($0) })
  }

  private static let tables = ["queue_items", "queue_places", "queue_names"]

  private static func clear(in transaction: Transaction) throws {
    for table in tables { try transaction.execute("DELETE FROM \(table)") }
  }

  private static func place(_ slot: Queue.Slot, in transaction: Transaction) throws {
    try transaction.execute(
      "UPDATE queue_places SET place = ?, home = ? WHERE row = ?", slot.place, slot.originalPlace, slot.row)
  }

  /// Moves staged items into the queue.
  private static func insert(_ block: Queue.Block, of load: String, in transaction: Transaction) throws {
    try transaction.execute(
      "INSERT INTO queue_items (row, item) SELECT ? + number, item FROM staged_items WHERE load = ?", block.firstRow,
      load)
    try transaction.execute(
      "INSERT INTO queue_names (row, entry, track, album) SELECT ? + number, entry, track, album FROM staged_items WHERE load = ?",
      block.firstRow, load)
    try transaction.execute(
      """
      INSERT INTO queue_places (row, place, home)
        SELECT ? + number, ? + number * ?, ? + number * ? FROM staged_items WHERE load = ?
      """, block.firstRow, block.firstPlace, block.step, block.firstOriginalPlace, block.originalStep, load)
    try transaction.execute("DELETE FROM staged_items WHERE load = ?", load)
  }
}
