import FoundationEssentials
import Messages
import Model
public import Storage
import System

/// The answers of commands, kept in the service's own database for a day: one asked again after a restart gets what was
/// answered before and is not carried out a second time.
///
/// The day is measured by this host's running time (`AnswerClock`): a jump of the wall clock neither drops an answer
/// early nor keeps one for ever.
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
    // Answers of an earlier version bear the wall clock's time, and those of a salvaged file another clock's: it goes
    // on from there.
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
  /// Stores the answer of the command that is being handled, in the transaction of its effect: sent again after this
  /// process was killed and restarted, the command is answered with it and not carried out a second time.
  ///
  /// - Throws: `bus.badPayload`, and what `Transaction.execute` throws.
  public func settle(_ answer: some Encodable, in transaction: Transaction) throws {
    try CommandLog.record(answer, for: id, in: transaction)
  }
}

/// The verdict of a node on a command that is new to this run of it. Pure.
enum CommandVerdict: Equatable {
  case run
  /// A former run carried it out and stored this answer: give it again.
  case repeatAnswer([UInt8])
  /// It was meant for a former run, which stored nothing: whether it was carried out cannot be known.
  case unknown

  /// Judges a command by the answer that was stored with its effect, the run that its asker means, where it knows
  /// that, and this run.
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

/// The time for which this host has run, asleep or awake, and since which boot.
struct Uptime: Equatable, Sendable {
  /// The id that the kernel drew at this boot.
  var boot: String
  /// Since then.
  var microseconds: Int64

  private static let thisBoot: String = {
    do {
      return try String(contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id"), encoding: .utf8)
    } catch {
      // Without it each run counts for itself: an answer is kept longer than it need be.
      return "run \(UInt64.random(in: 0...UInt64.max))"
    }
  }()

  /// The time since the boot, which nobody can set.
  static func now() -> Uptime { Uptime(boot: thisBoot, microseconds: MonotonicClock.microsecondsSinceBoot()) }
}

/// The clock by which stored answers grow old. It runs while the host runs, across restarts of the service. The time
/// from the last look at it before a boot to the first one after does not count. Pure.
struct AnswerClock: Equatable, Sendable {
  /// The shortest time between two writes; an answer may look older than it is by as much.
  static let step: Int64 = 60_000_000

  /// The time that it shows, in microseconds.
  var time: Int64
  var uptime: Uptime

  /// Brings it up to date where that is worth being written; tells whether it was.
  mutating func advance(to now: Uptime) -> Bool {
    let passed = now.microseconds - uptime.microseconds
    // The time that it was off is not known: the wall clock may be wrong by years.
    let isOfThisBoot = now.boot == uptime.boot && passed >= 0
    guard !isOfThisBoot || passed >= Self.step else { return false }
    if isOfThisBoot { time += passed }
    uptime = now
    return true
  }
}
