import HTTP
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import People
@testable import Records
@testable import Sources

/// Likes at stand-ins of servers, as clients of others read them.
@Suite(.timeLimit(.minutes(5)))
struct OpinionRefereeTests {
  /// Refreshes a catalogue from a server that runs.
  private func refresh(_ catalogue: TestCatalogue, _ server: any MusicServer, _ kind: String) async throws {
    let source = ServerSource(
      name: kind, kind: kind, server: server, database: catalogue.database, publisher: .to(nil),
      now: { Timestamp.now() })
    _ = try await source.refresh(accepting: .all, progress: RefreshProgress())
  }

  private func tell(_ catalogue: TestCatalogue, _ server: any MusicServer) async throws {
    let sender = OpinionSender(database: catalogue.database, log: .quiet, server: { _ in server }, hide: { _ in })
    #expect(await sender.sendAll())
  }

  @Test func aLikeRatesAnAlbumAtPlexOnlyWhereItHasNoRating() async throws {
    let (catalogue, fixture) = (try TestCatalogue(), try await FakePlexServer())
    try await refresh(catalogue, fixture.server, "plex")
    let words = ["plex", "http://127.0.0.1:\(fixture.standIn.port)", fixture.standIn.announced["token"]?.string ?? ""]
    let before = try await Referee.liked(words)
    let albums = try await catalogue.albums()
    let rated = try #require(
      albums.first { album in
        guard let rating = before[album.title] ?? nil, rating > 0, rating < 10 else { return false }
        return albums.count { $0.title == album.title } == 1
      },
      "the stand-in has an album with a rating")
    let unrated = [try await catalogue.album("Cellar Tapes"), try await catalogue.album("Two Rivers")]
    #expect(unrated.allSatisfy { before[$0.title] == .some(nil) })
    try await catalogue.opine(unrated[0].id, .like)
    try await catalogue.opine(unrated[1].id, .dislike)
    try await catalogue.opine(rated.id, .like)
    try await fixture.order("log/clear")
    try await tell(catalogue, fixture.server)
    let puts = try await fixture.asked().filter { $0.hasPrefix("PUT") }
    // The rated album has a second entry at the server, which has no rating and gets none.
    let key = try await fixture.key(unrated[0].title, "album")
    #expect(puts.count == 1 && puts.contains { $0.contains("key=\(key)&") }, "\(puts)")
    let after = try await Referee.liked(words)
    #expect(after[unrated[0].title] == 10)
    #expect(after[unrated[1].title] == .some(nil))
    #expect(after[rated.title] == before[rated.title])
    // A kill between the answer and its storing repeats the entry, and nothing is said twice.
    try await catalogue.opine(unrated[0].id, nil)
    try await catalogue.opine(unrated[0].id, .like)
    try await tell(catalogue, fixture.server)
    let all = try await fixture.asked().filter { $0.hasPrefix("PUT") }
    #expect(all == puts)
  }

  @Test func aLikeStarsAnAlbumAtASubsonicServerOnceAndTakingBackKeepsTheStar() async throws {
    let (catalogue, fixture) = (try TestCatalogue(), try await FakeSubsonicServer())
    let server = try fixture.server()
    try await refresh(catalogue, server, "subsonic")
    let announced = fixture.standIn.announced
    let words = [
      "subsonic", "\(fixture.standIn.port)", announced["user"]?.string ?? "", announced["password"]?.string ?? "",
    ]
    func starred() async throws -> [String] { try await Referee.liked(words).keys.sorted() }
    let before = try await starred()
    let albums = [try await catalogue.album("Cellar Tapes"), try await catalogue.album("Two Rivers")]
    #expect(!before.contains("Cellar Tapes"))
    try await catalogue.opine(albums[0].id, .like)
    try await catalogue.opine(albums[1].id, .dislike)
    try await tell(catalogue, server)
    #expect(try await starred() == (before + [albums[0].title]).sorted())
    try await fixture.order("log/clear")
    try await catalogue.opine(albums[0].id, nil)
    try await catalogue.opine(albums[0].id, .like)
    try await tell(catalogue, server)
    let asked = try await fixture.asked()
    #expect(!asked.contains("star") && !asked.contains("unstar"), "\(asked)")
    #expect(try await starred() == (before + [albums[0].title]).sorted())
  }
}
