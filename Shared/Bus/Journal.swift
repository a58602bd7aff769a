public import Messages
import Model
public import Storage

/// The facts of one node, in tables of its service's own database: a fact commits with the change it reports, then it
/// is sent.
///
/// Sequence numbers are dense. Every start is a new epoch, written with fsync before the node is reachable.
public final class Journal: Sendable {
  /// What identifies this journal; a wiped database gets a new one.
  public let identity: String
  /// This start's number.
  public let epoch: Int64
  /// The sequence number before the first fact of this epoch.
  let headAtStart: Int64

  private let database: Database
  let committed: AsyncStream<JournaledFact>
  private let announce: AsyncStream<JournaledFact>.Continuation

  /// The tables of the bus within a service's database: journal, epochs, cursors and the answers of commands. They come
  /// first.
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
      """)
  ]

  /// Opens the journal of a database and begins a new epoch.
  ///
  /// - Throws: the errors of `Database.write`.
  public init(_ database: Database) async throws {
    let drawn = UniqueID<Journal>.random().rawValue
    (identity, epoch, headAtStart) = try await database.write(.power) { transaction in
      try transaction.execute("INSERT OR IGNORE INTO bus_journal (one, identity) VALUES (1, ?)", drawn)
      let identity: String =
        try transaction.row("SELECT identity FROM bus_journal", as: { try $0.value(0) }) ?? drawn
      let epoch: Int64 =
        try transaction.row("SELECT ifnull(max(epoch), 0) + 1 FROM bus_epochs", as: { try $0.value(0) }) ?? 1
      let head: Int64 = try transaction.row("SELECT ifnull(max(seq), 0) FROM bus_facts", as: { try $0.value(0) }) ?? 0
      try transaction.execute("INSERT INTO bus_epochs (epoch, first) VALUES (?, ?)", epoch, head + 1)
      return (identity, epoch, head)
    }
    self.database = database
    // A reader that misses a live fact sees the gap and fetches it, so dropping the oldest is no loss.
    (committed, announce) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4096))
  }

  /// Writes a fact within the transaction of the change it reports; it is sent once that has committed at the fact's
  /// grade.
  ///
  /// - Throws: the errors of `Transaction.execute`; `bus.badPayload`, `bus.frameTooLarge` for what cannot be sent.
  public func append<F: Fact>(_ fact: F, in transaction: Transaction) throws {
    let payload = try MessageCoding.encode(fact)
    guard payload.count < Frame.sizeLimit - 2048 else {
      throw LunaraError("bus.frameTooLarge", "A fact \(F.kind) of \(payload.count) bytes is over the bus's limit.")
    }
    if F.survives == .power { transaction.requireSurvival(.power) }
    let id = UniqueID<Journal>.random().rawValue
    let time = Timestamp.now()
    try transaction.execute(
      "INSERT INTO bus_facts (epoch, id, kind, time, payload) VALUES (?, ?, ?, ?, ?)", epoch, id, F.kind,
      time.microseconds, payload)
    let written = JournaledFact(
      seq: transaction.lastInsertedRowID, epoch: epoch, id: id, kind: F.kind, time: time, payload: payload)
    let announce = announce
    transaction.afterCommit { announce.yield(written) }
  }

  /// The facts that follow a starting point, oldest first, at most `sizeLimit` bytes of payload but at least one fact.
  func page(from start: ReplayStart, sizeLimit: Int = 48 * 1024) async throws -> JournalPage {
    let (identity, current) = (identity, epoch)
    return try await database.read { reader in
      let head: Int64 = try reader.row("SELECT ifnull(max(seq), 0) FROM bus_facts", as: { try $0.value(0) }) ?? 0
      let first = try Self.resolve(start, identity: identity, head: head, in: reader)
      var size = 0
      var facts: [JournaledFact] = []
      var next = first
      while next <= head, size < sizeLimit {
        let rows: [JournaledFact] = try reader.rows(
          "SELECT seq, epoch, id, kind, time, payload FROM bus_facts WHERE seq >= ? ORDER BY seq LIMIT 64", next,
          as: JournaledFact.init(row:))
        guard let last = rows.last else { break }
        for row in rows where facts.isEmpty || size + row.payload.count <= sizeLimit {
          size += row.payload.count + 200
          facts.append(row)
          guard size < sizeLimit else { break }
        }
        next = (facts.last?.seq ?? last.seq) + 1
        if facts.last?.seq != last.seq { break }
      }
      let isAtHead = next > head
      let through =
        isAtHead
        ? JournalPosition(journal: identity, epoch: current, seq: max(head, 0))
        : JournalPosition(journal: identity, epoch: facts.last?.epoch ?? current, seq: next - 1)
      return JournalPage(facts: facts, through: through, head: head)
    }
  }

  /// The first sequence number to send for a start.
  private static func resolve(_ start: ReplayStart, identity: String, head: Int64, in reader: ReadTransaction) throws
    -> Int64
  {
    switch start {
    case .oldest: return 1
    case .head: return head + 1
    case .since(let time):
      return try reader.row("SELECT seq FROM bus_facts WHERE time >= ? ORDER BY seq LIMIT 1", time.microseconds) {
        try $0.value(0)
      } ?? head + 1
    case .after(let position):
      guard position.journal == identity else { return 1 }
      // A fact of a later epoch may bear a number that one lost in a power cut had before.
      let later: Int64? = try reader.row(
        "SELECT ifnull(min(first), ?) FROM bus_epochs WHERE epoch > ?", Int64.max, position.epoch
      ) { try $0.value(0) }
      return min(position.seq + 1, later ?? .max)
    }
  }
}

/// A fact as it stands in the journal.
struct JournaledFact: Sendable {
  var seq: Int64
  var epoch: Int64
  var id: String
  var kind: String
  var time: Timestamp
  var payload: [UInt8]

  init(seq: Int64, epoch: Int64, id: String, kind: String, time: Timestamp, payload: [UInt8]) {
    self.seq = seq
    self.epoch = epoch
    self.id = id
    self.kind = kind
    self.time = time
    self.payload = payload
  }

  init(row: borrowing Row) throws {
    seq = try row.value(0)
    epoch = try row.value(1)
    id = try row.value(2)
    kind = try row.value(3)
    time = Timestamp(microseconds: try row.value(4))
    payload = try row.value(5)
  }

  /// The fact's envelope when `node` sends it.
  func envelope(from node: NodeID, journal: String) -> Envelope {
    Envelope(
      id: id, node: node, epoch: epoch, seq: seq, time: time, kind: kind, journal: journal, payload: payload)
  }
}

/// A run of facts.
struct JournalPage: Sendable {
  var facts: [JournaledFact]
  /// Where the reader stands after it.
  var through: JournalPosition
  /// The last sequence number there is.
  var head: Int64
}

/// Where a replay begins.
enum ReplayStart: Codable, Hashable, Sendable {
  /// With the oldest fact kept.
  case oldest
  /// With what is yet to come.
  case head
  /// With the first fact at or after a moment of the publisher's clock.
  case since(Timestamp)
  /// Behind a cursor, as the publisher resolves it.
  case after(JournalPosition)
}
