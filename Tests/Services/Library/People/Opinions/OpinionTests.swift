import Messages
import Model
import Storage
import Testing

@testable import People

/// Likes and dislikes as the library keeps them.
@Suite(.timeLimit(.minutes(2)))
struct OpinionTests {
  private func house(_ titles: String...) async throws -> (TestCatalogue, FakeServer) {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    for (index, title) in titles.enumerated() { contents.album(100 * (index + 1), title) }
    let server = FakeServer(contents)
    try await catalogue.refresh(server)
    return (catalogue, server)
  }

  @Test func aLikeAndADislikeExcludeEachOtherAndTheAnswerUndoesAChange() async throws {
    let (catalogue, _) = try await house("Blue", "Hejira")
    let blue = try await catalogue.album("Blue").id
    #expect(try await catalogue.opine(blue, .like) == nil)
    #expect(try await catalogue.opine(blue, .dislike) == .like)
    #expect(try await catalogue.opinionWords() == ["Blue dislike"])
    #expect(try await catalogue.opine(blue, nil) == .dislike)
    #expect(try await catalogue.opinionWords().isEmpty)
    #expect(try await catalogue.opine(blue, nil) == nil)
    let unknown = try #require(AlbumID("plex:a999"))
    #expect(try await code { try await catalogue.opine(unknown, .like) } == "library.unknownID")
    #expect(try await code { try await catalogue.opine(blue, .unknown) } == "library.unknownOpinion")
  }

