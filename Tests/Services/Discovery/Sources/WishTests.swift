import Synchronization
import ServiceKit
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Discovery

/// Albums of walls on the library's wish list.
@Suite(.timeLimit(.minutes(5))) struct WishTests {
  private let request = Discovery.ReadWall(seed: 2, dial: 5)

  /// Returns a household with a wall that has albums that are not in the library.
  private func household(_ outside: TestOutside) async throws -> TestDiscovery {
    let rows = (0..<60).map { (TestOutside.group(9000 + $0), "New \($0)", "Artist \($0 % 40)", 100 - $0) }
    outside.answer("1/stats/sitewide/release-groups", TestOutside.statistics(rows))
    let discovery = try await TestDiscovery(TestOutside.albums(900), access: outside.access)
    _ = try await discovery.ask(Discovery.SetMissingAlbums(isOn: true))
    _ = try await discovery.ask(Discovery.SetSource(name: "listenbrainz-charts", isOn: true))
    let isRead = try await eventually {
      try await discovery.ask(Discovery.ListSources()).sources
    } satisfies: {
      $0.contains { $0.name == "listenbrainz-charts" && $0.readAt != nil }
    }
    #expect(isRead)
    return discovery
  }

  private func firstMissing(_ discovery: TestDiscovery) async throws -> (place: Int, album: Discovery.MissingAlbum) {
    let wall = try await discovery.ask(request)
    let place = try #require(wall.tiles.firstIndex { !$0.isOnShelf })
    return (place, try #require(wall.tiles[place].missing))
  }

  private func isWished(_ place: Int, _ discovery: TestDiscovery) async throws -> Bool? {
    try await discovery.ask(request).tiles[place].missing?.isWished
  }

  @Test func aWishIsOnTheLibrarysListWithWhatSourcesKnowUntilItIsTakenOff() async throws {
    let outside = try TestOutside()
    let discovery = try await household(outside)
    let (place, album) = try await firstMissing(discovery)
    #expect(!album.isWished)
    _ = try await discovery.ask(Discovery.SetWish(releaseGroup: album.releaseGroup, isWished: true))
    let wishes = discovery.contents.withLock { $0.wishes }
    #expect(wishes.map(\.album) == [album.title] && wishes[0].releaseGroup == album.releaseGroup)
    #expect(try await isWished(place, discovery) == true)
    // The answers of sources outlive the source and a restart.
    _ = try await discovery.ask(Discovery.SetSource(name: "listenbrainz-charts", isOn: false))
    await discovery.stop()
    try await discovery.start()
    let known = try await discovery.ask(Discovery.ListWishes()).wishes
    #expect(known.map(\.album.releaseGroup) == [album.releaseGroup] && known[0].album.source == "ListenBrainz")
    #expect(known[0].album.links.count == 3 && known[0].album.artistID != nil)
    _ = try await discovery.ask(Discovery.SetWish(releaseGroup: album.releaseGroup, isWished: false))
    #expect(discovery.contents.withLock({ $0.wishes }).isEmpty)
    #expect(try await discovery.ask(Discovery.ListWishes()).wishes.isEmpty)
    let stranger = Discovery.SetWish(releaseGroup: TestOutside.group(1234), isWished: true)
    #expect(await discovery.refusal(of: stranger)?.code == "discovery.unknownRelease")
    await discovery.close()
    await outside.stop()
  }

  @Test func aWishThatIsAddedOrRemovedElsewhereIsSeenOnTheWall() async throws {
    let outside = try TestOutside()
    let discovery = try await household(outside)
    let (place, album) = try await firstMissing(discovery)
    discovery.contents.withLock {
      $0.wishes = [
        .init(id: 9, artist: album.artist.uppercased(), album: album.title, providers: ["spotify"], addedAt: .now()),
        .init(id: 8, artist: "Moondog", album: nil, addedAt: .now()),
      ]
    }
    #expect(try await isWished(place, discovery) == true)
    #expect(try await discovery.ask(Discovery.ListWishes()).wishes.map(\.album.artist) == [album.artist.uppercased()])
    _ = try await discovery.ask(Discovery.SetWish(releaseGroup: album.releaseGroup, isWished: false))
    #expect(discovery.contents.withLock({ $0.wishes }).map(\.id) == [8])
    #expect(try await isWished(place, discovery) == false)
    await discovery.close()
    await outside.stop()
  }

  @Test func aWishIsRefusedWhileTheLibraryDoesNotAnswerAndTheWallStands() async throws {
    let outside = try TestOutside()
    let discovery = try await household(outside)
    let (place, album) = try await firstMissing(discovery)
    discovery.contents.withLock { $0.wishProblem = LunaraError("storage.failed", "The disk is full.") }
    let wish = Discovery.SetWish(releaseGroup: album.releaseGroup, isWished: true)
    #expect(await discovery.refusal(of: wish)?.code == "storage.failed")
    #expect(try await isWished(place, discovery) == false)
    discovery.contents.withLock { $0.wishProblem = nil }
    _ = try await discovery.ask(wish)
    #expect(try await isWished(place, discovery) == true)
    await discovery.close()
    await outside.stop()
  }

  @Test func theTileOfAnAlbumThatHasComeBecomesAnOrdinaryOne() async throws {
    let outside = try TestOutside()
    let discovery = try await household(outside)
    let (place, missing) = try await firstMissing(discovery)
    // The library gets it, under a slightly different spelling.
    let id = TestDiscovery.id(5000)
    var album = TestOutside.albums(1)[0]
    (album.id, album.releaseGroup) = (id, nil)
    (album.title, album.artist) = (missing.title.uppercased(), missing.artist.uppercased())
    let arrived = album
    try await discovery.change([id]) { $0.albums.append(arrived) }
    #expect(try await eventually(equals: id) { try await discovery.ask(request).tiles[place].id })
    let tile = try await discovery.ask(request).tiles[place]
    #expect(tile.isOnShelf && tile.missing == nil && tile.title == album.title)
    // It is on no later page of the round.
    var wall = try await discovery.ask(request)
    var later: [AlbumID] = []
    while let next = wall.next, wall.round == 1, !wall.endsRound {
      wall = try await discovery.ask(Discovery.ReadWall(after: next))
      later += wall.tiles.compactMap(\.id)
    }
    #expect(!later.contains(id) && later.count > 500)
    await discovery.close()
    await outside.stop()
  }

  @Test func wishesOfFormerVersionsAreHandedOverOnceAndKeptUntilTheLibraryHasThem() async throws {
    let folder = TemporaryDirectory()
    let former = Array(DiscoverySchema.migrations.prefix { $0.name != "discovery-wishes" })
    let path = "\(folder.path)/discovery.sqlite"
    let old = try Database(at: path, migrations: former)
    try await old.write { transaction in
      for (number, title) in ["Blue", "Red", "Here"].enumerated() {
        try transaction.execute(
          """
          INSERT INTO wishes (release_group, title, artist, match_key, match_artist, date, source, wished_at)
          VALUES (?, ?, 'Ada', ?, ?, '1971-05', 'MusicBrainz', ?)
          """, TestOutside.group(number), title, MatchKey.album("Ada", title), MatchKey.artist("Ada"),
          Timestamp(seconds: Int64(number)))
      }
    }
    await old.close()
    let database = try Database(at: path, migrations: DiscoverySchema.migrations)
    let store = WishStore(database: database, coverArt: "https://covers.example")
    // They are listed before they are handed over, and the library is away at first.
    #expect(try await store.list().wishes.map(\.album.title) == ["Here", "Red", "Blue"])
    let library = FakeWishLibrary()
    library.isAway.withLock { $0 = true }
    let follower = WishFollower(store: store, library: library.access, log: .quiet, now: { Timestamp(seconds: 9) })
    await follower.start()
    #expect(await eventually(above: 0) { library.asked.withLock { $0 } })
    #expect(try await store.waiting().count == 3)
    library.isAway.withLock { $0 = false }
    await follower.update(.init(generation: 2, albums: 0, tracks: 0, sources: []))
    #expect(try await eventually(equals: []) { try await store.waiting() })
    #expect(library.wishes.withLock { $0.map(\.album) } == ["Blue", "Red"])
    let listed = try await store.list().wishes
    #expect(Set(listed.map(\.album.title)) == ["Blue", "Red"] && listed.allSatisfy { $0.album.date == "1971-05" })
    // Nothing is handed over again.
    let asked = library.added.withLock { $0 }
    await follower.update(.init(generation: 2, lists: 1, albums: 0, tracks: 0, sources: []))
    await follower.refreshIfPossible()
    #expect(library.added.withLock { $0 } == asked)
    await follower.stop()
    await database.close()
  }
}
