import Bus
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import Sources

/// The servers to which a play is sent, and the order.
@Suite(.timeLimit(.minutes(2)))
struct PlayOutboxTests {
  /// The same album in folders, twice at one Plex server, once at another and at a Subsonic server.
  private func merged(forwardsPlays: Bool? = nil) async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac(
      "x/1.flac", ["ALBUM=X", "ARTIST=A", "DATE=1971", "TITLE=Song 1 of X", "TRACKNUMBER=1"], seconds: 180)
    try await catalogue.refresh()
    for (name, albums) in [("plex", [100, 200]), ("plex-2", [700]), ("subsonic", [900])] {
      var contents = FakeServer.Contents()
      contents.machine = name
      for album in albums { contents.album(album, "X", by: "A", tracks: 1) }
      try await catalogue.refresh(FakeServer(contents), name)
    }
    try #require(try await catalogue.tracks().map(\.id.description).sorted().first == "files:t1")
    try await catalogue.write("UPDATE sources SET kind = 'subsonic' WHERE name = 'subsonic'")
    if let forwardsPlays {
      try await catalogue.write(
        #"UPDATE sources SET settings = '{"forwardsPlays":\#(forwardsPlays)}' WHERE name = 'subsonic'"#)
    }
    return catalogue
  }

  private func enqueue(_ track: String, _ listen: String, _ catalogue: TestCatalogue) async throws -> Bool {
    let counted = PlaySenderTests.counted(try #require(TrackID(track)), listen)
    return try await catalogue.database.write {
      try PlayOutbox.enqueue(counted, at: Timestamp(seconds: 1_800_000_100), .withoutConnections, $0)
    }
  }

  private func waiting(_ catalogue: TestCatalogue) async throws -> [String] {
    try await catalogue.database.read { transaction in
      try transaction.rows("SELECT listen, source, track FROM play_outbox ORDER BY id") {
        "\(try $0.value(0) as String) \(try $0.value(1) as String) \(try $0.value(2) as Int64)"
      }
    }
  }

  @Test func aPlayOfAFileGoesOnceToEachServerThatHasIt() async throws {
    let catalogue = try await merged()
    #expect(try await enqueue("files:t1", "l1", catalogue))
    #expect(try await enqueue("files:t1", "l1", catalogue) == false)
    #expect(try await waiting(catalogue) == ["l1 plex 2", "l1 plex-2 4"])
    let next = try await catalogue.database.read { try PlayOutbox.next($0) }
    #expect(next.map { "\($0.source) \($0.native ?? "-")" } == ["plex 101", "plex-2 701"])
  }

  @Test(arguments: [(true, 1), (false, 0)])
  func otherServersGetPlaysOnlyWhereThatIsSet(_ forwards: Bool, _ count: Int) async throws {
    let catalogue = try await merged(forwardsPlays: forwards)
    #expect(try await enqueue("files:t1", "l1", catalogue))
    #expect(try await waiting(catalogue).count { $0.contains("subsonic") } == count)
  }

  @Test func whatARoomPlaysIsReportedToEachServerThatHasIt() async throws {
    let catalogue = try await merged()
    let kinds = ["plex", "subsonic"].map { name in
      SourceDescriptor(name: name) { _, _ in FakeServer() }
    }
    let registry = SourceRegistry(
      catalogue.source(), kinds: SourceKinds(kinds), secrets: catalogue.secrets, database: catalogue.database,
      publisher: .to(nil),
      now: { catalogue.time })
    let finder = ServerFinder(registry: registry, database: catalogue.database, log: .quiet)
    let track = try #require(TrackID("files:t1"))
    #expect(await finder.find(track).map(\.native) == ["101", "701", "901"])
    #expect(await finder.find(try #require(TrackID("files:t77"))).isEmpty)
  }

  @Test func aPlayUnderANumberThatIsGoneGoesToTheCopyThatStays() async throws {
    let catalogue = try await merged()
    #expect(try await enqueue("plex:t2", "l1", catalogue))
    try await catalogue.write(
      "DELETE FROM tracks WHERE id = 2", "INSERT INTO heirs (kind, number, heir) VALUES (3, 2, 3)")
    let next = try await catalogue.database.read { try PlayOutbox.next($0) }
    #expect(next.map { "\($0.source) \($0.native ?? "-")" } == ["plex 201", "plex-2 701"])
  }
}

/// Plays that may have been sent before the database was restored from a backup.
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
      try await database.write { try PlayRestoreReconciliation.resolveWaiting($0) }
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
    #expect(ServiceSchema.library.migrationNames.sorted() == names.sorted())
  }
}
