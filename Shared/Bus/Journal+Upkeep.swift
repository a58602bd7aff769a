import Model
import Storage
import Synchronization

/// Keeping what is yet to be read, and no more.
extension Journal {
  /// How many facts go at once: what a write has to wait for at most.
  private static let chunk = 256
  private static let betweenChunks = Duration.milliseconds(20)
  private static let betweenPrunings = Duration.seconds(60)

  /// Drops facts at the start and each minute, until the task is cancelled.
  func keepUp(report: @escaping @Sendable (LunaraError) -> Void) async {
    var told: LunaraError?
    while !Task.isCancelled {
      do {
        try await prune(at: .now())
        told = nil
      } catch {
        let error = LunaraError(error)
        if error != told, !Task.isCancelled { report(error) }
        told = error
      }
      do { try await Task.sleep(for: Self.betweenPrunings) } catch { return }
    }
  }

  /// Drops the facts that may go, in small transactions with pauses between them.
  func prune(at now: Timestamp) async throws {
    try await writeReaders(at: now)
    while try await pruneChunk(at: now) == Self.chunk { try await Task.sleep(for: Self.betweenChunks) }
  }

  private func pruneChunk(at now: Timestamp) async throws -> Int {
    let index = current
    let (oldest, newest) = try await database.read { reader in
      let oldest = try reader.rows("SELECT seq, time FROM bus_facts ORDER BY seq LIMIT ?", Self.chunk) {
        Retention.Aged(seq: try $0.value(0), time: Timestamp(microseconds: try $0.value(1)))
      }
      let newest = try reader.row("SELECT time FROM bus_facts WHERE seq <= ? ORDER BY seq DESC LIMIT 1", index.head) {
        Timestamp(microseconds: try $0.value(0))
      }
      return (oldest, newest)
    }
    let needed = readers.withLock { $0.needed(in: index) }
    // By a clock that has run ahead since nothing is old yet.
    let count = retention.droppable(oldest, head: index.head, needed: needed, at: min(now, newest ?? now))
    guard count > 0 else { return 0 }
    let last = oldest[count - 1].seq
    try await database.write { _ = try $0.execute("DELETE FROM bus_facts WHERE seq <= ?", last) }
    return count
  }

  /// A node said how far its readers are.
  ///
  /// - Returns: whether one of them is new, and has to be written down before long.
  func noted(_ cursors: [ReaderCursor], of node: NodeID, at now: Timestamp) -> Bool {
    readers.withLock { readers in
      cursors.reduce(false) { readers.note($1, of: node, at: now) || $0 }
    }
  }

  /// Writes down how far readers are. After a crash they are taken to be where they were: too much is kept then.
  func writeReaders(at now: Timestamp) async throws {
    let (news, gone) = readers.withLock { ($0.takeUnwritten(), $0.forget(before: now - retention.age)) }
    guard !news.isEmpty || !gone.isEmpty else { return }
    try await database.write { transaction in
      for (key, known) in news {
        try transaction.execute(
          "INSERT OR REPLACE INTO bus_readers (reader, node, journal, epoch, seq, seen) VALUES (?, ?, ?, ?, ?, ?)",
          key.reader, key.node.description, known.position.journal, known.position.epoch, known.position.seq,
          known.seen.microseconds)
      }
      for key in gone {
        try transaction.execute(
          "DELETE FROM bus_readers WHERE reader = ? AND node = ?", key.reader, key.node.description)
      }
    }
  }

  /// Looks whether a reader was told more than this journal has: then it went back, and must not go on as if it had
  /// not. It takes a new identity at its next start.
  ///
  /// - Throws: `bus.journalWentBack`, once in a run.
  func check(_ cursors: [ReaderCursor], of node: NodeID) async throws {
    let index = current
    guard let beyond = cursors.first(where: { index.isBeyond($0.position) })?.position,
      hasGoneBack.exchange(true, ordering: .relaxed) == false
    else { return }
    try await database.write(.power) {
      _ = try $0.execute("UPDATE bus_journal SET fork = max(ifnull(fork, 0), ?)", beyond.epoch)
    }
    throw Self.wentBack(
      database.path, "\(node) has read to number \(beyond.seq) of start \(beyond.epoch)", "Restart this service.")
  }

  static func wentBack(_ path: String, _ cause: String, _ advice: String) -> LunaraError {
    LunaraError(
      "bus.journalWentBack",
      """
      \(path) is older than what others have read of it: was a backup restored? It goes on as a new journal, so that \
      nothing new is passed over. \(advice)
      """, cause: cause)
  }
}

extension JournalReaders {
  /// Reads what was written down.
  init(reading transaction: ReadTransaction) throws {
    let rows = try transaction.rows("SELECT reader, node, journal, epoch, seq, seen FROM bus_readers") { row in
      let position = JournalPosition(journal: try row.value(2), epoch: try row.value(3), seq: try row.value(4))
      let known = Known(position: position, seen: Timestamp(microseconds: try row.value(5)))
      return (try row.value(0) as String, try row.value(1) as String, known)
    }
    var known: [Key: Known] = [:]
    for (reader, node, place) in rows {
      if let node = NodeID(node) { known[Key(reader: reader, node: node)] = place }
    }
    self.init(known)
  }
}
