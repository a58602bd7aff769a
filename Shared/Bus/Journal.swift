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
  let database: Database
  /// The facts that are acknowledged and wait to be sent.
  let outlet: FactOutlet

  /// The last sequence number that is acknowledged at its grade.
  var head: Int64 { outlet.head }

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
      """),
    Migration("bus-2", "CREATE INDEX bus_answers_by_time ON bus_answers (time)"),
  ]

  /// Opens the journal of a database and begins a new epoch.
  ///
  /// - Throws: the errors of `Database.write`.
  public init(_ database: Database) async throws {
    let drawn = UniqueID<Journal>.random().rawValue
    let head: Int64
    (identity, epoch, head) = try await database.write(.power) { transaction in
      try transaction.execute("INSERT OR IGNORE INTO bus_journal (one, identity) VALUES (1, ?)", drawn)
      let identity: String =
        try transaction.row("SELECT identity FROM bus_journal", as: { try $0.value(0) }) ?? drawn
      let epoch: Int64 =
        try transaction.row("SELECT ifnull(max(epoch), 0) + 1 FROM bus_epochs", as: { try $0.value(0) }) ?? 1
      let head: Int64 = try transaction.row("SELECT ifnull(max(seq), 0) FROM bus_facts", as: { try $0.value(0) }) ?? 0
      try transaction.execute("INSERT INTO bus_epochs (epoch, first) VALUES (?, ?)", epoch, head + 1)
      try CommandLog.prune(in: transaction, at: .now())
      return (identity, epoch, head)
    }
    self.database = database
    outlet = FactOutlet(head: head)
  }

  /// Writes a fact within the transaction of the change it reports; it is sent once that has committed at the fact's
  /// grade.
  ///
  /// - Throws: the errors of `Transaction.execute`; `bus.badPayload`, `bus.frameTooLarge` for what cannot be sent.
  public func append<F: Fact>(_ fact: F, in transaction: Transaction) throws {
    let payload = try MessageCoding.encode(fact)
    guard payload.count <= Frame.payloadLimit else {
      throw Frame.tooLarge("The fact \(F.kind)", payload.count)
    }
    if F.survives == .power { transaction.requireSurvival(.power) }
    let id = UniqueID<Journal>.random().rawValue
    let time = Timestamp.now()
    try transaction.execute(
      "INSERT INTO bus_facts (epoch, id, kind, time, payload) VALUES (?, ?, ?, ?, ?)", epoch, id, F.kind,
      time.microseconds, payload)
    let written = JournaledFact(
      seq: transaction.lastInsertedRowID, epoch: epoch, id: id, kind: F.kind, time: time, payload: payload)
    let outlet = outlet
    transaction.afterCommit { outlet.put(written) }
  }
}