  @Test func theLatestComesFirstAndPagesGoOnBehindTheirCursor() async throws {
    let (catalogue, _) = try await house("Blue", "Hejira", "Mingus")
    for title in ["Blue", "Hejira", "Mingus"] {
      catalogue.wait(seconds: 1)
      try await catalogue.opine(try await catalogue.album(title).id, title == "Hejira" ? .dislike : .like)
    }
    let first = try await catalogue.database.read { try OpinionStore.page(.init(limit: 2), $0) }
    #expect(first.items.map(\.title) == ["Mingus", "Hejira"] && first.items[0].year == 1971)
    let second = try await catalogue.database.read { try OpinionStore.page(.init(after: first.next, limit: 2), $0) }
    #expect(second.items.map(\.title) == ["Blue"] && second.next == nil)
    let likes = try await catalogue.database.read { try OpinionStore.page(.init(opinion: .like), $0) }
    #expect(likes.items.map(\.title) == ["Mingus", "Blue"])
    #expect(
      try await code { _ = try await catalogue.database.read { try OpinionStore.page(.init(after: "x"), $0) } }
        == "library.badCursor")
  }

  @Test func theRevisionGrowsWithEveryChangeAndOnlyThen() async throws {
    let (catalogue, _) = try await house("Blue")
    let blue = try await catalogue.album("Blue").id
    let none = try await catalogue.opinionIDs()
    #expect(none.likes.isEmpty && !none.isSame)
    try await catalogue.opine(blue, .like)
    let liked = try await catalogue.opinionIDs(since: none.revision)
    #expect(liked.likes == [blue] && liked.revision > none.revision)
    try await catalogue.opine(blue, .like)
    let again = try await catalogue.opinionIDs(since: liked.revision)
    #expect(again.isSame && again.likes.isEmpty)
  }

  @Test func aRemovedAlbumIsListedAsNotHereAndItsOpinionReturnsWithIt() async throws {
    let (catalogue, server) = try await house("Blue", "Hejira")
    let id = try await catalogue.album("Blue").id
    try await catalogue.opine(id, .dislike)
    server.change { $0.remove(100) }
    try await catalogue.refresh(server, accepting: true)
    #expect(try await catalogue.opinionWords() == ["Blue dislike?"])
    // It can be changed while the album is away.
    #expect(try await catalogue.opine(id, .like) == .dislike)
    server.change { $0.album(700, "Blue") }
    try await catalogue.refresh(server)
    let back = try await catalogue.album("Blue").id
    #expect(back != id)
    #expect(try await catalogue.opinionIDs().likes == [back])
    #expect(try await catalogue.opinionWords() == ["Blue like"])
  }

  @Test func anOpinionIsGivenBackToAnAlbumThatIsAway() async throws {
    let (catalogue, server) = try await house("Blue", "Hejira")
    let id = try await catalogue.album("Blue").id
    try await catalogue.opine(id, .like)
    server.change { $0.remove(100) }
    try await catalogue.refresh(server, accepting: true)
    #expect(try await catalogue.opine(id, nil) == .like)
    #expect(try await catalogue.opinionWords().isEmpty)
    #expect(try await catalogue.opine(id, .like) == nil)
    #expect(try await catalogue.opinionWords() == ["Blue like?"])
    // The album comes back while the opinion is taken back once more.
    try await catalogue.opine(id, nil)
    server.change { $0.album(700, "Blue") }
    try await catalogue.refresh(server)
    try await catalogue.opine(id, .dislike)
    #expect(try await catalogue.opinionWords() == ["Blue dislike"])
    #expect(try await catalogue.opinionIDs().dislikes == [try await catalogue.album("Blue").id])
    #expect(try await catalogue.opinionFaults().isEmpty)
    let stranger = try #require(AlbumID("plex:a999"))
    #expect(try await code { try await catalogue.opine(stranger, .like) } == "library.unknownID")
  }

  @Test func correctedTagsAndAnotherNumberKeepTheOpinion() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=Blu", "ARTIST=Jony", "DATE=1970"])
    try await catalogue.refresh()
    try await catalogue.opine(try await catalogue.album("Blu").id, .like)
    try catalogue.tree.album("x", ["ALBUM=Blue", "ARTIST=Joni Mitchell", "DATE=1971"])
    try await catalogue.refresh()
    #expect(try await catalogue.opinionWords() == ["Blue like"])
    // Each track goes to another album, one after the other.
    for number in 1...3 {
      try catalogue.tree.flac(
        "x/0\(number).flac",
        ["TITLE=Song \(number) of x", "TRACKNUMBER=\(number)", "ALBUM=Court", "ARTIST=Joni Mitchell", "DATE=1974"])
      try await catalogue.refresh()
    }
    #expect(try await catalogue.opinionWords() == ["Court like"])
    #expect(try await catalogue.opinionFaults().isEmpty)
  }

  @Test func ofMergedAlbumsTheLatestOpinionStandsAndSeparatedOnesHaveTheirOwn() async throws {
    let catalogue = try TestCatalogue()
    let (first, second) = (FakeServer(), FakeServer())
    first.change { $0.album(100, "Blue", seconds: 180) }
    second.change { contents in
      contents.machine = "machine-2"
      contents.album(200, "Blue", tracks: 5, seconds: 300)
    }
    try await catalogue.refresh(first, "one")
    try await catalogue.refresh(second, "two")
    let albums = try await catalogue.albums()
    try #require(albums.count == 2, "albums with other tracks are two")
    try await catalogue.opine(albums[0].id, .like)
    catalogue.wait(seconds: 5)
    try await catalogue.opine(albums[1].id, .dislike)
    second.change { contents in
      contents.remove(200)
      contents.album(200, "Blue", seconds: 180)
    }
    let before = try await catalogue.opinionIDs()
    try await catalogue.refresh(second, "two", accepting: true)
    let merged = try await catalogue.opinionIDs(since: before.revision)
    #expect(!merged.isSame && merged.dislikes.count == 1 && merged.likes.isEmpty)
    #expect(try await catalogue.opinionFaults().isEmpty)
    second.change { contents in
      contents.remove(200)
      contents.album(200, "Blue", tracks: 5, seconds: 300)
    }
    try await catalogue.refresh(second, "two", accepting: true)
    #expect(try await catalogue.opinionWords() == ["Blue dislike", "Blue like"])
    #expect(try await catalogue.opinionFaults().isEmpty)
  }
}
