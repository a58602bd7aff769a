import Messages
import Model
import TestSupport
import Testing

@testable import Bus
@testable import Storage

/// What a person is told of a damaged database.
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

  @Test func whatCouldNotBeReadIsNamed() throws {
    let salvage = Salvage(
      damaged: "\(path).damaged-7",
      tables: [.init(name: "a", rows: 3, isWhole: true), .init(name: "b", rows: 1, isWhole: false)],
      cause: LunaraError("storage.corrupt", "", cause: "why"))
    let note = DamageNote(salvage, of: path)
    #expect(note.error.message.contains("4 entries") && note.error.message.contains("of b some"))
    try note.write()
    #expect(DamageNote.newest(beside: path)?.error == note.error)
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
