import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Bus
@testable import Storage

@Suite struct JournalSalvageTests {
  let folder = TemporaryDirectory()

  private var path: String { "\(folder.path)/j.sqlite" }

  private func open() throws -> (database: Database, report: LunaraError?) {
    var report: LunaraError?
    let database = try Journal.database(at: path, migrations: Journal.migrations) { report = $0 }
    return (database, report)
  }

  /// Makes a closed journal of three starts with a thousand facts each.
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
    // Starts may be known though their facts are lost: their numbers are not used again.
    let (head, saved) = (journal.head, try await readAll(journal, from: .oldest))
    #expect(saved.count > 1000 && saved.count < 2500)
    #expect(saved == Array(1...Int64(saved.count)))
    // A reader that had read all of the old journal gets the new facts; one that was behind gets the rest.
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

/// The message that a person gets about a damaged database.
@Suite struct DamageNoteTests {
  let folder = TemporaryDirectory()
  private var path: String { "\(folder.path)/j.sqlite" }
  private static let own = [Migration("own", "CREATE TABLE rating (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")]

  private func open(_ report: (LunaraError) -> Void = { Issue.record($0) }) throws -> Database {
    try Journal.database(
      at: path, migrations: Journal.migrations + Self.own, saving: ["rating"],
      finish: ["UPDATE rating SET text = text || '!'"], report: report)
  }

  @Test func aServicesOwnTablesAreSavedAndEveryLaterStartTellsOfTheDamage() async throws {
    let database = try open()
    _ = try await Journal(database)
    try await database.write { _ = try $0.execute("INSERT INTO rating VALUES (1, 'good'), (2, 'bad')") }
    await database.close()
    Salvage.request(for: path)
    var reports: [LunaraError] = []
    let saved = try open { reports.append($0) }
    let texts = try await saved.read {
      try $0.rows("SELECT text FROM rating ORDER BY id") { try $0.value(0) as String }
    }
    #expect(texts == ["good!", "bad!"])
    #expect(reports.map(\.code) == ["bus.journalSalvaged"] && reports[0].message.contains("which is all"))
    await saved.close()

    let bus = try TestBus()
    let again = try open()
    let node = try await Node.start(
      .library, in: bus.directory, journal: try await Journal(again), report: { Issue.record($0) })
    let problem = await node.presence().problem
    #expect(problem == reports[0])
    let bytes = try MessageCoding.encode(await node.presence())
    #expect(try MessageCoding.decode(NodePresence.self, from: bytes).problem == problem)
    await node.close()
    await again.close()
  }

  @Test func damagedTablesAreNamed() throws {
    let salvage = Salvage(
      damaged: "\(path).damaged-7",
      tables: [.init(name: "a", rows: 3, isWhole: true), .init(name: "b", rows: 1, isWhole: false)],
      cause: LunaraError("storage.corrupt", "", cause: "why"))
    let note = DamageNote(salvage, of: path)
    #expect(note.error.message.contains("4 entries") && note.error.message.contains("of b some"))
    try note.write()
    #expect(DamageNote.newest(beside: path) == note.error)
    #expect(DamageNote.newest(beside: "\(folder.path)/other.sqlite") == nil)
    #expect(String(decoding: try TestFiles.read("\(path).damaged-7.txt"), as: UTF8.self).contains("b\t1\tnot all"))
  }

  @Test func anEmptyFileOfAKnownJournalIsTold() async throws {
    let database = try open()
    let journal = try await Journal(database)
    await database.close()
    try TestFiles.write([], to: path)
    var reports: [LunaraError] = []
    let saved = try open { reports.append($0) }
    #expect(reports.map(\.code) == ["bus.journalSalvaged"])
    #expect(try await Journal(saved).identity != journal.identity)
    await saved.close()
  }
}
