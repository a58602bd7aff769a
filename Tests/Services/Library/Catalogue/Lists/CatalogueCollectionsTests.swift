import Messages
import Model
import Storage
import Synchronization
import Testing

@testable import Catalogue
@testable import People

/// Artists, collections and playlists with their contents.
@Suite(.timeLimit(.minutes(2)))
struct CatalogueCollectionsTests {
  /// A server with 30 albums of two tracks, three collections and a playlist.
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try await catalogue.stock(albums: 30, tracks: 2)
    try await catalogue.write(
      """
      INSERT INTO collections (id, source, native, title, title_sort, summary, digest) VALUES
        (1, 'plex', '71', 'Zebra', 'zebra', NULL, 0), (2, 'plex', '72', 'Current Vibes', 'current vibes', 'Now', 0),
        (3, 'plex', '73', 'Autumn', 'autumn', NULL, 0)
      """,
      """
      INSERT INTO collection_items (collection, position, native, kind, item) VALUES (1, 0, '', 2, 1020),
        (1, 1, '', 2, 1003), (1, 2, '', NULL, NULL), (1, 3, '', 1, 1010), (1, 4, '', 3, 100502), (1, 5, '', 2, 1003),
        (1, 6, '', 2, 9999)
      """,
      """
      INSERT INTO playlists (id, source, native, title, title_sort, is_smart, digest)
      VALUES (1, 'plex', '81', 'Drive', 'drive', 0, 0), (2, 'plex', '82', 'Ängste', 'angste', 1, 0)
      """,
      """
      INSERT INTO playlist_entries (playlist, place, native, track) VALUES (1, 0, '', 100701), (1, 1, '', 100301),
        (1, 2, '', NULL), (1, 3, '', 100701), (1, 4, '', 100302)
      """)
    return catalogue
  }

  private func collections(
    _ catalogue: TestCatalogue, limit: Int = 100, sort: Library.CollectionSort? = nil
  ) async throws -> [MusicCollection] {
    var found: [MusicCollection] = []
    var after: String?
    repeat {
      let request = Library.ListCollections(after: after, limit: limit, sort: sort)
      let page = try await catalogue.database.read { try Catalogue.collections(request, $0) }
      found += page.items
      after = page.next
    } while after != nil
    return found
  }

  private func id<Kind>(_ text: String) throws -> ItemID<Kind> { try #require(ItemID(text)) }

  @Test func pinnedCollectionsComeFirstAndThoseEverybodyWantsArePinnedUntilSomebodySaysOtherwise() async throws {
    let catalogue = try await catalogue()
    #expect(try await collections(catalogue).map(\.title) == ["Current Vibes", "Autumn", "Zebra"])
    #expect(try await collections(catalogue, limit: 1).map(\.isPinned) == [true, false, false])
    let told = Mutex(0)
    let handler = RatingRequestHandler(
      database: catalogue.database, kinds: .folders, publisher: .to(nil), now: { .now() },
      changed: { told.withLock { $0 += 1 } }
    ) { _, _, _ in }
    let before = try await catalogue.state()
    try await handler.pin(.init(id: try id("plex:c1"), isPinned: true))
    try await handler.pin(.init(id: try id("plex:72"), isPinned: false))
    try await handler.pin(.init(id: try id("plex:72"), isPinned: false))
    // Only a pin that changes something is published.
    let after = try await catalogue.state()
    #expect(after.lists == before.lists.map { $0 + 2 } && after.generation == before.generation)
    #expect(told.withLock { $0 } == 2)
    #expect(try await collections(catalogue).map(\.title) == ["Zebra", "Autumn", "Current Vibes"])
    // The source is rebuilt with other ids: a pin follows the title.
    try await catalogue.write("UPDATE collections SET id = id + 10, native = native || '0'")
    #expect(try await collections(catalogue, limit: 2).map(\.isPinned) == [true, false, false])
    await #expect { try await handler.pin(.init(id: try self.id("plex:a1001"), isPinned: true)) } throws: {
      LunaraError($0).code == "library.unknownID"
    }
  }

  @Test func theLargestCollectionsComeFirstBehindThePinnedOnes() async throws {
    let catalogue = try await catalogue()
    try await catalogue.write(
      """
      INSERT INTO collections (id, source, native, title, title_sort, digest) VALUES (4, 'plex', '74', 'Big', 'big', 0)
      """,
      "INSERT INTO collection_items (collection, position, native, kind, item) SELECT 4, id, '', 2, id FROM albums")
    let expected = [("Current Vibes", 0), ("Big", 30), ("Zebra", 4), ("Autumn", 0)]
    for limit in [1, 100] {
      let found = try await collections(catalogue, limit: limit, sort: .items)
      #expect(found.map(\.title) == expected.map(\.0) && found.map(\.itemCount) == expected.map(\.1))
    }
  }

  @Test func aCollectionHoldsEachThingOnceInItsOrder() async throws {
    let catalogue = try await catalogue()
    for text in ["plex:c1", "plex:71"] {
      let request = Library.ReadCollection(id: try id(text))
      let page = try await catalogue.database.read { try Catalogue.collection(request, $0) }
      #expect(page.collection.title == "Zebra" && page.collection.itemCount == 4)
      #expect(page.albums.map(\.title) == ["Album 1020", "Album 1003"])
      #expect(page.artists.map(\.name) == ["Artist 101"])
      #expect(page.tracks.map(\.id.description) == ["plex:t100502"] && page.next == nil)
    }
  }

  @Test func aLargeCollectionComesInPages() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.stock(albums: 450)
    try await catalogue.write(
      "INSERT INTO collections (id, source, native, title, title_sort, digest) VALUES (1, 'plex', '1', 'All', 'all', 0)",
      "INSERT INTO collection_items (collection, position, native, kind, item) SELECT 1, 2000 - id, '', 2, id FROM albums"
    )
    var albums: [Album] = []
    var after: String?
    repeat {
      let request = Library.ReadCollection(id: try id("plex:c1"), after: after)
      let page = try await catalogue.database.read { try Catalogue.collection(request, $0) }
      #expect(page.albums.count <= 200)
      albums += page.albums
      after = page.next
    } while after != nil
    #expect(albums.map(\.title) == (1001..<1451).reversed().map { "Album \($0)" })
  }

  @Test func aPlaylistKeepsItsOrderAndWhatComesTwice() async throws {
    let catalogue = try await catalogue()
    let listed = try await catalogue.database.read { try Catalogue.playlists(.init(), $0) }
    #expect(listed.items.map(\.title) == ["Ängste", "Drive"])
    #expect(listed.items.map(\.trackCount) == [0, 4] && listed.items[1].duration == Milliseconds(720_000))
    let request = Library.ReadPlaylist(id: try id("plex:p1"))
    let page = try await catalogue.database.read { try Catalogue.playlist(request, $0) }
    #expect(page.tracks.map(\.id.native) == ["t100701", "t100301", "t100701", "t100302"])
  }

  @Test func anArtistHasTheAlbumsByYearAndTheirGenres() async throws {
    let catalogue = try await catalogue()
    try await catalogue.write(
      "UPDATE artists SET genres = 'Folk\u{1F}', summary = 'Sings.' WHERE id = 1010",
      "INSERT INTO album_tags (album, kind, folded, name, place) VALUES (1011, 0, 'jazz', 'Jazz', 0), (1012, 0, 'folk', 'folk', 0)"
    )
    let request = Library.ReadArtist(id: try id("plex:r1010"))
    let page = try await catalogue.database.read { try Catalogue.artist(request, $0) }
    #expect(page.artist.name == "Artist 101" && page.summary == "Sings." && page.genres == ["Folk", "Jazz"])
    #expect(page.albums.count == 10)
    let years = page.albums.compactMap(\.year)
    #expect(years == years.sorted() && page.albums.last?.year == nil)
  }

  @Test func collectionsAndPlaylistsPlayInTheirOrder() async throws {
    let catalogue = try await catalogue()
    func played(_ ids: String...) async throws -> [String] {
      var found: [String] = []
      var after: String?
      repeat {
        let request = Library.ListPlayable(ids: try ids.map { try id($0) }, after: after)
        let page = try await catalogue.database.read { try Catalogue.playable(request, host: "h", $0) }
        found += page.tracks.map(\.track.id.native)
        after = page.next
      } while after != nil
      return found
    }
    #expect(try await played("plex:p1", "plex:t100101") == ["t100701", "t100301", "t100701", "t100302", "t100101"])
    let zebra = try await played("plex:c1")
    #expect(zebra.prefix(4) == ["t102001", "t102002", "t100301", "t100302"])
    #expect(zebra.count == 25 && zebra.last == "t100502")
    let all = try await played("library:all")
    #expect(all.count == 60 && Set(all).count == 60 && all.first == "t100101")
    #expect(try await played("plex:c3").isEmpty)
    // Pages may end anywhere, also within an item that is listed twice.
    try await catalogue.stock(albums: 40, tracks: 7, from: 3001)
    try await catalogue.write(
      "INSERT INTO playlist_entries (playlist, place, native, track) SELECT 2, id, '', id FROM tracks",
      "INSERT INTO playlist_entries (playlist, place, native, track) SELECT 2, 900000 + id, '', id FROM tracks")
    let long = try await played("plex:p2", "plex:p2")
    #expect(long.count == 4 * 340 && Array(long.prefix(680)) == Array(long.suffix(680)))
    #expect(Array(long.prefix(340)) == Array(long.dropFirst(340).prefix(340)) && Set(long).count == 340)
    #expect(try await played("library:all").count == 340)
  }

  @Test func collectionsAreFoundBesideTheRest() async throws {
    let catalogue = try await catalogue()
    try await catalogue.database.write { transaction in
      try transaction.execute(Catalogue.everyItemIsPending)
      var index = SearchIndex(transaction)
      try index.finish()
    }
    #expect(try await catalogue.search("vib").collections?.map(\.title) == ["Current Vibes"])
    #expect(try await catalogue.search("album").collections == [])
  }

  @Test func unknownIDsAreRefused() async throws {
    let catalogue = try await catalogue()
    func code(_ read: @escaping @Sendable (ReadTransaction) throws -> Void) async -> String? {
      do { try await catalogue.database.read(read) } catch { return LunaraError(error).code }
      return nil
    }
    let (artist, collection): (ArtistID, CollectionID) = (try id("plex:c1"), try id("plex:c9"))
    let (playlist, track): (PlaylistID, TrackID) = (try id("plex:a1001"), try id("files:t100101"))
    #expect(await code { _ = try Catalogue.artist(.init(id: artist), $0) } == "library.unknownID")
    #expect(await code { _ = try Catalogue.collection(.init(id: collection), $0) } == "library.unknownID")
    #expect(await code { _ = try Catalogue.playlist(.init(id: playlist), $0) } == "library.unknownID")
    #expect(await code { _ = try Catalogue.track(.init(id: track), $0) } == "library.unknownID")
    #expect(await code { _ = try Catalogue.tracks(.init(after: "zz"), randomSeed: 1, $0) } == "library.badCursor")
  }
}
