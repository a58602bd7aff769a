import Messages
import Model
import ServiceKit
import Storage
import Testing

@testable import Catalogue
@testable import People
@testable import Records

/// Described listens that earlier versions recorded, whose rows have no keys.
@Suite(.timeLimit(.minutes(2)))
struct EarlierListenTests {
  private static let start: Int64 = 1_600_000_000

  /// A library with the album X by A, and a listen of a described track, as an earlier version stored it.
  private func catalogue(_ title: String, _ artist: String) async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await catalogue.refresh()
    let described = DescribedTrack(title: title, artist: artist)
    var listen = try PlaysTests.counted(described.track, listen: "own", at: Self.start)
    listen.subject.item.described = described
    let counted = listen
    try await catalogue.database.write { transaction in
      try ListenRows.record(counted, at: counted.subject.startedAt, transaction)
      try transaction.execute("UPDATE listen_tracks SET title_key = NULL, artist_key = NULL")
    }
    return catalogue
  }

  private func add(_ catalogue: TestCatalogue, _ title: String, _ artist: String, at seconds: Int64) async throws
    -> [Int]
  {
    let listen = Scrobble.ImportedListen(
      startedAt: Timestamp(seconds: Self.start + seconds), title: title, artist: artist)
    let answer = try await catalogue.database.write {
      try HistoryImport.add(
        .init(name: "i", listens: [listen], isLast: false), at: Timestamp(seconds: 1_800_000_000), $0)
    }
    return [answer.added, answer.known]
  }

  private func plays(_ catalogue: TestCatalogue, _ filter: Library.PlayFilter) async throws -> [Library.Play] {
    try await catalogue.database.read { try History.plays(.init(filter: filter), $0) }.items
  }

  @Test func anImportJoinsThemAndShowsThemUnderTheirArtist() async throws {
    let catalogue = try await catalogue("Stray", "A")
    #expect(try await add(catalogue, "Stray", "A", at: 5) == [0, 1])
    #expect(try await add(catalogue, "Stray", "A", at: 1000) == [1, 0])
    #expect(try await catalogue.database.read { try $0.value("SELECT count(*) FROM listen_tracks") } == 1)
    let artist = try await catalogue.album("X").artistID
    #expect(try await plays(catalogue, .init(artist: artist)).count == 2)
  }

  @Test func theyBecomeListensOfTheirTrackWhenItsMusicComes() async throws {
    let catalogue = try await catalogue("Song 2 of y", "B")
    try catalogue.tree.album("y", ["ALBUM=Y", "ARTIST=B"])
    try await catalogue.refresh()
    #expect(try await DescribedListenLinker(database: catalogue.database, log: .quiet).run())
    let track = try await catalogue.track("Song 2 of y")
    #expect(try await plays(catalogue, .init(track: track.id)).map(\.track.id) == [track.id])
    #expect(try await catalogue.album("Y").lastPlayedAt == Timestamp(seconds: Self.start))
  }

  @Test func theyShowUnderTheirArtistOnceTheLibraryHasChanged() async throws {
    let catalogue = try await catalogue("Stray", "A")
    #expect(try await !DescribedListenLinker(database: catalogue.database, log: .quiet).run())
    let artist = try await catalogue.album("X").artistID
    #expect(try await plays(catalogue, .init(artist: artist)).map(\.track.title) == ["Stray"])
  }

  private func addRows(_ count: Int, _ catalogue: TestCatalogue) async throws {
    let track = DescribedTrack(title: "Stray", artist: "A").track
    let body = String(decoding: try MessageCoding.encode(track), as: UTF8.self)
    try await catalogue.database.write {
      _ = try $0.execute(
        """
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
        INSERT INTO listen_tracks (id, track, identity, body) SELECT 1000 + i, 'described:d' || i, 0, ?2 FROM n
        """, count, body)
    }
  }

  private func count(_ condition: String, _ catalogue: TestCatalogue) async throws -> Int? {
    try await catalogue.database.read { try $0.value("SELECT count(*) FROM listen_tracks WHERE \(condition)") }
  }

  @Test func keysThatWereAddedStayIfALaterBatchFails() async throws {
    let catalogue = try await catalogue("Stray", "A")
    try await addRows(1_100, catalogue)
    try await catalogue.database.write {
      _ = try $0.execute(
        """
        CREATE TEMP TRIGGER fail BEFORE UPDATE ON listen_tracks WHEN new.id = 2100
        BEGIN SELECT RAISE(ABORT, 'test'); END
        """)
    }
    await #expect(throws: (any Error).self) {
      try await DescribedListenLinker(database: catalogue.database, log: .quiet).run()
    }
    #expect(try await count("title_key IS NOT NULL", catalogue) == 1_000)
    try await catalogue.database.write { _ = try $0.execute("DROP TRIGGER fail") }
    _ = try await DescribedListenLinker(database: catalogue.database, log: .quiet).run()
    #expect(try await count("title_key IS NULL", catalogue) == 0)
  }

  @Test func descriptionsThatCannotBeReadKeepNoOthersFromTheirTracks() async throws {
    let catalogue = try await catalogue("Song 2 of y", "B")
    try await addRows(600, catalogue)
    try await catalogue.database.write { transaction in
      // A whole batch without keys, and a row with keys.
      try transaction.execute("UPDATE listen_tracks SET body = '{}' WHERE id > 1000")
      try transaction.execute("UPDATE listen_tracks SET title_key = 'song 2 of y' WHERE id = 1600")
      // The listen of the other track comes after them.
      try transaction.execute("PRAGMA defer_foreign_keys = ON")
      try transaction.execute("UPDATE listens SET track = 9000")
      try transaction.execute("UPDATE listen_tracks SET id = 9000 WHERE id < 1000")
      try transaction.execute(
        """
        INSERT INTO playlist_entries (playlist, place, identity, described)
        VALUES (1, 1, 0, '{}'), (1, 2, 0, '{"title":"Song 1 of y","artist":"B"}')
        """)
    }
    try catalogue.tree.album("y", ["ALBUM=Y", "ARTIST=B"])
    try await catalogue.refresh()
    let linker = EntryLinker(database: catalogue.database, folders: MusicFolders([]), log: .quiet)
    #expect(try await linker.run(isCatalogueChanged: true))
    let track = try await catalogue.track("Song 2 of y")
    #expect(try await count("number IS NOT NULL AND id = 9000", catalogue) == 1)
    #expect(try await plays(catalogue, .init(track: track.id)).map(\.track.id) == [track.id])
    let entries: [Bool] = try await catalogue.database.read {
      try $0.values("SELECT track IS NOT NULL FROM playlist_entries ORDER BY place")
    }
    #expect(entries == [false, true])
  }

  @Test func rowsAreFoundByIndexes() async throws {
    let catalogue = try TestCatalogue()
    let (keys, links) = try await catalogue.database.read { transaction in
      (
        try transaction.rows("EXPLAIN QUERY PLAN \(DescribedListenTracks.withoutKeys)", 0, 1) {
          try $0.value(3) as String
        },
        try transaction.values("SELECT name FROM pragma_index_info('listen_tracks_described') ORDER BY seqno")
          as [String]
      )
    }
    #expect(keys.count == 1 && keys[0].contains("INDEX listen_tracks_without_keys (id>?)"))
    #expect(links == ["title_key", "number"])
    // Rows with keys, and those of the library's tracks, are not in the index of rows without keys.
    try await addRows(3, catalogue)
    let left = try await catalogue.database.write { transaction in
      try transaction.execute("UPDATE listen_tracks SET title_key = 'stray' WHERE id = 1001")
      try transaction.execute("UPDATE listen_tracks SET track = 'files:t1' WHERE id = 1002")
      return try transaction.rows(DescribedListenTracks.withoutKeys, 0, 9) { try $0.value(0) as Int64 }
    }
    #expect(left == [1003])
  }
}
