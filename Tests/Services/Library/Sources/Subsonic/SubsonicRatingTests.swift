import HTTP
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import Sources

/// Stars and ratings that another app gives at a Subsonic server.
@Suite(.timeLimit(.minutes(2)))
struct SubsonicRatingTests {
  private let fixture: FakeSubsonicServer
  private let server: SubsonicServer
  private let app: SubsonicClient

  init() async throws {
    fixture = try await FakeSubsonicServer()
    server = try fixture.server()
    app = try fixture.client()
    try await refresh([])
  }

  private func refresh(_ accepting: AcceptedChanges = AcceptedChanges(Library.Sync())) async throws {
    let source = ServerSource(
      name: "subsonic", kind: "subsonic", server: server, database: fixture.database, publisher: .to(nil),
      now: server.now)
    _ = try #require(try await source.refresh(accepting: accepting, progress: RefreshProgress()))
  }

  /// Returns the server's ids of two tracks, and of an album that has neither.
  private func items() async throws -> (rated: String, starred: String, album: String) {
    let tracks: [String] = try await fixture.database.read {
      try $0.values("SELECT native FROM tracks WHERE rating IS NULL ORDER BY id LIMIT 2")
    }
    try #require(tracks.count == 2)
    let album: String? = try await fixture.database.read {
      try $0.value("SELECT key FROM albums WHERE rating IS NULL AND shelf = id ORDER BY id DESC LIMIT 1")
    }
    return (tracks[0], tracks[1], try #require(album))
  }

  private func rating(track native: String) async throws -> Int? {
    try await fixture.database.read { try $0.value("SELECT rating FROM tracks WHERE native = ?", native) }
  }

  private func rating(album native: String) async throws -> Int? {
    try await fixture.database.read { try $0.value("SELECT rating FROM albums WHERE key = ?", native) }
  }

  private func send(_ method: String, _ parts: [(String, String)]) async throws {
    _ = try await app.call(.changes, method, parts)
  }

  @Test(arguments: [false, true]) func aPersonsRefreshSeesThem(isListedByAlbum: Bool) async throws {
    if isListedByAlbum {
      // A server whose empty search finds nothing.
      try await fixture.order("fault", #"{"path":"search3(.view)?\\Z","times":99,"fault":"empty"}"#)
    }
    let items = try await items()
    try await send("setRating", [("id", items.rated), ("rating", "3")])
    try await send("star", [("id", items.starred)])
    try await send("setRating", [("id", items.album), ("rating", "2")])
    try await refresh()
    #expect(try await rating(track: items.rated) == 6)
    #expect(try await rating(track: items.starred) == 10)
    #expect(try await rating(album: items.album) == 4)
    // Both are changed, or taken back.
    try await send("setRating", [("id", items.rated), ("rating", "5")])
    try await send("unstar", [("id", items.starred)])
    try await send("setRating", [("id", items.album), ("rating", "0")])
    try await refresh()
    #expect(try await rating(track: items.rated) == 10)
    #expect(try await rating(track: items.starred) == nil)
    #expect(try await rating(album: items.album) == nil)
  }

  @Test func aRefreshThatNobodyAskedForDoesNotReadAllItems() async throws {
    try await fixture.order("log/clear")
    try await refresh(.wholeScan)
    #expect(try await fixture.asked().allSatisfy { !$0.hasPrefix("search3") })
  }

  @Test func aPersonsRefreshDeletesNothingAndReadsNoPlaylist() async throws {
    let before = try await fixture.database.read(Catalogue.state).sources.first?.tracks
    try await fixture.order("log/clear")
    try await fixture.order("fault", #"{"path":"search3(.view)?\\Z","times":1,"fault":"short"}"#)
    try await refresh()
    #expect(try await fixture.database.read(Catalogue.state).sources.first?.tracks == before)
    let asked = try await fixture.asked()
    #expect(asked.contains { $0.hasPrefix("search3") })
    #expect(asked.allSatisfy { !["getPlaylist", "getPlaylist.view"].contains($0) })
  }
}
