import Messages
import Model
public import Storage
import System

/// The answers to commands, kept in the service's database for a day: a command that comes again after a restart gets
/// its former answer and is not carried out a second time.
///
/// The day is measured by this host's running time (`AnswerClock`), so that a jump of the wall clock neither drops an
/// answer early nor keeps one for ever.
enum CommandLog {
  /// The time for which an answer is kept, in microseconds.
  static let memory: Int64 = 86_400_000_000

  /// Stores a command's answer in the transaction of its effect, in the database of the node's journal.
  static func record(
    _ answer: some Encodable, for id: RequestID, in transaction: Transaction, at uptime: Uptime = .now()
  ) throws {
    let clock = try prune(in: transaction, at: uptime)
    try transaction.execute(
      "INSERT OR REPLACE INTO bus_answers (id, answer, time) VALUES (?, ?, ?)", id.text,
      try MessageCoding.encode(answer), clock.time)
  }

  /// Returns the payload of the answer to a command; nil if none is kept.
  static func answer(to id: RequestID, in database: Database) async throws -> [UInt8]? {
    try await database.read { reader in
      try reader.row("SELECT answer FROM bus_answers WHERE id = ?", id.text) { try $0.value(0) }
    }
  }

  /// Deletes answers that are older than a day; returns the clock by which their age was judged.
  @discardableResult
  static func prune(in transaction: Transaction, at uptime: Uptime) throws -> AnswerClock {
    let stored = try transaction.row("SELECT time, boot, uptime FROM bus_answer_clock") {
      AnswerClock(time: try $0.value(0), uptime: Uptime(boot: try $0.value(1), microseconds: try $0.value(2)))
    }
    // An earlier version stored the time of the wall clock, and a salvaged file may hold times of another clock. The
    // clock continues after the newest of them.
    var clock = stored ?? AnswerClock(time: 0, uptime: uptime)
    clock.time = max(clock.time, try transaction.number("SELECT max(time) FROM bus_answers") ?? 0)
    guard clock.advance(to: uptime) || stored == nil else { return clock }
    try transaction.execute(
      "INSERT OR REPLACE INTO bus_answer_clock (one, time, boot, uptime) VALUES (1, ?, ?, ?)", clock.time,
      clock.uptime.boot, clock.uptime.microseconds)
    try transaction.execute("DELETE FROM bus_answers WHERE time < ?", clock.time - memory)
    return clock
  }
}

extension RequestContext {
  /// Stores the answer to the current command in the transaction of its effect. If the command comes again after this
  /// process was killed, it gets this answer and is not carried out a second time.
  ///
  /// - Throws: `bus.badPayload`, and the errors of `Transaction.execute`.
  public func record(_ answer: some Encodable, in transaction: Transaction) throws {
    try CommandLog.record(answer, for: id, in: transaction)
  }
}

/// Decides what a node does with a command that this run of it has not seen before. Pure.
enum CommandVerdict: Equatable {
  case run
  /// A former run carried out the command and stored this answer, which is sent again.
  case repeatAnswer([UInt8])
  /// The command was meant for a former run, which stored no answer: it may or may not have been carried out.
  case unknown

  /// Judges a command.
  ///
  /// - Parameters:
  ///   - stored: the answer that was stored with its effect; nil if there is none.
  ///   - target: the run for which it was meant; nil if its asker did not know.
  ///   - run: the present run of this node.
  init(stored: [UInt8]?, target: NodeRun?, run: NodeRun) {
    if let stored {
      self = .repeatAnswer(stored)
    } else if let target, !target.means(run) {
      self = .unknown
    } else {
      self = .run
    }
  }
}

/// The time since this host's boot, including sleep.
struct Uptime: Equatable, Sendable {
  /// The id of this boot, which the kernel drew.
  var boot: String
  /// The time since the boot.
  var microseconds: Int64

  // Without the id every process counts as a boot of its own, so answers are kept longer than necessary.
  private static let thisBoot = HostBoot.id ?? "run \(UInt64.random(in: 0...UInt64.max))"

  /// Returns the time since the boot, which does not depend on the wall clock.
  static func now() -> Uptime { Uptime(boot: thisBoot, microseconds: MonotonicClock.microsecondsSinceBoot()) }
}

/// The clock by which stored answers age. It advances while the host runs, across restarts of the service. The time
/// from its last update before a boot to the first one after it is not counted. Pure.
struct AnswerClock: Equatable, Sendable {
  /// The shortest time between two updates, in microseconds; the age of an answer may be wrong by as much.
  static let step: Int64 = 60_000_000

  /// The time that the clock shows, in microseconds.
  var time: Int64
  var uptime: Uptime

  /// Advances the clock if `step` has passed or the host was booted; returns true if it did, so that it has to be
  /// stored.
  mutating func advance(to now: Uptime) -> Bool {
    let passed = now.microseconds - uptime.microseconds
    // The time for which the host was off is not known: the wall clock may be wrong by years.
    let isOfThisBoot = now.boot == uptime.boot && passed >= 0
    guard !isOfThisBoot || passed >= Self.step else { return false }
    if isOfThisBoot { time += passed }
    uptime = now
    return true
  }
}
