import Bus
import FoundationEssentials
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import People
@testable import Records

/// The repair of a library whose database is damaged.
@Suite(.timeLimit(.minutes(5)))
struct CatalogueRepairTests {
  private let folder = TemporaryDirectory()
  private static let liked = ["Album 1", "Album 2", "Album 3"]

  /// Twelve albums of three tracks, with ratings, pins, folders and listens.
  fileprivate func filled() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    for album in 1...12 {
      for track in 1...3 {
        try catalogue.tree.flac(
          "\(album)/\(track).flac",
          [
            "ALBUM=Album \(album)", "ARTIST=Artist \(album)", "TITLE=Song \(track) of \(album)", "TRACKNUMBER=\(track)",
          ], seconds: 60)
      }
    }
    try await catalogue.refresh()
    for sql in [
      "INSERT INTO ratings VALUES (2, 4711, 8, 1)", "INSERT INTO pins VALUES ('plex', 'Evening', 1)",
      "INSERT INTO music_folders VALUES (1, x'2f6d', 1)",
      "INSERT INTO listen_tracks (id, track, number, album, identity, body) VALUES (1, 'files:t5', 5, 2, 77, '{}')",
      "INSERT INTO listens VALUES (1, 'l1', 1, 'den', 1, 20260101, 60000, 1, 1, 1, 7)",
      "INSERT INTO preferred_editions VALUES ('rg:1', 'a|b|1', NULL, 1)",
      "INSERT INTO opinion_outbox (opinion, service, source, album) VALUES (1, 'plex', 'plex', 1)",
      "INSERT INTO opinion_sharing (service, is_on) VALUES ('plex', 0)",
      "INSERT INTO play_outbox (listen, source, track, counted_at) VALUES ('l1', 'plex', 5, 1)",
    ] { try await catalogue.write(sql) }
    for title in Self.liked { try await catalogue.opine(try await catalogue.album(title).id, .like) }
    return catalogue
  }

  private func count(_ table: String, _ database: Database) async throws -> Int {
    try await database.read { try $0.row("SELECT count(*) FROM \(table)") { try $0.value(0) } ?? -1 }
  }

  @Test func whateverPageIsInRuinsTheRestStaysAndTheNextRefreshBringsTheMusicBack() async throws {
    let catalogue = try await filled()
    let (albums, tracks) = (try await catalogue.albums(), try await catalogue.tracks())
    let whole = "\(folder.path)/whole.sqlite"
    try DatabaseSnapshot(of: catalogue.database.path).copy(to: whole)
    let bytes = try Data(contentsOf: URL(filePath: whole))
    let pages = try DatabaseSnapshot(of: whole).read { reader in
      try reader.rows("SELECT name, max(pageno) FROM dbstat WHERE pagetype = 'leaf' GROUP BY name") {
        (name: try $0.value(0) as String, page: try $0.value(1) as Int)
      }
    }
    var counts: [String: Int] = [:]
    for name in Catalogue.savedTables { counts[name] = try await count(name, catalogue.database) }
    for (name, page) in pages where name != "sqlite_schema" {
      let path = "\(folder.path)/\(name).sqlite"
      var damaged = bytes
      for place in (page - 1) * 4096..<page * 4096 { damaged[place] = 0xa5 }
      try damaged.write(to: URL(filePath: path))
      Salvage.request(for: path)
      var reports: [LunaraError] = []
      let saved = try TestCatalogue(catalogue, at: path) { reports.append($0) }
      #expect(reports.map(\.code) == ["bus.journalSalvaged"], "\(name)")
      // The tables of a person's own data depend on no other table.
      for table in [
        "ratings", "pins", "music_folders", "listens", "play_outbox", "preferred_editions", "album_opinions",
        "opinion_sharing",
      ] where table != name && !(table == "listens" && name == "listen_tracks") {
        #expect(try await count(table, saved.database) == counts[table], "\(name): \(table)")
      }
      try await saved.refresh()
      let titles = try await saved.albums().map(\.title)
      #expect(titles.sorted() == albums.map(\.title).sorted(), "\(name)")
      #expect(try await saved.tracks().map(\.title).sorted() == tracks.map(\.title).sorted(), "\(name)")
      // An album whose subject was lost is found by its tracks.
      if name != "album_opinions", !(name == "tracks" || name == "files") {
        #expect(try await saved.opinionWords() == Self.liked.map { "\($0) like" }, "\(name)")
      }
      if !["artists", "albums", "tracks", "folders", "files"].contains(name) {
        #expect(try await saved.tracks().map(\.id) == tracks.map(\.id), "\(name)")
      }
      // Numbers are never reused, so no id of a lost track stands for another one now.
      let ids = Dictionary(tracks.map { ($0.id, $0.title) }) { first, _ in first }
      for track in try await saved.tracks() { #expect(ids[track.id] == nil || ids[track.id] == track.title, "\(name)") }
      await saved.database.close()
    }
  }
}

