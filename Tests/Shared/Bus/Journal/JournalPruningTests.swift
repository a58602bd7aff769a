import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Bus

@Suite struct JournalPruningTests {
  let folder = TemporaryDirectory()

  private var path: String { "\(folder.path)/j.sqlite" }
  private func open() throws -> Database { try Database(at: path, migrations: Journal.migrations) }

  /// Makes a journal whose facts have these ages in days, the newest first.
  private func journal(_ database: Database, days: [Int64], retention: Retention = Retention()) async throws -> Journal
  {
    let journal = try await Journal(database, retention: retention)
    try await journal.strike(1...days.count)
    try await database.write { transaction in
      for (index, age) in days.enumerated() {
        try transaction.execute(
          "UPDATE bus_facts SET time = ? WHERE seq = ?", (Timestamp.now() - .days(age)).microseconds, index + 1)
      }
    }
    return journal
  }

  private func numbers(_ journal: Journal, _ start: ReplayStart = .oldest) async throws -> [Int64] {
    try await journal.page(from: start).facts.map(\.seq)
  }

  private func record(_ journal: Journal, _ seq: Int64, node: NodeID = .web) {
    let place = JournalPosition(journal: journal.identity, epoch: journal.epoch, seq: seq)
    _ = journal.record([ReaderCursor(reader: "r", position: place)], of: node, at: .now())
  }

  @Test func factsThatAllReadersHaveAreRemovedAndNumbersGoOn() async throws {
    let database = try open()
    let journal = try await journal(database, days: [30, 20, 10, 2, 0])
    try await journal.prune(at: .now())
    #expect(try await numbers(journal) == [1, 2, 3, 4, 5], "nobody is registered")
    record(journal, 2)
    record(journal, 5, node: .library)
    try await journal.prune(at: .now())
    #expect(try await numbers(journal) == [3, 4, 5])
    record(journal, 5)
    try await journal.prune(at: .now())
    #expect(try await numbers(journal) == [4, 5])
    let page = try await journal.page(from: .after(JournalPosition(journal: journal.identity, epoch: 1, seq: 1)))
    #expect([page.oldest, page.missed] == [4, 2])
    await database.close()
  }

  @Test func aReaderThatIsAwayIsRememberedAcrossStarts() async throws {
    let database = try open()
    let first = try await journal(database, days: [30, 20, 10, 2, 0])
    record(first, 1)
    try await first.writeReaders(at: .now())
    let second = try await Journal(database)
    try await second.prune(at: .now())
    #expect(try await numbers(second) == [2, 3, 4, 5])
    await database.close()
  }

  @Test func theNumberOfFactsIsLimitedInSmallSteps() async throws {
    let database = try open()
    let journal = try await Journal(database, retention: Retention(facts: 100))
    try await database.write { for number in 1...2000 { try journal.append(Struck(number: number), in: $0) } }
    try await journal.prune(at: .now())
    #expect(try await numbers(journal).first == 1901)
    await database.close()
  }

  @Test func numbersNeverBeginAnewThoughNoFactIsLeft() async throws {
    let database = try open()
    let first = try await journal(database, days: [400, 400, 0])
    try await first.prune(at: .now())
    #expect(try await numbers(first) == [3], "the newest stays")
    let second = try await Journal(database)
    // No fact is left, as after a salvage; the stored start still tells the highest number.
    try await database.write { _ = try $0.execute("DELETE FROM bus_facts") }
    let third = try await Journal(database)
    #expect([second.head, third.head] == [3, 3])
    try await third.strike([4])
    #expect(try await numbers(third) == [4])
    await database.close()
  }

  @Test func aClockThatHasRunAheadSinceDropsNothing() async throws {
    let database = try open()
    let journal = try await journal(database, days: [3, 2, 1])
    record(journal, 3)
    try await journal.prune(at: Timestamp(microseconds: Timestamp.now().microseconds + 400 * 86_400_000_000))
    #expect(try await numbers(journal) == [1, 2, 3])
    await database.close()
  }

