import Bus
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara

/// The commands of articles, with a service that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct ArticleCommandTests {
  /// The article that the service has, and the requests to it.
  private final class Articles: Sendable {
    struct State: Sendable {
      var article: Discovery.Article?
      var guesses: [Discovery.ArticleGuess]?
      var problem: LunaraError?
      /// The number of times that an article is still being searched when it is looked for.
      var looks = 0
      var found: [Discovery.FindArticle] = []
      var chosen: [Discovery.ChooseArticle] = []
      var set: [Discovery.SetArticles] = []
    }
    let state = Mutex(State())
  }

  private static let article = Discovery.Article(
    title: "Blue (album)", paragraphs: ["It came \(String(repeating: "late ", count: 30)).", "\u{1B}[31mRed."],
    language: "en", address: "https://en.wikipedia.org/wiki/Blue", site: "Wikipedia", licence: "CC BY-SA 4.0",
    licenceAddress: "https://creativecommons.org/licenses/by-sa/4.0/", match: .id,
    readAt: Timestamp(seconds: 1_796_000_000))
  private static let guesses = [
    Discovery.ArticleGuess(title: "Blue", language: "en", about: "An album"),
    Discovery.ArticleGuess(title: "Blau", language: "de"),
  ]

  private func household(_ articles: Articles) async throws -> CommandFixture {
    let fixture = try CommandFixture()
    _ = try await fixture.library()
    let node = try await fixture.add("discovery@main")
    @Sendable func status(_ subject: Discovery.ArticleSubject) -> Discovery.ArticleStatus {
      articles.state.withLock { state in
        let isBeingSearched = state.looks > 0 && !state.found.isEmpty
        if isBeingSearched { state.looks -= 1 }
        let isThere = !isBeingSearched && state.looks == 0
        return .init(
          subject: subject, article: isThere ? state.article : nil, guesses: isThere ? state.guesses : nil,
          isBeingSearched: isBeingSearched, problem: isThere ? state.problem : nil, isOn: true)
      }
    }
    await node.serve(Discovery.ReadArticle.self) { request, _ in
      if request.subject.album?.native == "r1" { throw LunaraError("discovery.unknownAlbum", "No.") }
      return status(request.subject)
    }
    await node.serve(Discovery.FindArticle.self) { request, _ in
      articles.state.withLock { $0.found.append(request) }
      return status(request.subject)
    }
    await node.serve(Discovery.ChooseArticle.self) { request, _ in
      articles.state.withLock { state in
        state.chosen.append(request)
        (state.article, state.guesses) = (request.page == nil ? nil : Self.article, nil)
      }
      return status(request.subject)
    }
    await node.serve(Discovery.ReadArticleSettings.self) { _, _ in Discovery.ArticleSettings(sends: "Little leaves.") }
    await node.serve(Discovery.SetArticles.self) { request, _ in
      articles.state.withLock { $0.set.append(request) }
      return Discovery.ArticleSettings(
        isOn: request.isOn ?? false, languages: request.languages ?? ["en"], sends: "Little leaves.")
    }
    return fixture
  }

  @Test func anArticleThatIsKeptIsPrintedWithSourceAndLicenceAndSearchesNone() async throws {
    let articles = Articles()
    articles.state.withLock { $0.article = Self.article }
    let fixture = try await household(articles)
    let (status, printed) = await fixture.run("article", "files:a1")
    #expect(status == .done && printed.output.contains("https://en.wikipedia.org/wiki/Blue"))
    #expect(printed.output.contains("CC BY-SA 4.0") && !printed.output.contains("\u{1B}"))
    #expect(articles.state.withLock { $0.found.isEmpty })
    let (_, json) = await fixture.run("article", "files:r1", "--json")
    #expect(json.output.contains(#""artist":"files:r1""#) && json.output.contains(#""match":"id""#))
    await fixture.close()
  }

  @Test func itWaitsForASearchAndThrowsTheErrorOfIt() async throws {
    let articles = Articles()
    articles.state.withLock { ($0.article, $0.looks) = (Self.article, 2) }
    let fixture = try await household(articles)
    let (status, printed) = await fixture.run("article", "files:a1", "--again")
    #expect(status == .done && printed.output.contains("Blue (album)"))
    #expect(articles.state.withLock { $0.found.map(\.isAgain) } == [true])
    articles.state.withLock { ($0.article, $0.problem) = (nil, LunaraError("discovery.articleAway", "Away.")) }
    let (failed, errors) = await fixture.run("article", "files:a1")
    #expect(failed == .failed && errors.errors.contains("discovery.articleAway"))
    await fixture.close()
  }

  @Test func pagesInQuestionAreNumberedAndChosenByTheirNumber() async throws {
    let articles = Articles()
    articles.state.withLock { $0.guesses = Self.guesses }
    let fixture = try await household(articles)
    let (_, printed) = await fixture.run("article", "files:a1")
    #expect(printed.output.contains("1. Blue (en): An album") && printed.output.contains("2. Blau (de)"))
    #expect(await fixture.run("article", "choose", "files:a1", "3").0 == .wrongUsage)
    #expect(await fixture.run("article", "choose", "files:a1", "2").0 == .done)
    #expect(articles.state.withLock { $0.chosen.last?.page } == Self.guesses[1])
    #expect(await fixture.run("article", "choose", "files:a1", "none").0 == .done)
    #expect(articles.state.withLock { $0.chosen.count } == 2 && articles.state.withLock { $0.chosen[1].page } == nil)
    await fixture.close()
  }

  @Test func theSwitchAndTheLanguagesAreStored() async throws {
    let articles = Articles()
    let fixture = try await household(articles)
    let (_, shown) = await fixture.run("article", "settings")
    #expect(shown.output.contains("off") && articles.state.withLock { $0.set.isEmpty })
    let (_, set) = await fixture.run("article", "settings", "on", "--languages", "de,en", "--json")
    #expect(set.output.contains(#""isOn":true,"languages":["de","en"]"#))
    let last = articles.state.withLock { $0.set.last }
    #expect(last?.isOn == true && last?.languages == ["de", "en"])
    #expect(await fixture.run("article", "settings", "perhaps").0 == .wrongUsage)
    await fixture.close()
  }
}
