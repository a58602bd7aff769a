import Bus
import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// The service on a bus, beside a library that a test controls.
@Suite(.timeLimit(.minutes(5))) struct DiscoveryServiceTests {
  @Test func aWallHasAHundredAlbumsEachWithItsReasonAndGoesOnWithoutRepeats() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(2600))
    var wall = try await discovery.ask(Discovery.ReadWall())
    #expect(wall.tiles.count == 100 && wall.name.dial == 3 && wall.round == 1 && !wall.endsRound)
    #expect(wall.tiles.allSatisfy { $0.isOnShelf && $0.id != nil && $0.reason.hasSuffix(".") && !$0.title.isEmpty })
    var seen = Set(wall.tiles.compactMap(\.id))
    while seen.count < 2000, let next = wall.next {
      wall = try await discovery.ask(Discovery.ReadWall(after: next))
      #expect(wall.tiles.count == 50)
      for tile in wall.tiles { #expect(seen.insert(try #require(tile.id)).inserted) }
    }
    #expect(seen.count == 2000)
    await discovery.close()
  }

  @Test func aWallStaysTheSameWhileOneNavigatesAndAfterARestartAndAKill() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(600))
    let wall = try await discovery.ask(Discovery.ReadWall())
    let second = try await discovery.ask(Discovery.ReadWall(after: wall.next))
    let again = Discovery.ReadWall(seed: wall.name.seed, dial: wall.name.dial)
    #expect(try await discovery.ask(again).tiles == wall.tiles)
    await discovery.stop()
    try await discovery.start()
    #expect(try await discovery.ask(again).tiles == wall.tiles)
    #expect(try await discovery.ask(Discovery.ReadWall(after: wall.next)).tiles == second.tiles)
    #expect(try await discovery.ask(Discovery.ReadWall()).tiles != wall.tiles)
    await discovery.close()
  }

  @Test func theSameSeedGivesTheSameWallInTwoHouseholdsWithTheSameAlbums() async throws {
    let first = try await TestDiscovery(TestDiscovery.albums(400))
    let second = try await TestDiscovery(TestDiscovery.albums(400))
    // Albums that one of them was shown before do not matter to a wall that a person names.
    _ = try await second.ask(Discovery.ReadWall())
    let request = Discovery.ReadWall(seed: 7, dial: 4)
    #expect(try await first.ask(request).tiles == (try await second.ask(request).tiles))
    await first.close()
    await second.close()
  }

  @Test func whatWasShownLatelyIsHeldBackButAtMostHalfTheShelf() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(400))
    func wall(_ count: Int) async throws -> Set<AlbumID> {
      discovery.now.withLock { $0 = Timestamp(seconds: $0.seconds + 60) }
      return Set(try await discovery.ask(Discovery.ReadWall(count: count)).tiles.compactMap(\.id))
    }
    let (first, second) = (try await wall(100), try await wall(100))
    #expect(first.isDisjoint(with: second))
    // Two hundred albums are held back, which is half of the library; the wall after next shows former ones again.
    let third = try await wall(200)
    #expect(third.isDisjoint(with: first.union(second)))
    let fourth = try await wall(200)
    #expect(fourth.count == 200 && fourth.isDisjoint(with: third))
    // After the days of the dial's position nothing is held back.
    discovery.now.withLock { $0 = Timestamp(seconds: $0.seconds + 8 * Ages.day) }
    #expect(try await discovery.ask(Discovery.ReadDiagnostics()).heldBack == 0)
    await discovery.close()
  }

  @Test func aSmallShelfSaysThatItIsThroughAndBeginsANewRound() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(3))
    let first = try await discovery.ask(Discovery.ReadWall())
    #expect(first.tiles.count == 3 && first.endsRound && first.round == 1)
    let second = try await discovery.ask(Discovery.ReadWall(after: first.next))
    #expect(second.tiles.count == 3 && second.endsRound && second.round == 2)
    #expect(Set(second.tiles.compactMap(\.id)) == Set(first.tiles.compactMap(\.id)))
    await discovery.close()
  }

  @Test func anEmptyLibraryHasAnEmptyWall() async throws {
    let discovery = try await TestDiscovery([])
    let wall = try await discovery.ask(Discovery.ReadWall())
    #expect(wall.tiles.isEmpty && wall.next == nil)
    #expect(try await discovery.ask(Discovery.ListGenres()).genres.isEmpty)
    await discovery.close()
  }

  @Test func dislikedAlbumsLeaveTheWallAtOnceAndAllDislikedIsAnEmptyWall() async throws {
    let albums = TestDiscovery.albums(120)
    let discovery = try await TestDiscovery(albums)
    let wall = try await discovery.ask(Discovery.ReadWall())
    let disliked = try #require(wall.tiles[3].id)
    try await discovery.like([], dislike: [disliked])
    let again = try await discovery.ask(Discovery.ReadWall(seed: wall.name.seed, dial: 3))
    #expect(!again.tiles.contains { $0.id == disliked } && again.tiles[3] == wall.tiles[4])
    try await discovery.like([], dislike: albums.map(\.id))
    #expect(try await discovery.ask(Discovery.ReadWall()).tiles.isEmpty)
    let known = try await discovery.ask(Discovery.ReadDiagnostics())
    #expect(known.dislikes == 120 && known.likes == 0 && known.both == 0)
    await discovery.close()
  }

  @Test func likesShapeWhatIsRecommended() async throws {
    let discovery = try await TestDiscovery(
      TestDiscovery.albums(600).map { album in
        var album = album
        album.rating = nil
        return album
      })
    let before = try await discovery.ask(Discovery.ReadWall(seed: 1, dial: 1))
    #expect(!before.tiles.contains { $0.signal == .recommended })
    try await discovery.like([TestDiscovery.id(2), TestDiscovery.id(8)])
    let after = try await discovery.ask(Discovery.ReadWall(seed: 2, dial: 1))
    let recommended = after.tiles.filter { $0.signal == .recommended }
    #expect(recommended.count == 30 && recommended.allSatisfy { $0.reason.contains("you like") })
    await discovery.close()
  }

  @Test func feedsGenresAndTheDial() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(600))
    let genres = try await discovery.ask(Discovery.ListGenres())
    #expect(genres.genres.map(\.id) == ["rock", "electronic", "jazz", "country"])
    #expect(genres.genres[0].albums == 200 && genres.genres[0].subcategories?.map(\.id) == ["rock-punk"])
    #expect(genres.tagged == 600 && genres.matched == 600 && genres.unmatched.isEmpty)
    let feed = try await discovery.ask(Discovery.ReadWall(genre: "Jazz"))
    #expect(feed.name.genre == "jazz" && feed.tiles.count == 50)
    let punk = try await discovery.ask(Discovery.ReadWall(genre: "rock", subcategories: ["Punk"]))
    #expect(punk.tiles.count == 25 && punk.name.subcategories == ["rock-punk"])
    let more = try await discovery.ask(Discovery.ReadWall(after: punk.next))
    #expect(more.tiles.count == 25 && Set(more.tiles.compactMap(\.id)).isDisjoint(with: punk.tiles.compactMap(\.id)))
    _ = try await discovery.ask(Discovery.SetDial(dial: 5))
    #expect(try await discovery.ask(Discovery.ReadWall()).name.dial == 5)
    for (request, code) in [
      (Discovery.ReadWall(dial: 6), "discovery.badDial"), (.init(genre: "Nonsense"), "discovery.unknownGenre"),
      (.init(genre: "rock", subcategories: ["Bebop"]), "discovery.unknownGenre"),
      (.init(after: "<script>"), "discovery.badCursor"), (.init(after: "7.9.100.0"), "discovery.badCursor"),
      (.init(count: 0), "discovery.badCount"), (.init(count: 201), "discovery.badCount"),
      (.init(seed: -1), "discovery.badCount"),
    ] { #expect(await discovery.refusal(of: request)?.code == code) }
    #expect(await discovery.refusal(of: Discovery.SetDial(dial: 0))?.code == "discovery.badDial")
    await discovery.close()
  }

  @Test func aTagThatBelongsToNoGenreIsListedAndCanBeAssigned() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(30, tags: ["Rock", "Laptop Music"]))
    #expect(try await discovery.ask(Discovery.ListGenres()).unmatched == [.init(tag: "Laptop Music", albums: 15)])
    _ = try await discovery.ask(Discovery.AssignTag(tag: "laptop music", genre: "electronic-idm"))
    let genres = try await discovery.ask(Discovery.ListGenres())
    #expect(genres.unmatched.isEmpty && genres.genres.map(\.id) == ["rock", "electronic"])
    #expect(try await discovery.ask(Discovery.ReadWall(genre: "electronic")).tiles.count == 15)
    await discovery.stop()
    try await discovery.start()
    #expect(try await discovery.ask(Discovery.ListGenres()).unmatched.isEmpty)
    _ = try await discovery.ask(Discovery.AssignTag(tag: "Laptop Music", genre: nil))
    #expect(try await discovery.ask(Discovery.ListGenres()).unmatched.count == 1)
    let bad = Discovery.AssignTag(tag: "x", genre: "nonsense")
    #expect(await discovery.refusal(of: bad)?.code == "discovery.unknownGenre")
    await discovery.close()
  }

  @Test func tagsThatAreAssignedAtTheSameMomentAllCount() async throws {
    let tags = (0..<8).map { "Laptop Music \($0)" }
    let discovery = try await TestDiscovery(TestDiscovery.albums(24, tags: tags))
    #expect(try await discovery.ask(Discovery.ListGenres()).unmatched.count == tags.count)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for tag in tags {
        group.addTask { _ = try await discovery.ask(Discovery.AssignTag(tag: tag, genre: "electronic-idm")) }
      }
      try await group.waitForAll()
    }
    #expect(try await discovery.ask(Discovery.ListGenres()).unmatched.isEmpty)
    await discovery.close()
  }

  @Test func lessLikeAnAlbumHoldsItsArtistBack() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(400, tags: ["Rock"]))
    _ = try await discovery.ask(Discovery.ShowLess(album: TestDiscovery.id(5)))
    let wall = try await discovery.ask(Discovery.ReadWall(seed: 3, count: 200))
    #expect(wall.tiles.count == 200 && !wall.tiles.contains { $0.artist == "Artist 5" })
    _ = try await discovery.ask(Discovery.ShowLess(album: TestDiscovery.id(5), isTakenBack: true))
    let walls = try await discovery.ask(Discovery.ReadWall(seed: 4, count: 200))
    #expect(walls.tiles.contains { $0.artist == "Artist 5" })
    let unknown = Discovery.ShowLess(album: AlbumID(source: "files", native: "a9999"))
    #expect(await discovery.refusal(of: unknown)?.code == "discovery.unknownAlbum")
    await discovery.close()
  }

  @Test func aQueueGoesOnWithTheAlbumsOfAWallInTheirOrder() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(300))
    let wall = try await discovery.ask(Discovery.ReadWall())
    let ids = wall.tiles.compactMap(\.id)
    func next(_ after: AlbumID, limit: Int = 5) async throws -> Discovery.NextAlbums {
      try await discovery.ask(Discovery.ListNextAlbums(wall: wall.name, after: after, limit: limit))
    }
    #expect(try await next(ids[4]) == .init(albums: Array(ids[5..<10]), hasMore: true))
    await discovery.stop()
    try await discovery.start()
    #expect(try await next(ids[9]) == .init(albums: Array(ids[10..<15]), hasMore: true))
    // Behind the last album that anybody has looked at, further pages are made.
    let behind = try await next(ids[99])
    #expect(behind.albums.count == 5 && behind.hasMore && Set(behind.albums).isDisjoint(with: ids))
    // One that is disliked or gone is passed over, and the place of a gone album is still known.
    try await discovery.like([], dislike: [ids[6]])
    try await discovery.change([ids[7], ids[4]]) { contents in
      contents.albums.removeAll { $0.id == ids[7] || $0.id == ids[4] }
    }
    #expect(try await eventually(equals: [ids[5], ids[8], ids[9], ids[10], ids[11]]) { try await next(ids[4]).albums })
    let stranger = AlbumID(source: "files", native: "a9999")
    #expect(try await next(stranger) == .init(albums: [], hasMore: false))
    await discovery.close()
  }

  @Test func ofManyWallsTheLastFiftyAreKeptAndAForgottenOneIsMadeAgain() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(60))
    let first = try await discovery.ask(Discovery.ReadWall(seed: 1, count: 20))
    for seed in 2..<130 { _ = try await discovery.ask(Discovery.ReadWall(seed: Int64(seed), count: 5)) }
    #expect(try await discovery.ask(Discovery.ReadDiagnostics()).walls < 110)
    let ids = first.tiles.compactMap(\.id)
    let next = try await discovery.ask(Discovery.ListNextAlbums(wall: first.name, after: ids[9]))
    #expect(next.albums == Array(ids[10..<15]))
    await discovery.close()
  }

  @Test func playingOnEndsWithTheRound() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(7))
    let wall = try await discovery.ask(Discovery.ReadWall())
    let ids = wall.tiles.compactMap(\.id)
    let next = try await discovery.ask(Discovery.ListNextAlbums(wall: wall.name, after: ids[4]))
    #expect(next == .init(albums: [ids[5], ids[6]], hasMore: false))
    await discovery.close()
  }
}
