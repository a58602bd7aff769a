import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import Testing

@testable import People
@testable import Records

/// How services are told of opinions.
@Suite(.timeLimit(.minutes(2)))
struct OpinionSenderTests {
  /// A catalogue with an album of a server, and a sender for it.
  private final class House: Sendable {
    let catalogue: TestCatalogue
    let server: FakeServer
    let hidden = Mutex<[String]>([])
    let refusal = Mutex<LunaraError?>(nil)

    init() async throws {
      catalogue = try TestCatalogue()
      var contents = FakeServer.Contents()
      contents.album(100, "Blue")
      contents.album(200, "Hejira")
      server = FakeServer(contents)
      try await catalogue.refresh(server)
    }

    var sender: OpinionSender {
      OpinionSender(database: catalogue.database, log: .quiet, server: { [server] _ in server }) { group in
        if let refusal = self.refusal.withLock({ $0 }) { throw refusal }
        self.hidden.withLock { $0.append(group) }
      }
    }

    func id(_ title: String) async throws -> AlbumID { try await catalogue.album(title).id }

    func share(_ service: String, _ isOn: Bool) async throws {
      try await catalogue.database.write {
        try OpinionServices.set(.init(service: service, isOn: isOn), .toldOfLikes, $0)
      }
    }

    func retry() async throws { try await catalogue.database.write { try OpinionOutbox.retry(nil, .toldOfLikes, $0) } }
    func liked() -> [String] { server.liked.withLock { $0 } }
  }

  @Test func aServerThatHasAnAlbumTwiceIsToldOfOneEntry() async throws {
    let house = try await House()
    house.server.change { $0.album(300, "Blue") }
    try await house.catalogue.refresh(house.server)
    try await house.catalogue.database.write {
      try $0.execute("UPDATE albums SET own_rating = 4 WHERE key = '300'")
    }
    try await house.catalogue.opine(try await house.id("Blue"), .like)
    #expect(try await house.catalogue.sharing()["plex"]?.waiting == 1)
    #expect(await house.sender.sendAll())
    // The entry with a rating is told, as a server gives none where there is one.
    #expect(house.liked() == ["300"])
  }

  @Test func aLikeIsToldOnceAndADislikeAndATakingBackNever() async throws {
    let house = try await House()
    let blue = try await house.id("Blue")
    try await house.catalogue.opine(blue, .like)
    #expect(try await house.catalogue.sharing()["plex"]?.waiting == 1)
    #expect(await house.sender.sendAll())
    #expect(await house.sender.sendAll())
    try await house.catalogue.opine(blue, .dislike)
    try await house.catalogue.opine(blue, nil)
    #expect(await house.sender.sendAll())
    #expect(house.liked() == ["100"])
    let plex = try #require(try await house.catalogue.sharing()["plex"])
    #expect(plex.waiting == 0 && plex.failed == 0 && plex.problem == nil && plex.isOn)
  }

  @Test func whatAServerThatIsAwayWasNotToldWaitsWithTheReasonAndIsToldLater() async throws {
    let house = try await House()
    house.server.change { $0.error = SourceError.away("plex", cause: nil) }
    try await house.catalogue.opine(try await house.id("Blue"), .like)
    for _ in 0..<10 { #expect(await !house.sender.sendAll()) }
    let plex = try #require(try await house.catalogue.sharing()["plex"])
    #expect(plex.waiting == 1 && plex.failed == 0 && plex.problem?.code == "library.sourceAway")
    let problems = try #require(try await house.catalogue.opinions().first?.problems)
    #expect(problems.map(\.service) == ["plex"] && problems[0].error.code == "library.sourceAway")
    house.server.change { $0.error = nil }
    #expect(await house.sender.sendAll())
    #expect(house.liked() == ["100"])
    #expect(try await house.catalogue.opinions().first?.problems == nil)
  }

  @Test func whatAServerRefusesFiveTimesWaitsForAPerson() async throws {
    let house = try await House()
    house.server.likeError.withLock { $0 = LunaraError("library.sourceAway", "Fake refused a request.") }
    try await house.catalogue.opine(try await house.id("Blue"), .like)
    for _ in 0..<5 { #expect(await !house.sender.sendAll()) }
    #expect(await house.sender.sendAll())
    #expect(try await house.catalogue.sharing()["plex"]?.failed == 1)
    house.server.likeError.withLock { $0 = nil }
    try await house.retry()
    #expect(await house.sender.sendAll())
    #expect(house.liked() == ["100"])
    #expect(try await house.catalogue.sharing()["plex"]?.failed == 0)
  }

  @Test func whatIsTakenBackBeforeItWasToldIsNotTold() async throws {
    let house = try await House()
    let blue = try await house.id("Blue")
    try await house.catalogue.opine(blue, .like)
    try await house.catalogue.opine(blue, nil)
    #expect(await house.sender.sendAll())
    #expect(house.liked().isEmpty)
  }

  @Test func aServiceThatIsSwitchedOffIsToldNothingNotEvenLater() async throws {
    let house = try await House()
    try await house.catalogue.opine(try await house.id("Blue"), .like)
    try await house.share("plex", false)
    try await house.catalogue.opine(try await house.id("Hejira"), .like)
    try await house.share("plex", true)
    #expect(await house.sender.sendAll())
    #expect(house.liked().isEmpty)
    #expect(try await code { try await house.share("other", true) } == "library.unknownService")
  }

  @Test func listenBrainzIsToldOfDislikesOnceItIsSwitchedOn() async throws {
    let house = try await House()
    let group = "bf7ec9fe-0ee8-4a4b-aa5c-94ddcdb9e5a4"
    try await house.catalogue.write("UPDATE albums SET release_group = '\(group)' WHERE title = 'Blue'")
    let (blue, hejira) = (try await house.id("Blue"), try await house.id("Hejira"))
    try await house.catalogue.opine(blue, .dislike)
    #expect(await house.sender.sendAll())
    #expect(house.hidden.withLock { $0 }.isEmpty)
    try await house.share("listenbrainz", true)
    try await house.catalogue.opine(blue, nil)
    try await house.catalogue.opine(blue, .dislike)
    #expect(await house.sender.sendAll())
    #expect(house.hidden.withLock { $0 } == [group] && house.liked().isEmpty)
    // An album without the id by which ListenBrainz knows it is shown as a problem, until it has one.
    try await house.catalogue.opine(hejira, .dislike)
    #expect(await house.sender.sendAll())
    #expect(try await house.catalogue.sharing()["listenbrainz"]?.problem?.code == "library.noReleaseGroup")
    try await house.catalogue.write("UPDATE albums SET release_group = 'x' WHERE title = 'Hejira'")
    try await house.retry()
    #expect(await house.sender.sendAll())
    #expect(house.hidden.withLock { $0 } == [group, "x"])
  }

  @Test func aDislikeWaitsWhileNobodyIsSignedIn() async throws {
    let house = try await House()
    try await house.catalogue.write("UPDATE albums SET release_group = 'x'")
    try await house.share("listenbrainz", true)
    house.refusal.withLock { $0 = LunaraError("library.signedOut", "Nobody is signed in.") }
    try await house.catalogue.opine(try await house.id("Blue"), .dislike)
    for _ in 0..<8 { #expect(await !house.sender.sendAll()) }
    #expect(try await house.catalogue.opinions().first?.problems?.first?.error.code == "library.signedOut")
    house.refusal.withLock { $0 = nil }
    #expect(await house.sender.sendAll())
    #expect(house.hidden.withLock { $0 } == ["x"])
  }
}
