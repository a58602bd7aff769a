import Bus
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara

/// The commands of walls and feeds, with a service that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct WallCommandTests {
  private final class Asked: Sendable {
    let walls = Mutex<[Discovery.ReadWall]>([])
    let plays = Mutex<[Router.Play]>([])

    /// The last request for a wall, as its JSON.
    var lastWall: String { walls.withLock { $0.last.map(WallCommandTests.text) ?? "" } }
    var lastPlay: Router.Play? { plays.withLock { $0.last } }
  }

  private static func text(of request: Discovery.ReadWall) -> String {
    do { return String(decoding: try MessageCoding.encode(request), as: UTF8.self) } catch { return "\(error)" }
  }

  /// A household with a library, a router, a room and a service that makes walls of seven albums.
  private func household(_ asked: Asked) async throws -> CommandFixture {
    let fixture = try CommandFixture()
    _ = try await fixture.library()
    try await fixture.room("den")
    let router = try await fixture.add("router@main")
    await router.serve(Router.Play.self) { request, _ in
      asked.plays.withLock { $0.append(request) }
      return Router.Played(
        room: request.room ?? RoomName(from: "x"), tracks: 5, queue: .init(revision: 4, count: 5, current: 0))
    }
    let node = try await fixture.add("discovery@main")
    await node.serve(Discovery.ReadWall.self) { request, _ in
      asked.walls.withLock { $0.append(request) }
      let name = Discovery.WallName(
        seed: request.seed ?? 7, dial: request.dial ?? 3, first: 100, genre: request.genre,
        subcategories: request.subcategories)
      let tiles = (1...7).map { number in
        Discovery.Tile(
          id: AlbumID(source: "files", native: "a\(number)"), title: "Album \(number)", artist: "Nova",
          year: 1990 + number, signal: .wild, reason: "Never played: Jazz to discover.")
      }
      return Discovery.Wall(name: name, tiles: tiles, next: "7.3.100.7", round: 1, endsRound: true)
    }
    await node.serve(Discovery.ListGenres.self) { _, _ in
      Discovery.GenreList(
        genres: [
          .init(id: "jazz", name: "Jazz", albums: 4, subcategories: [.init(id: "jazz-bebop", name: "Bebop", albums: 1)])
        ],
        tagged: 5, matched: 4, unmatched: [.init(tag: "Odd", albums: 1)])
    }
    await node.serve(Discovery.SetDial.self) { _, _ in Done() }
    await node.serve(Discovery.ShowLess.self) { _, _ in Done() }
    await node.serve(Discovery.AssignTag.self) { _, _ in Done() }
    return fixture
  }

  @Test func aWallListsItsAlbumsAndWithExplainItsReasons() async throws {
    let asked = Asked()
    let fixture = try await household(asked)
    let (status, printed) = await fixture.run("wall", "--dial", "4", "--count", "20", "--seed", "7", "--explain")
    #expect(status == .done && printed.output.contains("Album 7") && printed.output.contains("Jazz to discover."))
    #expect(asked.lastWall == #"{"count":20,"dial":4,"seed":7}"#)
    let (_, json) = await fixture.run("wall", "--json")
    #expect(json.output.hasPrefix(#"{"seed":7,"dial":3,"genre":null,"#))
    #expect(
      json.output.contains(
        #"{"id":"files:a1","title":"Album 1","artist":"Nova","artistID":null,"year":1991,"art":null,"signal":"wild","reason":"Never played: Jazz to discover.","onShelf":true"#
      ))
    #expect(json.output.contains(#""next":"7.3.100.7""#))
    await fixture.close()
  }

  @Test func aFeedNamesItsGenreAndSubcategories() async throws {
    let asked = Asked()
    let fixture = try await household(asked)
    let (status, _) = await fixture.run("feed", "jazz", "--sub", "bebop", "--sub", "fusion", "--after", "c")
    #expect(status == .done)
    #expect(
      asked.lastWall == #"{"after":"c","genre":"jazz","subcategories":["bebop","fusion"]}"#)
    let (refused, _) = await fixture.run("wall", "--dial", "9")
    #expect(refused == .wrongUsage)
    await fixture.close()
  }

  @Test func aWallPlaysItsFirstFiveAlbumsAndTheQueueNamesIt() async throws {
    let asked = Asked()
    let fixture = try await household(asked)
    let (status, _) = await fixture.run("play", "--wall", "--dial", "2")
    #expect(status == .done)
    let play = try #require(asked.lastPlay)
    #expect(play.ids.map(\.native) == ["a1", "a2", "a3", "a4", "a5"] && play.mode == .now && !play.shuffle)
    #expect(play.continues?.wall == Discovery.WallName(seed: 7, dial: 2, first: 100))
    let (_, feed) = await fixture.run("play", "--feed", "jazz", "--sub", "bebop", "--json")
    #expect(feed.output.contains(#""genre":"jazz""#))
    #expect(asked.lastPlay?.continues?.wall?.subcategories == ["bebop"])
    for words in [
      ["--wall", "--feed", "x"], ["--wall", "files:a1"], ["--sub", "x", "files:a1"], ["--dial", "2", "a"],
    ] {
      let (status, _) = await fixture.run(["play"] + words)
      #expect(status == .wrongUsage, "\(words)")
    }
    await fixture.close()
  }

  @Test func genresAreListedAndATagIsAssigned() async throws {
    let fixture = try await household(Asked())
    let (status, printed) = await fixture.run("genres")
    #expect(status == .done && printed.output.contains("jazz-bebop") && printed.errors.contains("1 tag"))
    let (_, unmatched) = await fixture.run("genres", "--unmatched")
    #expect(unmatched.output.contains("Odd"))
    let (assigned, _) = await fixture.run("genres", "assign", "Odd", "jazz")
    let (less, _) = await fixture.run("less", "files:a3")
    #expect(assigned == .done && less == .done)
    await fixture.close()
  }
}
