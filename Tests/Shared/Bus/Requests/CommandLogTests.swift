import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Bus

/// The time for which the answers of commands are kept.
@Suite struct CommandLogTests {
  private static let hour: Int64 = 3_600_000_000
  private let folder = TemporaryDirectory()

  private func open() throws -> Database {
    try Database(at: "\(folder.path)/log.sqlite", migrations: Journal.migrations)
  }

  /// A number of hours after a boot.
  private func uptime(_ hours: Int64, boot: String = "a") -> Uptime {
    Uptime(boot: boot, microseconds: hours * Self.hour)
  }

  private func record(_ id: String, in database: Database, at uptime: Uptime) async throws {
    try await database.write { try CommandLog.record(1, for: RequestID(id), in: $0, at: uptime) }
  }

  private func kept(_ ids: [String], in database: Database) async throws -> [String] {
    var kept: [String] = []
    for id in ids where try await CommandLog.answer(to: RequestID(id), in: database) != nil { kept.append(id) }
    return kept
  }

  @Test func anAnswerIsKeptForADayOfTheHostsRunningTime() async throws {
    let database = try open()
    try await record("first", in: database, at: uptime(1))
    try await record("second", in: database, at: uptime(24))
    #expect(try await kept(["first", "second"], in: database) == ["first", "second"])
    try await record("third", in: database, at: uptime(26))
    #expect(try await kept(["first", "second", "third"], in: database) == ["second", "third"])
    await database.close()
  }

  @Test func anAnswerStaysOverABootAndTheDayGoesOnBehindIt() async throws {
    let database = try open()
    try await record("first", in: database, at: uptime(5000))
    // The machine was off for an unknown time, and has run for less than before.
    try await record("second", in: database, at: uptime(2, boot: "b"))
    try await record("third", in: database, at: uptime(25, boot: "b"))
    #expect(try await kept(["first", "second", "third"], in: database) == ["first", "second", "third"])
    try await record("fourth", in: database, at: uptime(27, boot: "b"))
    #expect(try await kept(["first", "second", "third", "fourth"], in: database) == ["third", "fourth"])
    await database.close()
  }

  /// The age in days of an earlier version's answers: its wall clock was right, or a year off.
  @Test(arguments: [0, 365, -365]) func theWallClockMakesNoAnswerOldAndKeepsNoneForEver(days: Int64) async throws {
    let database = try open()
    let written = Timestamp.now().microseconds + days * 24 * Self.hour
    try await database.write { transaction in
      _ = try transaction.execute("INSERT INTO bus_answers (id, answer, time) VALUES ('former', x'31', ?)", written)
    }
    try await record("new", in: database, at: uptime(1))
    #expect(try await kept(["former", "new"], in: database) == ["former", "new"])
    try await record("next", in: database, at: uptime(24))
    #expect(try await kept(["former", "new", "next"], in: database) == ["former", "new", "next"])
    try await record("last", in: database, at: uptime(26))
    #expect(try await kept(["former", "new", "next", "last"], in: database) == ["next", "last"])
    await database.close()
  }

  @Test func aServiceThatStartsDropsWhatIsADayOld() async throws {
    let database = try open()
    let now = Uptime.now()
    try await record("old", in: database, at: Uptime(boot: now.boot, microseconds: now.microseconds - 25 * Self.hour))
    try await record("young", in: database, at: Uptime(boot: now.boot, microseconds: now.microseconds - Self.hour))
    _ = try await Journal(database)
    #expect(try await kept(["old", "young"], in: database) == ["young"])
    await database.close()
  }

  @Test func theClockOfTheAnswersNeverGoesBack() {
    var clock = AnswerClock(time: 7, uptime: uptime(10))
    let isWorthIt = clock.advance(to: Uptime(boot: "a", microseconds: 10 * Self.hour + AnswerClock.step - 1))
    #expect(!isWorthIt && clock == AnswerClock(time: 7, uptime: uptime(10)))
    let isAdvanced = clock.advance(to: uptime(11))
    #expect(isAdvanced && clock == AnswerClock(time: 7 + Self.hour, uptime: uptime(11)))
    // The same boot with less time, as after restoring a snapshot of a virtual machine.
    let goesBack = clock.advance(to: uptime(3))
    #expect(goesBack && clock == AnswerClock(time: 7 + Self.hour, uptime: uptime(3)))
    let isNext = clock.advance(to: uptime(1, boot: "b"))
    #expect(isNext && clock == AnswerClock(time: 7 + Self.hour, uptime: uptime(1, boot: "b")))
  }

  @Test func thisBootIsOneAndItsTimeGoesOn() {
    let (first, second) = (Uptime.now(), Uptime.now())
    #expect(first.boot == second.boot && !first.boot.isEmpty)
    #expect(first.microseconds > 0 && first.microseconds <= second.microseconds)
  }
}

struct CommandVerdictTests {
  private let run = NodeRun(epoch: 2, journal: "j")

  @Test func aCommandMeantForThisRunIsCarriedOut() {
    #expect(CommandVerdict(stored: nil, target: run, run: run) == .run)
  }

  @Test func aCommandWhoseAskerKnowsNoRunIsCarriedOut() {
    #expect(CommandVerdict(stored: nil, target: nil, run: run) == .run)
  }

  @Test func aCommandMeantForAFormerRunIsNotCarriedOut() {
    #expect(CommandVerdict(stored: nil, target: NodeRun(epoch: 1, journal: "j"), run: run) == .unknown)
  }

  @Test func aStoredAnswerIsGivenAgainWhicheverRunWasMeant() {
    for target in [nil, NodeRun(epoch: 1, journal: "j"), run] {
      #expect(CommandVerdict(stored: [7], target: target, run: run) == .repeatAnswer([7]))
    }
  }

  @Test func aCommandMeantForARunBeforeTheJournalWasWipedIsNotCarriedOut() {
    #expect(CommandVerdict(stored: nil, target: NodeRun(epoch: 2, journal: "old"), run: run) == .unknown)
    #expect(CommandVerdict(stored: nil, target: NodeRun(epoch: 2), run: run) == .run, "an older asker says no journal")
  }
}
