import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// The articles about artists, whose ids the house has from tags or from the credits of their albums.
@Suite(.timeLimit(.minutes(5))) struct ArtistArticleTests {
  private static let credits = "/ws/2/release-group/\(TestArticles.group)?artist-credits"
  private static let tagged = "/ws/2/artist/\(TestArticles.mbid)?url-rels"
  private static let credited = "/ws/2/artist/\(TestArticles.mbid)?url-rels+aliases"

  private func articles() async throws -> TestArticles {
    let articles = try await TestArticles()
    articles.answers(Self.credits, #"{"artist-credit":[{"name":"N. K.","artist":{"id":"\#(TestArticles.mbid)"}}]}"#)
    articles.has("en page Nova Kessler", .init(title: "Nova Kessler", about: "Singer", text: "She is a singer."))
    try await articles.switchOn()
    return articles
  }

  private static func track(_ artist: String, _ ids: [String]?) -> Track {
    Track(
      id: TrackID(source: "files", native: "t1"), albumID: AlbumID(source: "files", native: "a1"), title: "Depot",
      artist: artist, albumArtist: "Nova Kessler", album: "Night Lines", duration: Milliseconds(1000), artistIDs: ids)
  }

  @Test func theIdInTheTagsOfTracksByThemAloneIsTaken() async throws {
    let articles = try await articles()
    articles.tracks.withLock {
      $0 = [Self.track("Somebody", [TestArticles.group]), Self.track("Nova Kessler", [TestArticles.mbid])]
    }
    articles.knows(Self.tagged, "Q5", ["en": "Nova Kessler"])
    let status = try await articles.found(TestArticles.artist)
    #expect(status.article?.match == .id && status.article?.title == "Nova Kessler")
    #expect(articles.asked.first == Self.tagged)
    await articles.close()
  }

  @Test(arguments: [#""name":"NOVA KESSLER""#, #""name":"ノヴァ","aliases":[{"name":"Nova Kessler"}]"#])
  func theArtistToWhomAnAlbumIsCreditedIsTakenIfTheNameIsTheSame(names: String) async throws {
    let articles = try await articles()
    articles.knows(Self.credited, "Q5", ["en": "Nova Kessler"], more: ",\(names)")
    #expect(try await articles.found(TestArticles.artist).article?.match == .id)
    #expect(articles.asked.prefix(2) == [Self.credits, Self.credited])
    await articles.close()
  }

  @Test func theArtistToWhomAnAlbumIsCreditedIsNotTakenUnderAnotherName() async throws {
    let articles = try await articles()
    articles.knows(Self.credited, "Q5", ["en": "Nova Kessler"], more: #","name":"Another Band""#)
    let status = try await articles.found(TestArticles.artist)
    #expect(status.article == nil && articles.asked.contains("en search Nova Kessler"))
    await articles.close()
  }

  @Test func byNameAnArtistIsOnlySureIfAnAlbumOfTheHouseIsNamed() async throws {
    let articles = try await TestArticles()
    try await articles.shelve(group: nil)
    try await articles.switchOn()
    articles.has(
      "en search Nova Kessler", .init(title: "Nova Kessler", about: "German singer", text: "Nova Kessler is a singer."))
    let asking = try await articles.found(TestArticles.artist)
    #expect(asking.article == nil && asking.guesses?.map(\.title) == ["Nova Kessler"])
    articles.has(
      "en search Nova Kessler",
      .init(title: "Nova Kessler (singer)", about: "German singer", text: "She made Night Lines in 1998."))
    let status = try await articles.found(TestArticles.artist, again: true)
    #expect(status.article?.title == "Nova Kessler (singer)" && status.article?.match == .name)
    await articles.close()
  }

  @Test func anArtistWithoutAnAlbumIsKnownByTheLibrary() async throws {
    let articles = try await TestArticles()
    try await articles.switchOn()
    articles.has("en search A Guest", .init(title: "A Guest", about: "Irish band", text: "A Guest are a band."))
    #expect(try await articles.found(TestArticles.guest).guesses?.count == 1)
    // The question is there while the library is away.
    await articles.restart()
    articles.isLibraryAway.withLock { $0 = true }
    #expect(try await articles.service.read(.init(subject: TestArticles.guest)).guesses?.count == 1)
    await articles.close()
  }

  @Test func aLibraryThatIsAwayIsAnErrorAndNoLoss() async throws {
    let articles = try await articles()
    articles.knows(Self.credited, "Q5", ["en": "Nova Kessler"], more: #","name":"Nova Kessler""#)
    let found = try await articles.found(TestArticles.artist)
    articles.isLibraryAway.withLock { $0 = true }
    let again = try await articles.found(TestArticles.artist, again: true)
    #expect(again.article == found.article && again.problem?.code == "test.away")
    await articles.close()
  }
}
