import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import lunara_scrobble

/// Deliveries that may have arrived before the database was restored from a backup.
struct RestoreReconciliationTests {
  private let folder = TemporaryDirectory()
  private let database: Database
  private let restore = Timestamp(seconds: 1_700_000_000 + 5 * 240)

  init() throws {
    database = try Database(at: "\(folder.path)/scrobble.sqlite", migrations: Scrobbler.migrations)
  }

  private func prepare(restoredAt: Timestamp?) async throws {
    try await database.write { transaction in
      try transaction.execute(
        "INSERT OR REPLACE INTO bus_journal (one, identity, restored_at) VALUES (1, 'j', ?)", restoredAt)
      try transaction.execute(
        """
        INSERT OR IGNORE INTO accounts (service, name, address) VALUES ('lastfm', 'ada', ?), ('lastfm', 'maloja', ?),
          ('listenbrainz', 'ada', '')
        """, LastFMService.descriptor.address, "http://home/")
    }
  }

  private func add(_ number: Int) async throws {
    try await database.write {
      try ListenStore.add(
        subject("l\(number)", number), heard: Milliseconds(120_000), at: Timestamp(seconds: 1_700_009_000),
        withheld: nil,
        in: $0)
    }
  }

  private func failed() async throws -> [String] {
    try await database.read { transaction in
      try transaction.rows(
        """
        SELECT s.listen, a.name, d.answer FROM deliveries d JOIN scrobbles s ON s.id = d.scrobble
        JOIN accounts a ON a.id = d.account WHERE d.state = 'parked' ORDER BY s.id, a.id
        """
      ) { row in
        #expect((try row.value(2) as String).contains("backup"))
        return "\(try row.value(0) as String) \(try row.value(1) as String)"
      }
    }
  }

  @Test func whatWaitedIsParkedOnceAndOnlyWhereNobodyPromisesToKeepOneOfATime() async throws {
    try await prepare(restoredAt: nil)
    try await add(1)
    #expect(try await database.write { try RestoreReconciliation.run($0) } == 0)
    try await prepare(restoredAt: restore)
    #expect(try await database.write { try RestoreReconciliation.run($0) } == 1)
    #expect(try await failed() == ["l1 maloja"])
    // A delivery that a person sends after all is left alone by the next start.
    try await database.write { _ = try $0.execute("UPDATE deliveries SET state = 'due'") }
    #expect(try await database.write { try RestoreReconciliation.run($0) } == 0)
    #expect(try await failed().isEmpty)
  }

  @Test func whatComesAgainFromBeforeTheRestoreIsParkedAndWhatIsHeardAfterItGoes() async throws {
    try await prepare(restoredAt: restore)
    try await add(4)
    try await add(6)
    #expect(try await failed() == ["l4 maloja"])
  }

  @Test func aBackupOfEveryMigrationCanBeRestored() async throws {
    let names = try await database.read { try $0.rows("SELECT name FROM migration") { try $0.value(0) as String } }
    #expect(ServiceSchema.scrobble.migrationNames.sorted() == names.sorted())
  }
}
