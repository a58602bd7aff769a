import Storage
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// Articles from the question to the answer: what is asked, what is kept, and what a person chooses.
@Suite(.timeLimit(.minutes(5))) struct ArticleServiceTests {
  private static let path = "/ws/2/release-group/\(TestArticles.group)?url-rels"

  /// A service that is on, with an article of the first album in English.
  private func articles() async throws -> TestArticles {
    let articles = try await TestArticles()
    articles.knows(Self.path, "Q77", ["en": "Night Lines (album)"])
    articles.has(
      "en page Night Lines (album)",
      .init(title: "Night Lines (album)", about: "1998 album", text: #"It is an album.\nIt was made in winter."#))
    try await articles.switchOn()
    return articles
  }

  @Test func nothingIsAskedUntilArticlesAreOn() async throws {
    let articles = try await TestArticles()
    let status = try await articles.service.read(.init(subject: TestArticles.album))
    #expect(status == .init(subject: TestArticles.album, isOn: false))
    let refusal = await articles.refusal { _ = try await $0.find(.init(subject: TestArticles.album)) }
    #expect(refusal?.code == "discovery.articlesOff")
    let choice = await articles.refusal { _ = try await $0.choose(.init(subject: TestArticles.album, page: nil)) }
    #expect(choice?.code == "discovery.articlesOff" && articles.asked.isEmpty)
    await articles.close()
  }

  @Test(arguments: [TestArticles.album, TestArticles.artist])
  func theFirstQuestionWaitsUntilTheLibraryIsRead(_ subject: Discovery.ArticleSubject) async throws {
    let articles = try await TestArticles()
    try await articles.database.write { transaction in
      try transaction.execute("DELETE FROM albums")
      try transaction.execute("UPDATE shelf SET is_read = 0")
    }
    async let status = articles.service.read(.init(subject: subject))
    try await articles.shelve(group: TestArticles.group)
    #expect(try await status.subject == subject)
    await articles.close()
  }

  @Test func anAlbumIsMatchedByTheIdsOfMusicBrainzAndWikidata() async throws {
    let articles = try await articles()
    let status = try await articles.found()
    let article = try #require(status.article)
    #expect(article.title == "Night Lines (album)" && article.match == .id && article.language == "en")
    #expect(article.paragraphs == ["It is an album.", "It was made in winter."])
    #expect(article.address == "https://en.wikipedia.org/wiki/Night_Lines_%28album%29")
    #expect(article.licence == "CC BY-SA 4.0" && article.licenceAddress.hasPrefix("https://creativecommons.org/"))
    #expect(articles.asked == [Self.path, "data Q77 enwiki", "en page Night Lines (album)"])
    let agents = articles.script.withLock { $0.agents }
    #expect(agents.count == 1 && agents.first?.hasPrefix("Lunara/") == true)
    #expect(agents.first?.contains("me@example.org") == true)
    await articles.close()
  }

  @Test func anArticleIsKeptForGoodAndReadWithoutAskingAnybody() async throws {
    let articles = try await articles()
    let found = try await articles.found()
    articles.script.withLock { $0.always = HTTPServerResponse(status: 500) }
    await articles.restart()
    _ = try await articles.service.set(.init(isOn: false))
    articles.isLibraryAway.withLock { $0 = true }
    articles.now.withLock { $0 = Timestamp(seconds: TestAlbums.now + 400 * Ages.day) }
    let read = try await articles.service.read(.init(subject: TestArticles.album))
    #expect(read.article == found.article && !read.isOn)
    try await articles.switchOn()
    #expect(try await articles.found().article == found.article && articles.asked.count == 3)
    #expect(try await articles.service.settings().kept == 1)
    await articles.close()
  }

  @Test func anAlbumWhoseFilesAreReadAsNewOnesHasItsArticleByItsNames() async throws {
    let articles = try await articles()
    let found = try await articles.found()
    try await articles.database.write { try $0.execute("UPDATE albums SET id = 'files:a7' WHERE id = 'files:a1'") }
    let moved = Discovery.ArticleSubject(album: AlbumID(source: "files", native: "a7"))
    #expect(try await articles.service.read(.init(subject: moved)).article == found.article)
    // One that has left the library has it by its id.
    try await articles.database.write { try $0.execute("DELETE FROM albums") }
    #expect(try await articles.service.read(.init(subject: TestArticles.album)).article == found.article)
    await articles.close()
  }

  @Test func albumsOfTheSameNamesAndAnotherYearHaveAnArticleEach() async throws {
    let articles = try await articles()
    let found = try await articles.found()
    let names = "title = 'Night Lines', artist = 'Nova Kessler'"
    try await articles.database.write { transaction in
      try transaction.execute("UPDATE albums SET \(names), year = 1998 WHERE id = 'files:a1'")
      try transaction.execute("UPDATE albums SET \(names), year = 2004 WHERE id = 'files:a2'")
    }
    #expect(try await articles.service.read(.init(subject: TestArticles.album)).article == found.article)
    let other = try await articles.service.read(.init(subject: TestArticles.untagged))
    #expect(other.article == nil && other.searchedAt == nil)
    // The search for one is not that for the other, and leaves what is kept of it.
    #expect(try await articles.found(TestArticles.untagged).article == nil)
    #expect(try await articles.service.read(.init(subject: TestArticles.album)).article == found.article)
    await articles.close()
  }

  @Test func theLanguagesOfAPersonAreTriedInTheirOrder() async throws {
    let articles = try await TestArticles()
    articles.knows(Self.path, "Q77", ["de": "Nachtlinien", "en": "Night Lines"], wanted: "frwiki|dewiki|enwiki")
    articles.has("de page Nachtlinien", .init(title: "Nachtlinien", text: "Ein Album."))
    try await articles.switchOn(["fr", "de", "en"])
    let status = try await articles.found()
    #expect(status.article?.language == "de")
    #expect(status.article?.address == "https://de.wikipedia.org/wiki/Nachtlinien")
    await articles.close()
  }

  @Test func anEntityWithoutAPageInTheseLanguagesIsNotSearchedByName() async throws {
    let articles = try await TestArticles()
    articles.knows(Self.path, "Q77", ["de": "Nachtlinien"])
    try await articles.switchOn()
    let status = try await articles.found()
    #expect(status.article == nil && status.guesses == nil && status.searchedAt != nil && status.problem == nil)
    #expect(!articles.asked.contains { $0.contains("search") })
    await articles.close()
  }

  @Test func anAbsenceIsKeptForThirtyDays() async throws {
    let articles = try await TestArticles()
    try await articles.switchOn()
    #expect(try await articles.found(TestArticles.untagged).searchedAt == Timestamp(seconds: TestAlbums.now))
    let asked = articles.asked.count
    await articles.restart()
    articles.now.withLock { $0 = Timestamp(seconds: TestAlbums.now + 29 * Ages.day) }
    _ = try await articles.found(TestArticles.untagged)
    #expect(articles.asked.count == asked)
    _ = try await articles.found(TestArticles.untagged, again: true)
    #expect(articles.asked.count == asked * 2)
    articles.now.withLock { $0 = Timestamp(seconds: TestAlbums.now + 60 * Ages.day) }
    _ = try await articles.found(TestArticles.untagged)
    #expect(articles.asked.count == asked * 3)
    await articles.close()
  }

  @Test func anAbsenceOfAClockThatWasAYearAheadIsForgotten() async throws {
    let articles = try await TestArticles()
    try await articles.switchOn()
    articles.now.withLock { $0 = Timestamp(seconds: TestAlbums.now + 365 * Ages.day) }
    _ = try await articles.found(TestArticles.untagged)
    let asked = articles.asked.count
    articles.now.withLock { $0 = Timestamp(seconds: TestAlbums.now) }
    #expect(try await articles.found(TestArticles.untagged).searchedAt == Timestamp(seconds: TestAlbums.now))
    #expect(articles.asked.count == asked * 2)
    await articles.close()
  }

  @Test func anAbsenceIsForgottenWithTheLanguagesInWhichItWasSearched() async throws {
    let articles = try await TestArticles()
    try await articles.switchOn()
    _ = try await articles.found(TestArticles.untagged)
    let asked = articles.asked.count
    try await articles.switchOn(["en"])
    _ = try await articles.found(TestArticles.untagged)
    #expect(articles.asked.count == asked)
    try await articles.switchOn(["en", "de"])
    _ = try await articles.found(TestArticles.untagged)
    #expect(articles.asked.last == "de search Blue Nova Kessler")
    await articles.close()
  }

  @Test func languagesThatChangeDuringASearchHaveItMadeAgain() async throws {
    let articles = try await TestArticles()
    try await articles.switchOn()
    articles.script.withLock { $0.isHeld = true }
    _ = try await articles.service.find(.init(subject: TestArticles.untagged))
    #expect(await eventually(equals: 1) { articles.asked.count })
    try await articles.switchOn(["de"])
    articles.script.withLock { $0.isHeld = false }
    _ = try await articles.ended(TestArticles.untagged)
    #expect(articles.asked == ["en search Blue Nova Kessler", "de search Blue Nova Kessler"])
    await articles.close()
  }

  @Test func withoutIdsOnlyTheOnePageThatNamesTheArtistIsTaken() async throws {
    let articles = try await TestArticles()
    articles.has(
      "en search Blue Nova Kessler", .init(title: "Blue", about: "Topics referred to", isDisambiguation: true),
      .init(title: "Blue (Joni Mitchell album)", about: "1971 studio album", text: "Blue is by Joni Mitchell."),
      .init(title: "Blue (Nova Kessler album)", about: "1999 album", text: "Blue is by the singer Nova Kessler."))
    try await articles.switchOn()
    let status = try await articles.found(TestArticles.untagged)
    #expect(status.article?.title == "Blue (Nova Kessler album)" && status.article?.match == .name)
    #expect(articles.asked == ["en search Blue Nova Kessler"])
    await articles.close()
  }

  @Test func aDoubtIsAQuestionThatAPersonAnswers() async throws {
    let articles = try await TestArticles()
    articles.has(
      "en search Blue Nova Kessler", .init(title: "Blue", about: "2001 album", text: "It is by somebody."),
      .init(title: "Blue (album)", about: "Live album", text: "It is by Nova Kessler."),
      .init(title: "Blue (song)", about: "Song", text: "A song by Nova Kessler."))
    articles.has("en page Blue", .init(title: "Blue", about: "2001 album", text: "It is by somebody."))
    try await articles.switchOn()
    let asking = try await articles.found(TestArticles.untagged)
    #expect(asking.article == nil && asking.guesses?.map(\.title) == ["Blue (album)", "Blue"])
    #expect(asking.guesses?.first?.about == "Live album")
    let stranger = await articles.refusal {
      _ = try await $0.choose(.init(subject: TestArticles.untagged, page: .init(title: "Else", language: "en")))
    }
    #expect(stranger?.code == "discovery.unknownArticle")
    let status = try await articles.chosen(.init(title: "Blue", language: "en"))
    #expect(status.article?.title == "Blue" && status.article?.match == .person && status.guesses == nil)
    // An article that a person chose is read again, not searched.
    let asked = articles.asked.count
    #expect(try await articles.found(TestArticles.untagged, again: true).article?.match == .person)
    #expect(articles.asked.dropFirst(asked) == ["en page Blue"])
    await articles.close()
  }

  @Test func noneOfThemIsKeptAndAnArticleThatWasRefusedIsAQuestionFromThenOn() async throws {
    let articles = try await articles()
    #expect(try await articles.found().article != nil)
    let refused = try await articles.chosen(nil, TestArticles.album)
    #expect(refused.article == nil && refused.guesses == nil)
    await articles.restart()
    articles.now.withLock { $0 = Timestamp(seconds: TestAlbums.now + 400 * Ages.day) }
    let asked = articles.asked.count
    #expect(try await articles.found().article == nil && articles.asked.count == asked)
    let again = try await articles.found(again: true)
    #expect(again.article == nil && again.guesses?.map(\.title) == ["Night Lines (album)"])
    await articles.close()
  }

  @Test func aChoiceThatCannotBeReadIsKeptAndReadLater() async throws {
    let articles = try await TestArticles()
    articles.has("en search Blue Nova Kessler", .init(title: "Blue", about: "Album", text: "By somebody."))
    try await articles.switchOn()
    let guess = try #require(try await articles.found(TestArticles.untagged).guesses?.first)
    articles.answers("en page Blue", "{}", status: 500)
    let away = try await articles.chosen(guess)
    // The person has answered, and is not asked again.
    #expect(away.problem?.code == "discovery.articleAway" && away.guesses == nil)
    articles.has("en page Blue", .init(title: "Blue", text: "By somebody."))
    #expect(try await articles.found(TestArticles.untagged).article?.match == .person)
    await articles.close()
  }

  @Test func aChoiceOfAPageThatIsGoneIsAQuestionAgain() async throws {
    let articles = try await TestArticles()
    articles.has("en search Blue Nova Kessler", .init(title: "Blue", about: "Album", text: "By somebody."))
    try await articles.switchOn()
    let guess = try #require(try await articles.found(TestArticles.untagged).guesses?.first)
    let gone = try await articles.chosen(guess)
    #expect(gone.problem?.code == "discovery.unknownArticle" && gone.guesses == [guess])
    await articles.close()
  }

  @Test func aChoiceDuringASearchIsReadAfterIt() async throws {
    let articles = try await TestArticles()
    articles.has("en search Blue Nova Kessler", .init(title: "Blue", about: "Album", text: "By somebody."))
    articles.has("en page Blue", .init(title: "Blue", text: "By somebody."))
    try await articles.switchOn()
    let guess = try #require(try await articles.found(TestArticles.untagged).guesses?.first)
    articles.script.withLock { $0.isHeld = true }
    let asked = articles.asked.count
    _ = try await articles.service.find(.init(subject: TestArticles.untagged, isAgain: true))
    #expect(await eventually(equals: asked + 1) { articles.asked.count })
    #expect(try await articles.service.choose(.init(subject: TestArticles.untagged, page: guess)).isBeingSearched)
    articles.script.withLock { $0.isHeld = false }
    #expect(try await articles.ended(TestArticles.untagged).article?.match == .person)
    #expect(articles.asked.filter { $0 == "en page Blue" }.count == 1)
    await articles.close()
  }

  @Test func oneIsSearchedAtATimeAndTheLastOneFirst() async throws {
    let articles = try await articles()
    articles.script.withLock { $0.isHeld = true }
    #expect(try await articles.service.find(.init(subject: TestArticles.album)).isBeingSearched)
    #expect(await eventually(equals: 1) { articles.asked.count })
    // One that waits and is opened again is the last one.
    for subject in [TestArticles.untagged, TestArticles.artist, TestArticles.untagged, TestArticles.album] {
      #expect(try await articles.service.find(.init(subject: subject)).isBeingSearched)
    }
    articles.script.withLock { $0.isHeld = false }
    for subject in [TestArticles.album, TestArticles.untagged, TestArticles.artist] {
      _ = try await articles.ended(subject)
    }
    #expect(articles.script.withLock { $0.mostBusy } == 1)
    #expect(articles.asked.filter { $0 == Self.path }.count == 1)
    let album = try #require(articles.asked.firstIndex(of: "en search Blue Nova Kessler"))
    let credits = "/ws/2/release-group/\(TestArticles.group)?artist-credits"
    let artist = try #require(articles.asked.firstIndex(of: credits))
    #expect(album < artist && articles.asked.filter { $0 == "en search Blue Nova Kessler" }.count == 1)
    await articles.close()
  }

  @Test func aPersonWhoSaysNoneDuringASearchIsHeard() async throws {
    let articles = try await articles()
    articles.script.withLock { $0.isHeld = true }
    _ = try await articles.service.find(.init(subject: TestArticles.album))
    #expect(await eventually(equals: 1) { articles.asked.count })
    _ = try await articles.service.choose(.init(subject: TestArticles.album, page: nil))
    articles.script.withLock { $0.isHeld = false }
    #expect(try await articles.ended().article == nil)
    await articles.close()
  }

  @Test func switchingThemOffBreaksOffWhatIsBeingSearched() async throws {
    let articles = try await articles()
    articles.script.withLock { $0.isHeld = true }
    _ = try await articles.service.find(.init(subject: TestArticles.album))
    #expect(await eventually(equals: 1) { articles.asked.count })
    _ = try await articles.service.set(.init(isOn: false))
    let status = try await articles.service.read(.init(subject: TestArticles.album))
    #expect(!status.isBeingSearched && status.problem == nil && status.article == nil)
    await articles.close()
  }

  @Test(arguments: [[], ["de", "www"], ["de.evil.example/"], ["DE"], ["x"], Array(repeating: "", count: 1)])
  func aTextThatIsNoLanguageIsRefused(languages: [String]) async throws {
    let articles = try await TestArticles()
    let refusal = await articles.refusal { _ = try await $0.set(.init(isOn: true, languages: languages)) }
    #expect(refusal?.code == "discovery.badLanguage")
    #expect(try await articles.service.settings().isOn == false)
    await articles.close()
  }

  @Test func languagesAreKeptInTheirOrderAndAtMostFive() async throws {
    let articles = try await TestArticles()
    let settings = try await articles.service.set(.init(languages: ["de", "zh-yue", "de", "simple"]))
    #expect(settings.languages == ["de", "zh-yue", "simple"] && !settings.isOn)
    #expect(
      settings.sends.contains("Wikipedia gets the names of artist and album. It also gets the title of the page."))
    let six = ["de", "en", "fr", "it", "es", "pt"]
    #expect(await articles.refusal { _ = try await $0.set(.init(languages: six)) }?.code == "discovery.badLanguage")
    await articles.close()
  }

  @Test func whatIsOnNoShelfIsRefused() async throws {
    let articles = try await TestArticles()
    let album = Discovery.ArticleSubject(album: AlbumID(source: "files", native: "a9"))
    #expect(await articles.refusal { _ = try await $0.read(.init(subject: album)) }?.code == "discovery.unknownAlbum")
    let artist = Discovery.ArticleSubject(artist: ArtistID(source: "files", native: "r7"))
    #expect(await articles.refusal { _ = try await $0.read(.init(subject: artist)) }?.code == "discovery.unknownArtist")
    await articles.close()
  }
}
