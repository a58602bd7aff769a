import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Bus

@Suite struct JournalUpkeepTests {
  let folder = TemporaryDirectory()

  private var path: String { "\(folder.path)/j.sqlite" }
  private func open() throws -> Database { try Database(at: path, migrations: Journal.migrations) }

  /// A journal whose facts are so many days old, the newest first.
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

  private func note(_ journal: Journal, _ seq: Int64, node: NodeID = .web) {
    let place = JournalPosition(journal: journal.identity, epoch: journal.epoch, seq: seq)
    _ = journal.noted([ReaderCursor(reader: "r", position: place)], of: node, at: .now())
  }

  @Test func whatAllReadersHaveGoesAndNumbersGoOn() async throws {
    let database = try open()
    let journal = try await journal(database, days: [30, 20, 10, 2, 0])
    try await journal.prune(at: .now())
    #expect(try await numbers(journal) == [1, 2, 3, 4, 5], "nobody is registered")
    note(journal, 2)
    note(journal, 5, node: .library)
    try await journal.prune(at: .now())
    #expect(try await numbers(journal) == [3, 4, 5])
    note(journal, 5)
    try await journal.prune(at: .now())
    #expect(try await numbers(journal) == [4, 5])
    let page = try await journal.page(from: .after(JournalPosition(journal: journal.identity, epoch: 1, seq: 1)))
    #expect([page.oldest, page.missed] == [4, 2])
    await database.close()
  }

  @Test func aReaderThatIsAwayIsRememberedAcrossStarts() async throws {
    let database = try open()
    let first = try await journal(database, days: [30, 20, 10, 2, 0])
    note(first, 1)
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
    // Not even that one, as after a salvage: the start before knew how far the numbers had come.
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
    note(journal, 3)
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
    // Two starts and five facts later it is put back.
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
    _ = journal.outlet.removeAll()
    let padding = String(repeating: "x", count: 100_000)
    #expect(await code { try await journal.strike([4], padding: padding) } == "storage.full")
    #expect(journal.outlet.removeAll().isEmpty)
    #expect(journal.head == 3)
    #expect(try await numbers(journal) == [1, 2, 3])
    try await database.write { _ = try $0.execute("PRAGMA max_page_count = 100000") }
    try await journal.strike([5], padding: padding)
    #expect(journal.outlet.removeAll().map(\.seq) == [4])
    await database.close()
  }

  private func copy(_ path: String, to other: String) throws {
    let bytes = try TestFiles.read(path)
    try TestFiles.write(bytes, to: other)
  }
}
