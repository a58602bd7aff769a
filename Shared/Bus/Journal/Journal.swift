public import Messages
public import Model
public import Storage
import Synchronization

/// The facts of one node, in tables of its service's database: a fact is committed together with the change that it
/// reports, and sent afterwards.
///
/// Sequence numbers are contiguous. Every start begins a new epoch, which is synced to the disk before the node is
/// reachable.
public final class Journal: Sendable {
  /// The identity of this journal; a wiped database gets a new one.
  public let identity: String
  /// The number of this start.
  public let epoch: Int64
  let database: Database
  var path: String { database.path }
  /// The number of the newest fact at the start. New facts get higher numbers, even if no older fact is left.
  private let base: Int64
  /// The committed facts that wait to be sent.
  let sendQueue: FactSendQueue

  private let index: JournalIndex
  let retention: Retention
  let readers: Mutex<JournalReaders>
  /// True once a reader was found at a position beyond the end of this journal.
  let hasGoneBack = Atomic(false)

  /// True if this journal continues one with this identity, after a backup was restored or a damaged file was salvaged.
  func descends(from identity: String) -> Bool { index.ancestors.contains { $0.journal == identity } }

  /// True if no fact was ever written.
  public var isEmpty: Bool { head == 0 }
  /// The authors of the facts in a replay's journal, by sequence number. Such a journal exists only while its process
  /// runs.
  let authors = Mutex<[Int64: NodeID]>([:])

  /// The sequence number of the newest fact that is committed with its durability.
  var head: Int64 { sendQueue.head }

  var current: JournalIndex {
    var index = index
    index.head = head
    return index
  }

  /// The tables of the bus within a service's database: journal, epochs, cursors and the answers to commands. They have
  /// to come before the service's own migrations.
  public static let migrations = [
    Migration(
      "bus-1",
      """
      CREATE TABLE bus_journal (one INTEGER PRIMARY KEY CHECK (one = 1), identity TEXT NOT NULL, parent TEXT)
      """,
      "CREATE TABLE bus_epochs (epoch INTEGER PRIMARY KEY, first INTEGER NOT NULL)",
      """
      CREATE TABLE bus_facts (seq INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL,
        time INTEGER NOT NULL, payload BLOB NOT NULL)
      """,
      """
      CREATE TABLE bus_cursors (reader TEXT NOT NULL, node TEXT NOT NULL, journal TEXT NOT NULL, epoch INTEGER NOT NULL,
        seq INTEGER NOT NULL, moved INTEGER NOT NULL, PRIMARY KEY (reader, node, journal)) WITHOUT ROWID
      """,
      """
      CREATE TABLE bus_answers (id TEXT PRIMARY KEY, answer BLOB NOT NULL, time INTEGER NOT NULL) WITHOUT ROWID
      """),
    Migration("bus-2", "CREATE INDEX bus_answers_by_time ON bus_answers (time)"),
    Migration(
      "bus-3",
      "CREATE TABLE bus_ancestors (journal TEXT PRIMARY KEY, epoch INTEGER NOT NULL, seq INTEGER NOT NULL) WITHOUT ROWID",
      """
      CREATE TABLE bus_readers (reader TEXT NOT NULL, node TEXT NOT NULL, journal TEXT NOT NULL,
        epoch INTEGER NOT NULL, seq INTEGER NOT NULL, seen INTEGER NOT NULL, PRIMARY KEY (reader, node)) WITHOUT ROWID
      """,
      // If set, the next start takes a new identity, and an epoch greater than this number.
      "ALTER TABLE bus_journal ADD COLUMN fork INTEGER"),
    Migration(
      "bus-4",
      """
      CREATE TABLE bus_answer_clock (one INTEGER PRIMARY KEY CHECK (one = 1), time INTEGER NOT NULL, boot TEXT NOT NULL,
        uptime INTEGER NOT NULL)
      """),
    // The time when the journal continued from a backup or from a salvaged file.
    Migration("bus-5", "ALTER TABLE bus_journal ADD COLUMN restored_at INTEGER"),
  ]

  /// Opens the journal of a database and begins a new epoch.
  ///
  /// The journal takes a new identity if it is older than its last start, because a backup was restored, or if it was
  /// salvaged.
  ///
  /// - Parameters:
  ///   - database: the database that holds the journal.
  ///   - retention: the rules by which facts are kept.
  ///   - report: called with problems that a person should know of but that do not prevent opening.
  /// - Throws: the errors of `Database.write`.
  public init(
    _ database: Database, retention: Retention = Retention(),
    report: @Sendable (LunaraError) -> Void = { _ in }
  ) async throws {
    let known = JournalStart(beside: database.path)
    let (index, readers, hasGoneBack) = try await database.write(.power) { transaction in
      let hasGoneBack = try Self.begin(behind: known, in: transaction)
      try CommandLog.prune(in: transaction, at: .now())
      return (try JournalIndex(reading: transaction), try JournalReaders(reading: transaction), hasGoneBack)
    }
    identity = index.identity
    epoch = index.epoch
    base = index.head
    self.database = database
    self.retention = retention
    self.index = index
    self.readers = Mutex(readers)
    sendQueue = FactSendQueue(head: index.head)
    if hasGoneBack, let known {
      report(Self.wentBack(database.path, "the last start was number \(known.epoch) of \(known.identity)", ""))
    }
    do {
      try JournalStart(identity: identity, epoch: epoch).write(beside: database.path)
    } catch {
      report(LunaraError(error))
    }
  }

