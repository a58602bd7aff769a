import Bus
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import lunara_playback

/// Databases of earlier versions and damaged ones.
struct OldQueueTests {
  private let folder = TemporaryDirectory()
  private var path: String { "\(folder.path)/playback-kitchen.sqlite" }

  private func open(_ report: (LunaraError) -> Void) throws -> Database {
    try Journal.database(
      at: path, migrations: Journal.migrations + QueueStore.migrations, saving: QueueStore.savedTables,
      finish: QueueStore.repairs, report: report)
  }

  private func rows(_ database: Database, _ table: String) async throws -> Int {
    try await database.read { try $0.row("SELECT count(*) FROM \(table)") { try $0.value(0) } ?? -1 }
  }

  @Test(arguments: OldDatabase.versions) func whatAnEarlierVersionKeptIsThere(_ version: String) async throws {
    let before = try await OldDatabase.make("playback", of: version, at: path)
    let database = try open { Issue.record($0) }
    if version == OldDatabase.newest { #expect(try await OldDatabase.lost(of: before, in: database) == []) }
    #expect(try await rows(database, "queue_items") == 2)
    #expect(try await rows(database, "played") == 2)
    let volume = try await database.read { try $0.row("SELECT volume FROM room") { try $0.value(0) as Int } }
    #expect(volume == 37)
    let names = try await database.read { try $0.rows("SELECT name FROM migration") { try $0.value(0) as String } }
    #expect(try #require(Schemas.migrations(of: "playback-kitchen")).sorted() == names.sorted())
    await database.close()
  }

  @Test func aDamagedRoomKeepsItsQueueAndWhatItPlayed() async throws {
    try await OldDatabase.make("playback", of: "0.1", at: path)
    await (try open { Issue.record($0) }).close()
    Salvage.request(for: path)
    var reports = 0
    let database = try open { _ in reports += 1 }
    #expect(reports == 1)
    #expect(try await rows(database, "queue_items") == 2)
    #expect(try await rows(database, "played") == 2)
    #expect(try await database.read { try QueueStore.queue(in: $0) }.slots.count == 2)
    await database.close()
  }
}
