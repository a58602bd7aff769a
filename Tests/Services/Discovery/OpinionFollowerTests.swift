import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// How likes and dislikes reach walls.
@Suite(.timeLimit(.minutes(2))) struct OpinionFollowerTests {
  @Test func aDislikedAlbumLeavesPagesThatWereMadeAndReturnsWhenThatIsTakenBack() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(40))
    let wall = try await discovery.ask(Discovery.ReadWall(seed: 7, count: 20))
    let disliked = try #require(wall.tiles[4].id)
    try await discovery.like([], dislike: [disliked])
    func again() async throws -> [AlbumID] {
      try await discovery.ask(Discovery.ReadWall(seed: 7, count: 20)).tiles.compactMap(\.id)
    }
    #expect(try await !again().contains(disliked))
    // A queue that plays the wall reads its pages again.
    let next = try await discovery.ask(
      Discovery.ListNextAlbums(wall: wall.name, after: try #require(wall.tiles[2].id), limit: 5))
    #expect(!next.albums.contains(disliked) && next.albums.first == wall.tiles[3].id)
    try await discovery.like([TestDiscovery.id(1)])
    #expect(try await again().contains(disliked))
    await discovery.close()
  }

  @Test func likesAndDislikesAreCountedAndReadAgainAfterARestart() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(10))
    _ = try await discovery.ask(Discovery.ListGenres())
    try await discovery.like([TestDiscovery.id(1), TestDiscovery.id(2)], dislike: [TestDiscovery.id(3)])
    await discovery.stop()
    // One was taken back while the service was away.
    discovery.contents.withLock {
      $0.opinions = .init(revision: 9, likes: [TestDiscovery.id(2)], dislikes: [TestDiscovery.id(3)])
    }
    try await discovery.start()
    #expect(
      try await eventually {
        let known = try await discovery.ask(Discovery.ReadDiagnostics())
        return known.likes == 1 && known.dislikes == 1 && known.both == 0
      })
    await discovery.close()
  }
}