extension CatalogueRepairTests {
  @Test func copiesOfAnAlbumAreNotCountedTwiceAfterARepair() async throws {
    let catalogue = try await filled()
    var contents = FakeServer.Contents()
    // The server has the first album of the folders as well, and one of its own.
    contents.album(100, "Album 1", by: "Artist 1", year: nil, seconds: 60)
    for index in contents.tracks.indices { contents.tracks[index].title = "Song \(index + 1) of 1" }
    contents.album(200, "Own")
    try await catalogue.refresh(FakeServer(contents))
    let before = try await catalogue.state()
    #expect(before.albums == 13)
    try await catalogue.database.write { transaction in for sql in Catalogue.repairs { try transaction.execute(sql) } }
    let after = try await catalogue.state()
    #expect(after.albums == before.albums && after.tracks == before.tracks)
  }
}

/// Databases of earlier versions, which every later version has to open.
struct OldLibraryTests {
  private let folder = TemporaryDirectory()
  private var path: String { "\(folder.path)/library.sqlite" }

  private func open() throws -> Database {
    try Journal.database(
      at: path, migrations: Journal.migrations + Catalogue.migrations, saving: Catalogue.savedTables,
      finish: Catalogue.repairs
    ) { Issue.record($0) }
  }

  @Test(arguments: OldDatabase.versions) func theRowsOfEarlierVersionsAreKept(_ version: String) async throws {
    let before = try await OldDatabase.make("library", of: version, at: path, leavingOut: ["search_row"])
    let database = try open()
    if version == OldDatabase.newest {
      // Thumbnails are looked at anew, for other palettes.
      let renewed = ["playlist_items", "palettes", "pictures"]
      #expect(try await OldDatabase.lost(of: before, in: database, except: Set(renewed)) == [])
    }
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

  @Test func theItemsOfPlaylistsAreEntriesInTheSameOrder() async throws {
    let before = Catalogue.migrations.prefix { $0.name != "catalogue-playlists-19" }
    let old = try Database(at: path, migrations: Journal.migrations + before)
    try await old.write { transaction in
      try transaction.execute(
        """
        INSERT INTO playlists (id, source, native, title, title_sort, is_smart, digest)
        VALUES (4, 'plex', '81', 'Drive', 'drive', 0, 7), (5, 'plex', '82', 'Home', 'home', 0, 7)
        """)
      try transaction.execute(
        "INSERT INTO playlist_items VALUES (5, 0, 'c', 3), (4, 1, 'b', NULL), (4, 0, 'a', 9), (4, 2, 'a', 9)")
    }
    await old.close()
    let entries = try await open().read { reader in
      try reader.rows("SELECT playlist, native, track FROM playlist_entries ORDER BY playlist, place") { row in
        "\(try row.value(0) as Int) \(try row.value(1) as String) \((try row.value(2) as Int?) ?? 0)"
      }
    }
    #expect(entries == ["4 a 9", "4 b 0", "4 a 9", "5 c 3"])
  }

  @Test func coversOfListsThatAnEarlierVersionStoredAreFoundAgain() async throws {
    let before = Catalogue.migrations.prefix { $0.name != "catalogue-list-art-8" }
    let old = try Database(at: path, migrations: Journal.migrations + before)
    let reference = "plex:/playlists/1/composite/2"
    try await old.write { transaction in
      try transaction.execute(
        """
        INSERT INTO collections (source, native, title, title_sort, art, digest)
        VALUES ('plex', '1', 'One', 'one', ?, 0)
        """, reference)
      try transaction.execute(
        """
        INSERT INTO playlists (source, native, title, title_sort, art, digest, is_smart)
        VALUES ('plex', '1', 'One', 'one', ?, 0, 0)
        """, reference)
    }
    await old.close()
    let database = try open()
    let art = try await database.read { reader in
      [
        try Catalogue.collections(.init(), reader).items.first?.art,
        try Catalogue.playlists(.init(), reader).items.first?.art,
      ].map { $0?.description }
    }
    #expect(art == [reference, reference])
    await database.close()
  }

  @Test func theAudioOfEarlierTracksIsReadOnce() async throws {
    let before = Catalogue.migrations.prefix { $0.name != "catalogue-audio-10" }
    let old = try Database(at: path, migrations: Journal.migrations + before)
    try await old.write { transaction in
      for name in ["files", "plex"] {
        try transaction.execute(
          "INSERT INTO sources (name, kind, problem_count, problems, mark) VALUES (?1, ?1, 0, '[]', '{}')", name)
      }
      try transaction.execute("INSERT INTO folders (id, path, device) VALUES (1, x'2F6D', 1)")
      try transaction.execute(
        "INSERT INTO files (folder, name, inode, size, modified, tags) VALUES (1, x'61', 1, 1, 1, '')")
    }
    await old.close()
    let database = try open()
    let (marks, known) = try await database.read { reader in
      (try reader.values("SELECT name FROM sources WHERE mark IS NULL") as [String], try Catalogue.knownFiles(reader))
    }
    #expect(marks == ["plex"])
    #expect(known.folder(Array("/m".utf8))?.files.values.map(\.needsReading) == [true])
    await database.close()
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
