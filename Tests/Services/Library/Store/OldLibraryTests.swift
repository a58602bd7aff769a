import Bus
import FoundationEssentials
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_library

/// Databases of earlier versions, which every later one has to open.
struct OldLibraryTests {
  private let folder = TemporaryDirectory()
  private var path: String { "\(folder.path)/library.sqlite" }

  private func open() throws -> Database {
    try Journal.database(
      at: path, migrations: Journal.migrations + Catalogue.migrations, saving: Catalogue.savedTables,
      finish: Catalogue.repairs
    ) { Issue.record($0) }
  }

  @Test(arguments: OldDatabase.versions) func whatAnEarlierVersionKeptIsThere(_ version: String) async throws {
    let before = try await OldDatabase.make("library", of: version, at: path)
    let database = try open()
    if version == OldDatabase.newest { #expect(try await OldDatabase.lost(of: before, in: database) == []) }
    let journal = try await Journal(database)
    #expect(!journal.isEmpty)
    let counts = try await database.read { reader in
      try ["albums", "tracks", "listens", "ratings", "pins", "music_folders", "play_outbox", "unreadable_facts"].map {
        try reader.row("SELECT count(*) FROM \($0)") { try $0.value(0) as Int } ?? -1
      }
    }
    #expect(counts == [2, 5, 2, 1, 1, 1, 1, 1])
    let albums = try await database.read { try Catalogue.albums(.init(limit: 9, sort: .name), randomSeed: 1, $0).items }
    #expect(albums.count == 2 && albums.allSatisfy { !$0.title.isEmpty })
    await database.close()
    #expect(try DatabaseFile.problem(of: path) == nil)
  }

  @Test func aLaterVersionsDatabaseIsRefusedAndLeftAsItIs() async throws {
    try await OldDatabase.make("library", of: "0.1", at: path)
    let later = try open()
    try await later.write { _ = try $0.execute("INSERT INTO migration (name) VALUES ('catalogue-99')") }
    await later.close()
    let bytes = try Data(contentsOf: URL(filePath: path))
    let error = #expect(throws: LunaraError.self) { try open() }
    #expect(error?.code == "storage.newerSchema" && error?.cause?.contains("catalogue-99") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
  }
}
