import Messages
public import Storage

/// The answers of commands, kept in the service's own database for a day: one asked again after a restart gets what was
/// answered before and is not carried out a second time.
///
/// The day is one of this host's running time (`AnswerClock`): a wall clock that jumps makes no answer old, and none
/// stays for ever that was given while it was ahead.
public enum CommandLog {
  /// How long an answer is kept, in microseconds.
  static let memory: Int64 = 86_400_000_000

  /// Stores a command's answer in the transaction of its effect.
  ///
  /// The database is that of the node's journal, whose migrations hold the table.
  ///
  /// - Throws: `bus.badPayload`, and what `Transaction.execute` throws.
  public static func record(_ answer: some Encodable, for id: RequestID, in transaction: Transaction) throws {
    try record(answer, for: id, in: transaction, at: .now())
  }

  static func record(_ answer: some Encodable, for id: RequestID, in transaction: Transaction, at uptime: Uptime) throws
  {
    let clock = try prune(in: transaction, at: uptime)
    try transaction.execute(
      "INSERT OR REPLACE INTO bus_answers (id, answer, time) VALUES (?, ?, ?)", id.text,
      try MessageCoding.encode(answer), clock.time)
  }

  /// The payload that answered a command; nil where none is kept.
  static func answer(to id: RequestID, in database: Database) async throws -> [UInt8]? {
    try await database.read { reader in
      try reader.row("SELECT answer FROM bus_answers WHERE id = ?", id.text) { try $0.value(0) }
    }
  }

  /// Drops what is older than a day; gives the clock by which that was judged.
  @discardableResult
  static func prune(in transaction: Transaction, at uptime: Uptime) throws -> AnswerClock {
    let stored = try transaction.row("SELECT time, boot, uptime FROM bus_answer_clock") {
      AnswerClock(time: try $0.value(0), uptime: Uptime(boot: try $0.value(1), microseconds: try $0.value(2)))
    }
    // Answers of an earlier version bear the wall clock's time, and those of a salvaged file another clock's: it goes on
    // from there.
    let newest = try transaction.row("SELECT max(time) FROM bus_answers") { row -> Int64? in try row.value(0) }
    var clock = stored ?? AnswerClock(time: 0, uptime: uptime)
    clock.time = max(clock.time, newest.flatMap { $0 } ?? 0)
    guard clock.advance(to: uptime) || stored == nil else { return clock }
    try transaction.execute(
      "INSERT OR REPLACE INTO bus_answer_clock (one, time, boot, uptime) VALUES (1, ?, ?, ?)", clock.time,
      clock.uptime.boot, clock.uptime.microseconds)
    try transaction.execute("DELETE FROM bus_answers WHERE time < ?", clock.time - memory)
    return clock
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