  @Test func aJournalThatWentBackGoesOnAsANewOneAndNothingNewIsPassedOver() async throws {
    var database = try open()
    var journal = try await Journal(database)
    try await journal.strike(1...5)
    await database.close()
    let backup = folder.path + "/backup"
    try copy(path, to: backup)
    // The backup is restored two starts and five facts later.
    database = try open()
    journal = try await Journal(database)
    try await journal.strike(6...8)
    journal = try await Journal(database)
    try await journal.strike(9...10)
    let read = JournalPosition(journal: journal.identity, epoch: journal.epoch, seq: 10)
    await database.close()
    try copy(backup, to: path)

    database = try open()
    let reports = Mutex<[LunaraError]>([])
    let restored = try await Journal(database, report: { error in reports.withLock { $0.append(error) } })
    #expect(restored.identity != journal.identity)
    #expect(restored.epoch > journal.epoch, "a command for a start is not taken by another of the same number")
    #expect(reports.withLock { $0.map(\.code) } == ["bus.journalWentBack"])
    try await restored.strike(106...120)
    #expect(try await numbers(restored, .after(read)) == Array(6...20))
    let behind = JournalPosition(journal: journal.identity, epoch: 1, seq: 2)
    #expect(try await numbers(restored, .after(behind)) == Array(3...20))
    // The next start is an ordinary one.
    let next = try await Journal(database)
    #expect(next.identity == restored.identity)
    #expect(try await numbers(next, .after(read)) == Array(6...20))
    await database.close()
  }

  @Test func aReaderThatHasReadMoreThanThereIsMakesTheNextStartANewJournal() async throws {
    let database = try open()
    let journal = try await Journal(database)
    try await journal.strike(1...5)
    let beyond = JournalPosition(journal: journal.identity, epoch: 7, seq: 3)
    let cursors = [ReaderCursor(reader: "r", position: beyond)]
    #expect(await code { try await journal.check(cursors, of: .web) } == "bus.journalWentBack")
    #expect(await code { try await journal.check(cursors, of: .web) } == nil, "it is said once")
    let next = try await Journal(database)
    #expect(next.identity != journal.identity)
    #expect(next.epoch == 8)
    #expect(try await numbers(next, .after(beyond)) == [])
    try await next.strike([6])
    #expect(try await numbers(next, .after(beyond)) == [6])
    await database.close()
  }

  @Test func aFullDiskIsAnErrorNothingUncommittedIsSentAndItGoesOnOnceThereIsRoom() async throws {
    let database = try open()
    let journal = try await Journal(database)
    try await journal.strike(1...3)
    let pages = try await database.read { try $0.row("PRAGMA page_count") { try $0.value(0) as Int } } ?? 0
    try await database.write { _ = try $0.execute("PRAGMA max_page_count = \(pages)") }
    _ = journal.sendQueue.removeAll()
    let padding = String(repeating: "x", count: 100_000)
    #expect(await code { try await journal.strike([4], padding: padding) } == "storage.full")
    #expect(journal.sendQueue.removeAll().isEmpty)
    #expect(journal.head == 3)
    #expect(try await numbers(journal) == [1, 2, 3])
    try await database.write { _ = try $0.execute("PRAGMA max_page_count = 100000") }
    try await journal.strike([5], padding: padding)
    #expect(journal.sendQueue.removeAll().map(\.seq) == [4])
    await database.close()
  }

  private func copy(_ path: String, to other: String) throws {
    let bytes = try TestFiles.read(path)
    try TestFiles.write(bytes, to: other)
  }
}

@Suite struct JournalReadersTests {
  private let index = JournalIndex(
    identity: "j", ancestors: [Invented.place(3, journal: "before")],
    epochs: [JournalIndex.Epoch(number: 1, first: 1), JournalIndex.Epoch(number: 2, first: 11)], oldest: 2, head: 20)
  private let readers = Machine(JournalReaders())

  private func record(_ name: String, _ place: JournalPosition, node: NodeID = .web, at second: Int64 = 1) -> Bool {
    readers { $0.record(ReaderCursor(reader: name, position: place), of: node, at: Timestamp(seconds: second)) }
  }

  @Test func theSlowestReaderDecidesWhichFactsAreNeeded() {
    #expect(readers { $0.needed(in: index) } == nil)
    _ = record("a", Invented.place(17, epoch: 2))
    _ = record("a", Invented.place(12, epoch: 2), node: .library)
    #expect(readers { $0.needed(in: index) } == 13)
    // A number that was used twice is read again.
    _ = record("b", Invented.place(19, epoch: 1))
    #expect(readers { $0.needed(in: index) } == 11)
    _ = record("c", Invented.place(500, journal: "before"))
    #expect(readers { $0.needed(in: index) } == 4)
    _ = record("d", Invented.place(7, journal: "unknown"))
    #expect(readers { $0.needed(in: index) } == 2)
  }

