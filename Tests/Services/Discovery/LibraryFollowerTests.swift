import Bus
import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// How the service keeps up with the library.
@Suite(.timeLimit(.minutes(5))) struct LibraryFollowerTests {
  private func albums(_ discovery: TestDiscovery) async throws -> Int {
    try await discovery.ask(Discovery.ReadDiagnostics()).shelf.albums
  }

  @Test func onlyTheAlbumsThatChangedAreReadAgain() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(1000))
    _ = try await discovery.ask(Discovery.ListGenres())
    let before = discovery.contents.withLock { $0.requests }
    #expect(before == 3)
    let (changed, gone) = (TestDiscovery.id(3), TestDiscovery.id(4))
    try await discovery.change([changed, gone]) { contents in
      contents.albums.removeAll { $0.id == gone }
      contents.albums[3].tags = ["Opera"]
    }
    #expect(
      try await eventually {
        try await discovery.ask(Discovery.ListGenres()).genres
      } satisfies: {
        $0.contains { $0.id == "classical" }
      })
    #expect(try await albums(discovery) == 999)
    #expect(discovery.contents.withLock { $0.requests } <= before + 2)
    await discovery.close()
  }

  @Test func changedAlbumsThatDoNotFitIntoOneAnswerStayOnTheShelf() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(30, tags: ["Rock"]))
    _ = try await discovery.ask(Discovery.ListGenres())
    try await discovery.change((0..<9).map { TestDiscovery.id($0) }) { contents in
      contents.mostOfIDs = 2
      for index in 0..<8 { contents.albums[index].tags = ["Opera"] }
      contents.albums.remove(at: 8)
    }
    #expect(
      try await eventually(equals: 8) {
        try await discovery.ask(Discovery.ListGenres()).genres.first { $0.id == "classical" }?.albums
      })
    #expect(try await albums(discovery) == 29)
    await discovery.close()
  }

  @Test func anAlbumIsReadAgainWhenTheLibraryReportsAPlay() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(20, tags: ["Rock"]))
    _ = try await discovery.ask(Discovery.ListGenres())
    let before = try await discovery.ask(Discovery.ReadDiagnostics()).played
    let requests = discovery.contents.withLock { contents in
      contents.albums[1].plays = 1
      contents.albums[1].lastPlayedAt = Timestamp.now()
      return contents.requests
    }
    try await discovery.report(Library.AlbumPlayed(album: TestDiscovery.id(1), at: Timestamp.now()))
    #expect(try await eventually(equals: before + 1) { try await discovery.ask(Discovery.ReadDiagnostics()).played })
    #expect(discovery.contents.withLock { $0.requests } == requests + 1)
    await discovery.close()
  }

  @Test func aDatabaseThatWaitedForPlaysReadsAllAlbumsAgain() async throws {
    let folder = TemporaryDirectory()
    let path = "\(folder.path)/discovery.sqlite"
    let former = try Database(at: path, migrations: DiscoverySchema.migrations.dropLast())
    try await former.write { transaction in
      try transaction.execute("UPDATE shelf SET is_read = 1, needs_all = 0")
      try transaction.execute(
        "INSERT INTO changed_albums (id, heard_at, tries) VALUES (?, 100, 3)", TestDiscovery.id(1))
    }
    await former.close()
    let database = try Database(at: path, migrations: DiscoverySchema.migrations)
    #expect(try await OwnedAlbumStore(database: database).changedAlbums().map(\.id) == [TestDiscovery.id(1)])
    #expect(try await database.read(OwnedAlbumStore.status).needsAll)
    await database.close()
  }

  @Test func aReadingThatFailsOrIsCutOffBeginsAgain() async throws {
    let discovery = try await TestDiscovery([])
    _ = try await discovery.ask(Discovery.ListGenres())
    try await discovery.report(
      Library.CatalogueChanged(generation: 2, albums: [], removed: [], isWide: true))
    discovery.contents.withLock { contents in
      (contents.albums, contents.generation, contents.failsAfter) = (TestDiscovery.albums(900), 2, 400)
    }
    await discovery.publish()
    #expect(
      try await eventually(equals: "test.failed") {
        try await discovery.ask(Discovery.ReadDiagnostics()).shelf.problem?.code
      }
    )
    // The albums that were read so far can be used; those of before are not thrown away.
    #expect(try await albums(discovery) == 400)
    await discovery.stop()
    discovery.contents.withLock { $0.failsAfter = nil }
    try await discovery.start()
    #expect(try await eventually(equals: 900) { try await albums(discovery) })
    #expect(try await discovery.ask(Discovery.ReadDiagnostics()).shelf.problem == nil)
    await discovery.close()
  }

  @Test func aChangeOfWhichNoFactCameIsFoundByTheGeneration() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(10))
    _ = try await discovery.ask(Discovery.ListGenres())
    discovery.contents.withLock { contents in
      (contents.albums, contents.generation) = (TestDiscovery.albums(12), 9)
    }
    await discovery.publish()
    #expect(try await eventually(equals: 12) { try await albums(discovery) })
    await discovery.close()
  }

  @Test func changesThatAReadingOfAllAlbumsContainsAreNotReadOnceMore() async throws {
    let folder = TemporaryDirectory()
    let database = try Database(at: "\(folder.path)/discovery.sqlite", migrations: DiscoverySchema.migrations)
    let store = OwnedAlbumStore(database: database)
    let ids = (0..<6).map { TestDiscovery.id($0) }
    try await database.write { transaction in
      try OwnedAlbumStore.mark([ids[0], ids[1], ids[2], ids[3]], generation: 6, transaction)
      try OwnedAlbumStore.mark([ids[0]], generation: 5, transaction)
      // One has changed again, and two changed in ways that are not counted.
      try OwnedAlbumStore.mark([ids[1]], generation: 7, transaction)
      try OwnedAlbumStore.mark([ids[3], ids[4]], transaction)
      try OwnedAlbumStore.mark([ids[4]], generation: 6, transaction)
      try OwnedAlbumStore.mark([ids[5]], generation: 6, transaction)
    }
    let reading = try await store.beginReading()
    try await store.end(reading, generation: 6, at: Timestamp(seconds: 1), try TestAlbums.taxonomy())
    #expect(try await store.changedAlbums().map(\.id) == [ids[1], ids[3], ids[4]])
    await database.close()
  }

  @Test func anAlbumThatChangesWhileItIsReadIsReadOnceMore() async throws {
    let folder = TemporaryDirectory()
    let database = try Database(at: "\(folder.path)/discovery.sqlite", migrations: DiscoverySchema.migrations)
    let store = OwnedAlbumStore(database: database)
    let albums = TestDiscovery.albums(2)
    let ids = albums.map(\.id)
    try await database.write { try OwnedAlbumStore.mark(ids, $0) }
    let asked = try await store.changedAlbums()
    try await database.write { try OwnedAlbumStore.mark([ids[1]], $0) }
    try await store.store(albums, of: asked, generation: 1, at: Timestamp(seconds: 1), try TestAlbums.taxonomy())
    #expect(try await store.changedAlbums().map(\.id) == [ids[1]])
    try await store.store(
      albums, of: try await store.changedAlbums(), generation: 1, at: Timestamp(seconds: 2), try TestAlbums.taxonomy())
    #expect(try await store.changedAlbums().isEmpty)
    await database.close()
  }

  @Test func namesOfStrangersAreKeptShortAndUnchanged() async throws {
    var albums = TestDiscovery.albums(3)
    albums[0].title = "<script>alert(1)</script>"
    albums[1].title = String(repeating: "wide ", count: 4000)
    albums[2].tags = [String(repeating: "x", count: 5000), "", "\u{1F}", "Jazz"]
    let discovery = try await TestDiscovery(albums)
    let titles = Set(try await discovery.ask(Discovery.ReadWall()).tiles.map(\.title))
    #expect(titles.contains("<script>alert(1)</script>") && titles.allSatisfy { $0.unicodeScalars.count <= 200 })
    #expect(try await discovery.ask(Discovery.ListGenres()).genres.contains { $0.id == "jazz" })
    await discovery.close()
  }
}
