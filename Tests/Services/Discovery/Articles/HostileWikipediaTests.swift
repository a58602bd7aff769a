import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// Servers that fail, lie or attack. Each failure is named, bounded, and loses nothing.
@Suite(.timeLimit(.minutes(5))) struct HostileWikipediaTests {
  private func problem(of answer: HTTPServerResponse, deadline: Duration = .seconds(30)) async throws -> LunaraError? {
    let articles = try await TestArticles(deadline: deadline)
    articles.script.withLock { $0.always = answer }
    try await articles.switchOn()
    let status = try await articles.found(TestArticles.untagged)
    #expect(status.article == nil && status.guesses == nil && !status.isBeingSearched)
    #expect(status.problem == nil || status.searchedAt == Timestamp(seconds: TestAlbums.now))
    // A failure is no absence: the next request searches at once.
    let asked = articles.asked.count
    _ = try await articles.found(TestArticles.untagged)
    #expect(articles.asked.count > asked || [429, 503].contains(answer.status))
    await articles.close()
    return status.problem
  }

  @Test(arguments: [400, 403, 404, 429, 500, 503]) func aStatusIsAnError(status: Int) async throws {
    #expect(try await problem(of: HTTPServerResponse(status: status, text: "No."))?.code == "discovery.articleAway")
  }

  @Test(arguments: [
    "", "<!doctype html><script>alert(1)</script>", "null", "[]", "{}", #"{"error":{"code":"maxlag"}}"#,
    #"{"query":7}"#,
    String(repeating: "[", count: 100_000),
  ]) func anAnswerThatIsNoneIsUnreadable(text: String) async throws {
    #expect(try await problem(of: HTTPServerResponse(text: text))?.code == "discovery.articleUnreadable")
  }

  @Test func anAnswerOfAGigabyteIsCutOff() async throws {
    let piece = [UInt8](repeating: 32, count: 64 << 10)
    let answer = HTTPServerResponse(body: .relayed(length: nil, next: { piece }))
    #expect(try await problem(of: answer)?.code == "discovery.articleUnreadable")
  }

  @Test func anAnswerThatDoesNotComeEndsWithTheDeadline() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let silent = HTTPServerResponse(body: .stream(stream))
    #expect(try await problem(of: silent, deadline: .milliseconds(300))?.code == "discovery.articleAway")
    continuation.finish()
  }

  @Test(arguments: [301, 302, 303, 307, 308]) func aRedirectionIsNotFollowed(status: Int) async throws {
    let answer = HTTPServerResponse(status: status, headers: [("Location", "https://evil.example/w/api.php")])
    #expect(try await problem(of: answer)?.code == "discovery.articleUnreadable")
  }

  @Test func aServerThatAsksForAPauseGetsIt() async throws {
    let articles = try await TestArticles()
    articles.script.withLock {
      $0.always = HTTPServerResponse(status: 429, headers: [("Retry-After", "3600")], body: .bytes([]))
    }
    try await articles.switchOn()
    #expect(try await articles.found(TestArticles.untagged).problem?.code == "discovery.articleAway")
    #expect(try await articles.found(TestArticles.untagged, again: true).problem?.code == "discovery.articleAway")
    #expect(articles.asked.count == 1)
    await articles.close()
  }

  @Test func aServiceThatIsAwayKeepsTheArticleThatThereIs() async throws {
    let articles = try await TestArticles()
    articles.has(
      "en search Blue Nova Kessler", .init(title: "Blue (album)", about: "Album", text: "By Nova Kessler."))
    try await articles.switchOn()
    let found = try await articles.found(TestArticles.untagged)
    #expect(found.article != nil)
    articles.script.withLock { $0.always = HTTPServerResponse(status: 502) }
    let again = try await articles.found(TestArticles.untagged, again: true)
    #expect(again.article == found.article && again.problem?.code == "discovery.articleAway")
    await articles.restart()
    #expect(try await articles.service.read(.init(subject: TestArticles.untagged)).article == found.article)
    await articles.close()
  }

  @Test func aTextOfAnyKindIsPlainBoundedAndWithoutControlCharacters() async throws {
    let articles = try await TestArticles()
    let long = String(repeating: "Nova Kessler has words. ", count: 2000)
    articles.has(
      "en search Blue Nova Kessler",
      .init(
        title: "Blue", about: #"Album\u001b[2J"#, text: #"<b>By</b> Nova Kessler\u0007\u202e ( ; born).\n\n"# + long))
    try await articles.switchOn()
    let article = try #require(try await articles.found(TestArticles.untagged).article)
    #expect(article.paragraphs.first?.hasPrefix("<b>By</b> Nova Kessler") == true)
    #expect(article.paragraphs.first?.hasSuffix("(born).") == true)
    let text = article.paragraphs.joined()
    #expect(text.utf8.count <= 8000 && article.paragraphs.last?.hasSuffix(" …") == true)
    #expect(!text.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
    await articles.close()
  }

  @Test(arguments: [#"Blue\u0007"#, "Blue|Red", "<script>", "a#b", "", String(repeating: "x", count: 300)])
  func aTitleThatCannotBeOneIsNoPage(title: String) async throws {
    let articles = try await TestArticles()
    articles.has("en search Blue Nova Kessler", .init(title: title, about: "Album", text: "By Nova Kessler."))
    try await articles.switchOn()
    let status = try await articles.found(TestArticles.untagged)
    #expect(status.article == nil && status.guesses == nil && status.problem == nil)
    await articles.close()
  }

  @Test func anAddressIsAlwaysOneOfWikipedia() async throws {
    let view = try #require(JSONView(Array(#"{"ns":0,"title":"//evil.example/?a=b","extract":"x"}"#.utf8)))
    let page = try #require(WikiPage(view))
    let article = page.article(in: "de", match: .name, at: Timestamp(seconds: 0))
    #expect(article?.address == "https://de.wikipedia.org/wiki/%2F%2Fevil.example%2F%3Fa%3Db")
  }
}
