import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import People
@testable import Records

/// Playlists and collections that a server no longer lists.
@Suite(.timeLimit(.minutes(2)))
struct ServerListRemovalTests {
  /// A server with an album, `playlists` playlists of one track each, and a collection.
  private func server(playlists: Int) -> FakeServer {
    let server = FakeServer()
    server.change { contents in
      contents.album(100, "Blue")
      contents.playlists = (1...playlists).map { number in
        ServerList(native: "\(8000 + number)", title: "Mix \(number)", items: ["101"])
      }
      contents.collections = [ServerList(native: "70", title: "Key Albums", section: "1", items: ["100"])]
    }
    return server
  }

  private func playlists(_ catalogue: TestCatalogue) async throws -> [Playlist] {
    try await catalogue.database.read { try Catalogue.playlists(.init(), $0) }.items
  }

  private func collections(_ catalogue: TestCatalogue) async throws -> [String] {
    try await catalogue.database.read { try Catalogue.collections(.init(), $0) }.items.map { "\($0.id) \($0.title)" }
  }

  @Test func oneEmptyAnswerDeletesNoList() async throws {
    let (catalogue, server) = (try TestCatalogue(), server(playlists: 9))
    try await catalogue.refresh(server)
    let (lists, sets) = (try await playlists(catalogue), try await collections(catalogue))
    let there = server.playlists
    server.change { ($0.playlists, $0.collections) = ([], []) }
    try await catalogue.refresh(server)
    #expect(try await playlists(catalogue) == lists && sets.count == 1)
    #expect(try await collections(catalogue) == sets)
    #expect(try await catalogue.problems() == [])
    server.change { contents in
      contents.playlists = there
      contents.collections = [ServerList(native: "70", title: "Key Albums", section: "1", items: ["100"])]
    }
    try await catalogue.refresh(server)
    // The next empty answer is the first one again.
    server.change { ($0.playlists, $0.collections) = ([], []) }
    try await catalogue.refresh(server)
    #expect(try await playlists(catalogue) == lists)
    #expect(try await catalogue.problems() == [])
  }

  @Test(arguments: [1, 4, 9])
  func aPersonIsAskedBeforeAQuarterOfTheListsIsRemoved(_ count: Int) async throws {
    let (catalogue, server) = (try TestCatalogue(), server(playlists: count))
    try await catalogue.refresh(server)
    let (lists, sets) = (try await playlists(catalogue), try await collections(catalogue))
    let there = server.playlists
    server.change { contents in
      contents.playlists.removeLast((count + 3) / 4)
      contents.collections = []
    }
    // The second reading comes without another change at the server.
    for _ in 1...4 { try await catalogue.refresh(server) }
    #expect(try await playlists(catalogue) == lists)
    #expect(try await collections(catalogue) == sets)
    let status = try await catalogue.status()
    #expect(status.problems.map(\.code) == ["library.listsHeld"] && status.problemCount == 1)
    #expect(status.problems.first?.message.contains("1 collection of plex") == true)
    try await catalogue.refresh(server, accepting: true)
    #expect(try await playlists(catalogue).count == count - (count + 3) / 4)
    #expect(try await collections(catalogue).isEmpty)
    #expect(try await catalogue.problems() == [])
    // They get their ids back when they return.
    server.change { contents in
      contents.playlists = there
      contents.collections = [ServerList(native: "71", title: "Key Albums", section: "1", items: ["100"])]
    }
    try await catalogue.refresh(server)
    #expect(try await playlists(catalogue).map(\.id) == lists.map(\.id))
    #expect(try await playlists(catalogue).map(\.trackCount) == lists.map(\.trackCount))
    #expect(try await collections(catalogue) == sets)
  }

  @Test func oneListOfManyIsRemovedAfterTwoReadingsAndCanBeBroughtBack() async throws {
    let (catalogue, server) = (try TestCatalogue(), server(playlists: 9))
    try await catalogue.refresh(server)
    let gone = try #require(try await playlists(catalogue).first)
    server.change { $0.playlists.removeFirst() }
    try await catalogue.refresh(server)
    #expect(try await playlists(catalogue).count == 9)
    try await catalogue.refresh(server)
    #expect(try await playlists(catalogue).count == 8)
    let back = try await catalogue.edit { try $0.undo(.init(id: gone.id)) }
    #expect(back.id == gone.id && back.title == "Mix 1" && back.trackCount == 1)
    #expect(try await playlists(catalogue).count == 9)
  }

  @Test func anIncompleteReadingCountsForNothing() async throws {
    let (catalogue, server) = (try TestCatalogue(), server(playlists: 9))
    try await catalogue.refresh(server)
    server.change { contents in
      contents.playlists.removeFirst()
      contents.isUnsteady = true
    }
    for _ in 1...3 { try await catalogue.refresh(server) }
    #expect(try await playlists(catalogue).count == 9)
  }

  @Test func aListIsForgottenAfterThirtyDays() async throws {
    let (catalogue, server) = (try TestCatalogue(), server(playlists: 9))
    try await catalogue.refresh(server)
    let gone = try #require(try await playlists(catalogue).first)
    let list = try #require(server.playlists.first)
    server.change { $0.playlists.removeFirst() }
    for _ in 1...2 { try await catalogue.refresh(server) }
    catalogue.wait(seconds: 31 * 86_400)
    server.change { $0.albums[0].year = 1972 }
    try await catalogue.refresh(server)
    server.change { $0.playlists.append(list) }
    try await catalogue.refresh(server)
    let new = try #require(try await playlists(catalogue).first { $0.title == "Mix 1" })
    #expect(new.id != gone.id)
    let entries: Int? = try await catalogue.database.read { try $0.value("SELECT count(*) FROM playlist_entries") }
    #expect(entries == 9)
  }

  @Test func aShortListOfArtistsKeepsWhatIsKnownOfThem() async throws {
    let (catalogue, server) = (try TestCatalogue(), server(playlists: 1))
    server.change { contents in
      contents.artists = (1...12).map { number in
        ServerArtist(native: "\(500 + number)", name: "Artist \(number)", summary: "Words", section: "1")
      }
    }
    try await catalogue.refresh(server)
    func count() async throws -> Int? {
      try await catalogue.database.read { try $0.value("SELECT count(*) FROM artist_members") }
    }
    server.change { $0.artists.removeLast(11) }
    try await catalogue.refresh(server)
    #expect(try await count() == 12)
    try await catalogue.refresh(server, accepting: true)
    #expect(try await count() == 1)
  }
}
