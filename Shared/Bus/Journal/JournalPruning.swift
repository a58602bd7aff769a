public import Model
import Storage
import Synchronization

/// Pruning: deletes facts that all readers have and that are old enough.
extension Journal {
  /// The number of facts that are deleted at once, so that other writes wait only briefly.
  private static let chunk = 256
  private static let betweenChunks = Duration.milliseconds(20)
  private static let betweenPrunings = Duration.seconds(60)

  /// Deletes old facts at the start and each minute, until the task is cancelled.
  func pruneRegularly(report: @escaping @Sendable (LunaraError) -> Void) async {
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

  /// Deletes the facts that need not be kept, in small transactions with pauses between them.
  func prune(at now: Timestamp) async throws {
    try await writeReaders(at: now)
    while try await pruneChunk(at: now) == Self.chunk { try await Task.sleep(for: Self.betweenChunks) }
  }

  private func pruneChunk(at now: Timestamp) async throws -> Int {
    let index = current
    let (oldest, newest) = try await database.read { reader in
      let oldest = try reader.rows("SELECT seq, time FROM bus_facts ORDER BY seq LIMIT ?", Self.chunk) {
        Retention.Aged(seq: try $0.value(0), time: try $0.value(1))
      }
      let newest = try reader.row(
        "SELECT time FROM bus_facts WHERE seq <= ? ORDER BY seq DESC LIMIT 1", index.head
      ) { try $0.value(0) as Timestamp }
      return (oldest, newest)
    }
    let needed = readers.withLock { $0.needed(in: index) }
    // A clock that jumped ahead after the newest fact was written must not make facts look old.
    let count = retention.droppable(oldest, head: index.head, needed: needed, at: min(now, newest ?? now))
    guard count > 0 else { return 0 }
    let last = oldest[count - 1].seq
    try await database.write { _ = try $0.execute("DELETE FROM bus_facts WHERE seq <= ?", last) }
    return count
  }

  /// Records the positions of a node's readers; returns true if a reader is new and so has to be stored soon.
  func record(_ cursors: [ReaderCursor], of node: NodeID, at now: Timestamp) -> Bool {
    readers.withLock { readers in
      cursors.reduce(false) { readers.record($1, of: node, at: now) || $0 }
    }
  }

  /// Stores the positions of the readers. After a crash older positions are used, so too many facts are kept rather
  /// than too few.
  func writeReaders(at now: Timestamp) async throws {
    let (changed, gone) = readers.withLock { ($0.removeUnwritten(), $0.forget(before: now - retention.age)) }
    guard !changed.isEmpty || !gone.isEmpty else { return }
    try await database.write { transaction in
      for (key, known) in changed {
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

  /// Checks if a reader is at a position beyond the end of this journal. If so, the database was restored from a
  /// backup, and the journal takes a new identity at its next start.
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
  init(reading transaction: ReadTransaction) throws {
    let rows = try transaction.rows("SELECT journal, epoch, seq, reader, node, seen FROM bus_readers") { row in
      let (reader, node, seen) = (try row.value(3) as String, try row.value(4) as String, try row.value(5) as Timestamp)
      let known = RecordedReader(position: try JournalPosition(row), seen: seen)
      return NodeID(node).map { (Key(reader: reader, node: $0), known) }
    }
    self.init(Dictionary(rows.compactMap { $0 }) { $1 })
  }
}

/// The rules by which a journal keeps its facts.
///
/// A fact may be deleted if every registered reader has it and it is older than `past`, or if it exceeds `facts` or
/// `age`. Without a registered reader only `facts` and `age` count. Pure.
public struct Retention: Hashable, Sendable {
  struct Aged: Hashable, Sendable {
    var seq: Int64
    var time: Timestamp
  }

  /// The largest number of facts that are kept for readers that are away.
  public var facts: Int64
  /// The longest time for which a fact is kept for readers that are away.
  public var age: Milliseconds
  /// The time for which a fact is kept after all readers have it, for people who look into the past.
  public var past: Milliseconds

  /// Creates the rules; by default two million facts, 180 days, and the past week.
  public init(facts: Int64 = 2_000_000, days: Int64 = 180, past: Milliseconds = .days(7)) {
    self.facts = max(1, facts)
    age = .days(max(1, min(days, 36_500)))
    self.past = past
  }

  /// Returns how many of the oldest facts may be deleted.
  ///
  /// The newest fact of the journal stays, so that its number is not used again, and so do all facts behind one that
  /// must stay: after a step of the clock too many are kept rather than too few.
  ///
  /// - Parameters:
  ///   - oldest: the oldest facts, in order.
  ///   - head: the sequence number of the newest fact.
  ///   - needed: the first number that a registered reader has yet to read; nil if none is registered.
  ///   - now: the current time.
  func droppable(_ oldest: [Aged], head: Int64, needed: Int64?, at now: Timestamp) -> Int {
    let stay = oldest.firstIndex { fact in
      if fact.seq >= head { return true }
      if fact.seq <= head - facts || now - fact.time > age { return false }
      guard let needed, fact.seq < needed else { return true }
      return now - fact.time <= past
    }
    return stay ?? oldest.count
  }
}

extension Milliseconds {
  /// Returns the duration of whole days.
  public static func days(_ count: Int64) -> Milliseconds { Milliseconds(count * 86_400_000) }
}

/// The durable readers of a journal and their positions, as their nodes report them in hellos. Pure.
struct JournalReaders: Sendable {
  struct Key: Hashable, Sendable {
    var reader: String
    var node: NodeID
  }

  struct RecordedReader: Hashable, Sendable {
    var position: JournalPosition
    var seen: Timestamp
  }

  /// The largest number of readers that are recorded, far more than a household has.
  static let limit = 1024

  private(set) var known: [Key: RecordedReader] = [:]
  /// The readers whose positions are not stored yet.
  private var unwritten: Set<Key> = []

  init(_ known: [Key: RecordedReader] = [:]) { self.known = known }

  /// Records the position of a reader; returns true if the reader is new.
  mutating func record(_ cursor: ReaderCursor, of node: NodeID, at now: Timestamp) -> Bool {
    let key = Key(reader: cursor.reader, node: node)
    let isNew = known[key] == nil
    guard !isNew || known.count < Self.limit else { return false }
    known[key] = RecordedReader(position: cursor.position, seen: now)
    unwritten.insert(key)
    return isNew
  }

  /// Returns the first number that a reader has yet to read; nil if there are no readers.
  func needed(in index: JournalIndex) -> Int64? {
    known.values.map { index.next(after: $0.position) ?? index.oldest }.min()
  }

  mutating func removeUnwritten() -> [Key: RecordedReader] {
    defer { unwritten = [] }
    return known.filter { unwritten.contains($0.key) }
  }

  mutating func forget(before moment: Timestamp) -> [Key] {
    let gone = known.filter { $1.seen < moment }.map(\.key)
    for key in gone { known[key] = nil }
    return gone
  }
}