  /// Begins an epoch after all earlier ones, with a new identity if the old one must not continue. Returns true if the
  /// journal is older than its last start.
  private static func begin(behind known: JournalStart?, in transaction: Transaction) throws -> Bool {
    let drawn = UniqueID<Journal>.random().rawValue
    try transaction.execute("INSERT OR IGNORE INTO bus_journal (one, identity) VALUES (1, ?)", drawn)
    let former = try JournalIndex(reading: transaction)
    let fork = try transaction.number("SELECT fork FROM bus_journal")
    let hasGoneBack = former.isOlder(than: known)
    // After a power cut the clock may not be set yet: the time of a restore must not be before the newest fact. A clock
    // that was ahead earlier must not leave that time in the future.
    let newest: Timestamp? = try transaction.row("SELECT time FROM bus_facts ORDER BY seq DESC LIMIT 1") {
      try $0.value(0)
    }
    let now = max(.now(), newest ?? .now())
    try transaction.execute("UPDATE bus_journal SET restored_at = ? WHERE restored_at > ?", now, now)
    if fork != nil || hasGoneBack {
      let end = former.end
      try transaction.execute(
        "INSERT OR REPLACE INTO bus_ancestors (journal, epoch, seq) VALUES (?, ?, ?)", end.journal, end.epoch, end.seq)
      try transaction.execute(
        "UPDATE bus_journal SET identity = ?, parent = ?, fork = NULL, restored_at = ?",
        UniqueID<Journal>.random().rawValue, end.journal, known?.restoredAt ?? now)
    }
    let epoch = max(former.epoch, known?.epoch ?? 0, fork ?? 0) + 1
    try transaction.execute("INSERT INTO bus_epochs (epoch, first) VALUES (?, ?)", epoch, former.head + 1)
    return hasGoneBack
  }

  /// Writes a fact within the transaction of the change that it reports. It is sent after the transaction has committed
  /// with the fact's durability.
  ///
  /// - Throws: the errors of `Transaction.execute`; `bus.badPayload`, `bus.frameTooLarge` for a fact that cannot be
  ///   sent.
  public func append<F: Fact>(_ fact: F, in transaction: Transaction) throws {
    let payload = try MessageCoding.encode(fact)
    if F.survives == .power { transaction.requireDurability(.power) }
    let fact = JournaledFact(
      seq: 0, epoch: epoch, id: UniqueID<Journal>.random().rawValue, kind: F.kind, time: .now(), payload: payload)
    try insert(fact, in: transaction)
  }

  /// Writes a fact with the next sequence number, and sends it after the commit.
  func insert(_ fact: JournaledFact, in transaction: Transaction) throws {
    guard fact.payload.count <= Frame.payloadLimit else {
      throw Frame.tooLarge("The fact \(fact.kind)", fact.payload.count)
    }
    try transaction.execute(
      """
      INSERT INTO bus_facts (seq, epoch, id, kind, time, payload)
      VALUES (max(ifnull((SELECT max(seq) FROM bus_facts), 0), ?) + 1, ?, ?, ?, ?, ?)
      """, base, epoch, fact.id, fact.kind, fact.time.microseconds, fact.payload)
    var written = fact
    written.seq = transaction.lastInsertedRowID
    if let author = fact.recordedOf { authors.withLock { $0[written.seq] = author } }
    let sendQueue = sendQueue
    transaction.afterCommit { [written] in sendQueue.put(written) }
  }
}

extension JournalIndex {
  init(reading transaction: ReadTransaction) throws {
    let identity: String = try transaction.row("SELECT identity FROM bus_journal") { try $0.value(0) } ?? ""
    let epochs = try transaction.rows("SELECT epoch, first FROM bus_epochs") {
      Epoch(number: try $0.value(0), first: try $0.value(1))
    }
    let ancestors = try transaction.rows("SELECT journal, epoch, seq FROM bus_ancestors", as: JournalPosition.init)
    // Facts may have been pruned or lost; the first number of the last start is the least that the head can be.
    let started = (epochs.map(\.first).max() ?? 1) - 1
    let head = max(try transaction.number("SELECT max(seq) FROM bus_facts") ?? 0, started)
    let oldest = try transaction.number("SELECT min(seq) FROM bus_facts") ?? head + 1
    self.init(identity: identity, ancestors: ancestors, epochs: epochs, oldest: oldest, head: head)
  }
}

extension ReadTransaction {
  /// Returns the first column of the first row of a statement; nil if there is no row, or if the column is NULL.
  func number(_ sql: String) throws -> Int64? { try row(sql) { try $0.value(0) as Int64? } ?? nil }
}

extension JournalPosition {
  /// Reads journal, epoch and number from the first columns of a row.
  init(_ row: borrowing Row) throws {
    self.init(journal: try row.value(0), epoch: try row.value(1), seq: try row.value(2))
  }
}
