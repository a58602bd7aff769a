import Messages
import Model
public import Storage

/// The answers of commands, kept in the service's own database for a day: one asked again after a restart gets what was
/// answered before and is not carried out a second time.
public enum CommandLog {
  private static let memory = Milliseconds(86_400_000)

  /// Stores a command's answer in the transaction of its effect.
  ///
  /// The database is that of the node's journal, whose migrations hold the table.
  ///
  /// - Throws: `bus.badPayload`, and what `Transaction.execute` throws.
  public static func record(_ answer: some Encodable, for id: RequestID, in transaction: Transaction) throws {
    let now = Timestamp.now()
    try prune(in: transaction, at: now)
    try transaction.execute(
      "INSERT OR REPLACE INTO bus_answers (id, answer, time) VALUES (?, ?, ?)", id.text,
      try MessageCoding.encode(answer), now.microseconds)
  }

  /// The payload that answered a command; nil where none is kept.
  static func answer(to id: RequestID, in database: Database) async throws -> [UInt8]? {
    try await database.read { reader in
      try reader.row("SELECT answer FROM bus_answers WHERE id = ?", id.text) { try $0.value(0) }
    }
  }

  /// Drops what is older than a day.
  static func prune(in transaction: Transaction, at now: Timestamp) throws {
    try transaction.execute("DELETE FROM bus_answers WHERE time < ?", (now - memory).microseconds)
  }
}

extension RequestContext {
  /// Stores the answer of the command that is being handled, in the transaction of its effect: sent again after this
  /// process was killed and restarted, the command is answered with it and not carried out a second time.
  ///
  /// - Throws: `bus.badPayload`, and what `Transaction.execute` throws.
  public func settle(_ answer: some Encodable, in transaction: Transaction) throws {
    try CommandLog.record(answer, for: id, in: transaction)
  }
}