  @Test func aReaderIsNewOnceAndWrittenDownWhenItMoved() {
    #expect(record("a", Invented.place(1)))
    #expect(!record("a", Invented.place(2)))
    #expect(readers { $0.removeUnwritten() }.values.map(\.position) == [Invented.place(2)])
    #expect(readers { $0.removeUnwritten() }.isEmpty)
    // A reader that was restored from a backup reads again.
    #expect(!record("a", Invented.place(1)))
    #expect(readers { $0.removeUnwritten() }.values.map(\.position) == [Invented.place(1)])
  }

  @Test func aReaderThatStaysAwayIsForgotten() {
    _ = record("a", Invented.place(1), at: 10)
    _ = record("b", Invented.place(5), at: 20)
    #expect(readers { $0.forget(before: Timestamp(seconds: 15)) }.map(\.reader) == ["a"])
    #expect(readers { $0.needed(in: index) } == 6)
  }

  @Test func theNumberOfReadersIsLimitedToAThousand() {
    for number in 0..<5000 { _ = record("r\(number)", Invented.place(1)) }
    #expect(readers { $0.known.count } == JournalReaders.limit)
  }
}

@Suite struct RetentionTests {
  private let retention = Retention(facts: 100, days: 30)
  private let now = Timestamp(seconds: 100 * 86_400)

  /// Facts from a number on, each with an age in days.
  private func aged(_ first: Int64, _ days: [Int64]) -> [Retention.Aged] {
    days.enumerated().map { .init(seq: first + Int64($0), time: now - .days($1)) }
  }

  private func drop(_ facts: [Retention.Aged], head: Int64, needed: Int64?) -> Int {
    retention.droppable(facts, head: head, needed: needed, at: now)
  }

  @Test func factsThatAllReadersHaveAreRemovedAfterAWeek() {
    let facts = aged(1, [20, 15, 8, 6, 1])
    #expect(drop(facts, head: 5, needed: 6) == 3)
    #expect(drop(facts, head: 5, needed: 2) == 1)
    #expect(drop(facts, head: 5, needed: 1) == 0)
  }

  @Test func withoutAReaderFactsAreKeptUpToTheLimits() {
    #expect(drop(aged(1, [29, 20, 10]), head: 50, needed: nil) == 0)
    #expect(drop(aged(1, [40, 31, 29]), head: 50, needed: nil) == 2)
    #expect(drop(aged(1, [9, 9, 9]), head: 102, needed: nil) == 2)
  }

  @Test func theLimitsHoldForAReaderThatNeverComesBack() {
    #expect(drop(aged(1, [40, 10]), head: 50, needed: 1) == 1)
    #expect(drop(aged(1, [1, 1, 1]), head: 101, needed: 1) == 1)
  }

  @Test func theNewestFactStays() {
    #expect(drop(aged(7, [400, 400]), head: 8, needed: 99) == 1)
    #expect(drop([], head: 0, needed: nil) == 0)
  }

  @Test func aClockThatStepsKeepsTooMuchRatherThanTooLittle() {
    #expect(drop(aged(1, [20, -300, 20, 20]), head: 9, needed: 9) == 1)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func nothingThatAReaderLacksGoesWithinTheLimits(seed: UInt64) {
    var random = Seeded(seed)
    let days = (0..<50).map { _ in Int64.random(in: 0...60, using: &random) }
    let first = Int64.random(in: 1...1000, using: &random)
    let head = first + 49 + Int64.random(in: 0...80, using: &random)
    let needed: Int64? = Bool.random(using: &random) ? nil : Int64.random(in: 1...head + 1, using: &random)
    let facts = aged(first, days)
    for fact in facts.prefix(drop(facts, head: head, needed: needed)) {
      #expect(fact.seq < head)
      let isBeyond = fact.seq <= head - 100 || now - fact.time > .days(30)
      let isRead = needed.map { fact.seq < $0 } ?? false
      #expect(isBeyond || (isRead && now - fact.time > .days(7)))
    }
  }
}
