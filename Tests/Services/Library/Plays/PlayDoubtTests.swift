import Bus
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import lunara_library

/// Plays of which a server may have been told, since the database came out of a backup.
struct PlayRestoreTests {
  private let folder = TemporaryDirectory()
  private let database: Database

  init() throws {
    database = try Database(
      at: "\(folder.path)/library.sqlite", migrations: Journal.migrations + Catalogue.migrations)
  }

  private func restored(at moment: Timestamp?) async throws {
    try await database.write {
      _ = try $0.execute(
        "INSERT OR REPLACE INTO bus_journal (one, identity, restored_at) VALUES (1, 'j', ?)", moment)
    }
  }

  @Test func whatWaitedWaitsForTheCountThatWasReadLastAndIsToldWhereThereIsNone() async throws {
    try await restored(at: Timestamp(seconds: 1))
    try await database.write { transaction in
      try transaction.execute("PRAGMA defer_foreign_keys = ON")
      for (number, source, track) in [(1, "plex", 7), (2, "plex", 7), (3, "plex", 8)] {
        try transaction.execute(
          "INSERT INTO play_outbox (id, listen, source, track, counted_at) VALUES (?, ?, ?, ?, 0)", number,
          "l\(number)",
          source, track)
      }
      try transaction.execute(
        "INSERT INTO artists (id, source, key, name, sort, albums) VALUES (1, 'plex', 'a', 'A', 'a', 1)")
      try transaction.execute(
        """
        INSERT INTO albums (id, source, key, title, title_sort, artist, artist_sort, artist_id, genres, tracks, duration,
          added_at) VALUES (1, 'plex', 'k', 'T', 't', 'A', 'a', 1, '', 1, 1, 1)
        """)
      try transaction.execute(
        """
        INSERT INTO tracks (id, source, album, title, title_sort, artist, disc, genres, duration, added_at, server_plays)
        VALUES (7, 'plex', 1, 'T', 't', 'A', 1, '', 1, 1, 3)
        """)
    }
    for _ in 0..<2 {
      try await database.write { try PlayRestoreReconciliation.settle($0) }
      let rows = try await database.read { transaction in
        try transaction.rows("SELECT stage, count_before FROM play_outbox ORDER BY id") {
          "\(try $0.value(0) as Int) \(try $0.value(1) as Int? ?? -1)"
        }
      }
      #expect(rows == ["1 3", "1 4", "2 -1"])
    }
  }

  @Test func onlyWhatWasHeardBeforeTheRestoreIsInDoubt() async throws {
    let moment = Timestamp(seconds: 1_800_000_000)
    func isInDoubt(_ seconds: Int64) async throws -> Bool {
      try await database.read { try PlayRestoreReconciliation.isInDoubt(Timestamp(seconds: seconds), $0) }
    }
    try await restored(at: nil)
    #expect(try await isInDoubt(1) == false)
    try await restored(at: moment)
    #expect(try await isInDoubt(1_799_999_999))
    #expect(try await isInDoubt(1_800_000_001) == false)
  }

  @Test func aBackupOfEveryMigrationCanBeRestored() async throws {
    let names = try await database.read { try $0.rows("SELECT name FROM migration") { try $0.value(0) as String } }
    #expect(try #require(Schemas.migrations(of: "library")).sorted() == names.sorted())
  }
}
