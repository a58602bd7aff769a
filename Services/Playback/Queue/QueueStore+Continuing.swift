import Messages
import Model
import Storage

/// Letting a queue continue after its last item, or ending it there; and the end of an album in it.
extension QueueStore {
  /// Continues a queue in its list, or else with all albums by name. Returns the new queue; nil if it continues
  /// already. Throws `playback.nothingToContinue` for a queue without a track of an album.
  static func startContinuing(_ queue: Queue, in transaction: Transaction) throws -> Queue? {
    guard !queue.continues else { return nil }
    guard let album = queue.lastAlbum else {
      throw LunaraError(
        "playback.nothingToContinue", "The queue is empty, so nothing can follow after it. Play an album first.")
    }
    var queue = queue
    var continuation = queue.continuation ?? Playback.Continuation(list: Library.AlbumList(sort: .name), after: album)
    continuation.isOff = nil
    queue.continuation = continuation
    queue.revision += 1
    try apply([], of: &queue, in: transaction)
    return queue
  }

  /// Ends a queue after what was queued by requests: removes the coming items with which it continued, except those of
  /// the album that plays. Keeps the list. Returns the new queue; nil if it ends there already.
  ///
  /// - Parameter next: the index at which the room would start if nothing is current; nil if it would not.
  static func endContinuing(_ queue: Queue, startingAt next: Int?, in transaction: Transaction) throws -> Queue? {
    let continued: [Int64] = try transaction.rows(
      """
      SELECT row FROM queue_items WHERE json_extract(CAST(item AS TEXT), '$.origin.isContinued') ORDER BY row
      """
    ) { try $0.value(0) }
    var coming = Set<Int64>()
    if !continued.isEmpty, let index = queue.current ?? next, queue.slots.indices.contains(index) {
      let end = try lastIndex(ofAlbumAt: index, in: queue, transaction)
      coming = Set(queue.slots[(end + 1)...].map(\.row)).intersection(continued)
    }
    guard queue.continues || !coming.isEmpty else { return nil }
    var queue = queue
    let changes = queue.remove(coming)
    if changes.isEmpty { queue.revision += 1 }
    if var continuation = queue.continuation {
      continuation.isOff = true
      if let start = continuation.start, !changes.isEmpty {
        let last = try continued.last { !coming.contains($0) }.flatMap { try items([$0], in: transaction).first }
        continuation.after = last?.origin.place.flatMap { AlbumID($0) } ?? start
      }
      queue.continuation = continuation
    }
    try apply(changes, of: &queue, in: transaction)
    return queue
  }

  /// Returns the row after which another album follows, or the queue ends; nil if `row` is not in the queue.
  static func lastRow(ofAlbumIn row: Int64, in queue: Queue, _ reader: ReadTransaction) throws -> Int64? {
    guard let index = queue.slots.firstIndex(where: { $0.row == row }) else { return nil }
    return queue.slots[try lastIndex(ofAlbumAt: index, in: queue, reader)].row
  }

  /// Returns the last index from `index` on at which the items are without interruption of the same album.
  private static func lastIndex(
    ofAlbumAt index: Int, in queue: Queue, _ reader: ReadTransaction
  ) throws -> Int {
    func album(at index: Int) throws -> String? {
      try reader.row("SELECT album FROM queue_names WHERE row = ?", queue.slots[index].row) { try $0.value(0) }
    }
    let wanted = try album(at: index)
    var last = index
    while last + 1 < queue.slots.count, try album(at: last + 1) == wanted { last += 1 }
    return last
  }
}
