import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Bus

@Suite struct JournalSalvageTests {
  let folder = TemporaryDirectory()

  private var path: String { "\(folder.path)/j.sqlite" }

  private func open() throws -> (database: Database, report: LunaraError?) {
    var report: LunaraError?
    let database = try Journal.database(at: path, migrations: Journal.migrations) { report = $0 }
    return (database, report)
  }

  /// A journal of three starts with a thousand facts each, closed.
  private func filled() async throws -> JournalPosition {
    let database = try open().database
    var end = JournalPosition(journal: "", epoch: 0, seq: 0)
    for start in 0..<3 {
      let journal = try await Journal(database)
      try await database.write { transaction in
        for number in 1...1000 {
          try journal.append(Struck(number: start * 1000 + number, padding: "some words"), in: transaction)
        }
      }
      end = journal.current.end
    }
    await database.close()
    return end
  }

  private func readAll(_ journal: Journal, from start: ReplayStart) async throws -> [Int64] {
    var seqs: [Int64] = []
    var start = start
    while true {
      let page = try await journal.page(from: start)
      seqs += page.facts.map(\.seq)
      if page.through.seq >= page.head { return seqs }
      start = .after(page.through)
    }
  }

  @Test func aJournalCutInTheMiddleServesWhatIsLeftAndGoesOnAsANewOne() async throws {
    let end = try await filled()
    let bytes = try TestFiles.read(path)
    try TestFiles.write(Array(bytes.prefix(bytes.count / 2 / 4096 * 4096)), to: path)

    let (database, report) = try open()
    #expect(report?.code == "bus.journalSalvaged")
    #expect(report?.message.contains("\(path).damaged-") == true)
    let journal = try await Journal(database)
    #expect(journal.identity != end.journal)
    #expect(journal.epoch > 3)
    // The starts may be known though their facts are gone: their numbers are not given again.
    let (head, saved) = (journal.head, try await readAll(journal, from: .oldest))
    #expect(saved.count > 1000 && saved.count < 2500)
    #expect(saved == Array(1...Int64(saved.count)))
    // One that had read all of the old journal gets what is new, one that was behind gets the rest.
    try await journal.strike([5000])
    #expect(try await readAll(journal, from: .after(end)) == [head + 1])
    let behind = JournalPosition(journal: end.journal, epoch: 1, seq: 900)
    #expect(try await readAll(journal, from: .after(behind)) == Array(901...Int64(saved.count)) + [head + 1])
    await database.close()
    let (again, second) = try open()
    #expect(second == nil)
    #expect(try await Journal(again).identity == journal.identity)
    await again.close()
  }

  @Test func aJournalOfWhichNothingIsLeftBeginsAnewBehindItsLastStart() async throws {
    let end = try await filled()
    try TestFiles.write([UInt8](repeating: 7, count: 20_000), to: path)
    let (database, report) = try open()
    #expect(report?.code == "bus.journalSalvaged")
    let journal = try await Journal(database)
    #expect(journal.identity != end.journal)
    #expect(journal.epoch == 4)
    try await journal.strike([1])
    #expect(try await readAll(journal, from: .after(end)) == [1])
    await database.close()
  }

  @Test func damageThatIsFoundLaterIsSavedAtTheNextStart() async throws {
    let end = try await filled()
    var bytes = try TestFiles.read(path)
    let middle = bytes.count / 2 / 4096 * 4096
    for offset in middle..<middle + 4096 { bytes[offset] = 0 }
    try TestFiles.write(bytes, to: path)
    let (damaged, none) = try open()
    #expect(none == nil)
    let first = try await Journal(damaged)
    #expect(await code { try await readAll(first, from: .oldest) } == "bus.journalDamaged")
    await damaged.close()
    let (database, report) = try open()
    #expect(report?.code == "bus.journalSalvaged")
    let journal = try await Journal(database)
    let saved = try await readAll(journal, from: .oldest)
    #expect(saved.count > 2900 && saved.count < 3000)
    #expect(saved.last == 3000)
    #expect(journal.current.ancestors.map(\.journal) == [end.journal])
    await database.close()
  }
}
