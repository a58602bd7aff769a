import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Text

/// Finds articles about albums and artists at Wikipedia, one at a time, and only those that a person asks for.
actor ArticleService {
  /// Reads an artist from the library; tests use a fake.
  typealias ReadArtist = @Sendable (ArtistID) async throws -> Library.ArtistPage

  private static let sends =
    "For each album and artist that you open, MusicBrainz gets their ids, for an artist also those of up to three "
    + "albums, and Wikidata the id that MusicBrainz names, with your languages. Where that leads to no id at Wikidata, "
    + "Wikipedia gets the names of artist and album. It also gets the title of the page."
  /// The most albums and artists of which the last problem is remembered.
  private static let mostProblems = 200

  private let store: ArticleStore
  private let finder: ArticleFinder
  private let readArtist: ReadArtist
  private let log: Log
  private let now: @Sendable () -> Timestamp
  /// The albums and artists that wait for their turn. The last one is first, as a person looks at that one.
  private var waiting: [ArticleTopic] = []
  private var current: ArticleTopic?
  private var work: Task<Void, Never>?
  /// The errors of the last searches. They are forgotten with the process.
  private var problems: [ArticleTopic: (error: LunaraError, at: Timestamp)] = [:]

  init(
    store: ArticleStore, finder: ArticleFinder, log: Log, now: @escaping @Sendable () -> Timestamp = { .now() },
    readArtist: @escaping ReadArtist
  ) {
    self.store = store
    self.finder = finder
    self.log = log
    self.now = now
    self.readArtist = readArtist
  }

  /// Answers the requests about articles on a node.
  func serve(on node: Node) async {
    await node.serve(Discovery.ReadArticle.self) { request, _ in try await self.read(request) }
    await node.serve(Discovery.FindArticle.self) { request, _ in try await self.find(request) }
    await node.serve(Discovery.ChooseArticle.self) { request, _ in try await self.choose(request) }
    await node.serve(Discovery.ReadArticleSettings.self) { _, _ in try await self.settings() }
    await node.serve(Discovery.SetArticles.self) { request, _ in try await self.set(request) }
  }

  /// Breaks off what is being searched; nothing of it is kept.
  func stop() async {
    waiting = []
    work?.cancel()
    await work?.value
  }

  // MARK: - Requests

  func read(_ request: Discovery.ReadArticle) async throws -> Discovery.ArticleStatus {
    try await status(of: try await topic(request.subject))
  }

  /// - Throws: `discovery.articlesOff`, and the errors of `topic`.
  func find(_ request: Discovery.FindArticle) async throws -> Discovery.ArticleStatus {
    let topic = try await topic(request.subject)
    guard try await store.settings().isOn else { throw Self.off }
    let record = try await store.record(of: topic)
    // From here to the end of the branch nothing is awaited, so that a topic is in the list once. One that waits is
    // moved to the end of the list, which is searched first.
    let isWanted = request.isAgain == true || record.isDue(at: now())
    if isWanted, current != topic { enqueue(topic) }
    return try await status(of: topic)
  }

  /// - Throws: `discovery.articlesOff`, `discovery.unknownArticle`, and the errors of `topic`.
  func choose(_ request: Discovery.ChooseArticle) async throws -> Discovery.ArticleStatus {
    let topic = try await topic(request.subject)
    guard try await store.settings().isOn else { throw Self.off }
    var record = try await store.record(of: topic)
    if let page = request.page {
      guard let guess = record.guesses.first(where: { $0.title == page.title && $0.language == page.language }) else {
        throw LunaraError(
          "discovery.unknownArticle",
          "“\(page.title.prefix(80))” is none of the pages in question. `lunara article ID` lists them.")
      }
      record.article = nil
      record.chosen = guess
      record.isRefused = false
    } else {
      record = ArticleRecord(isRefused: true, searchedAt: record.searchedAt)
    }
    try await store.store(record, of: topic)
    problems[topic] = nil
    waiting.removeAll { $0 == topic }
    // A search that is running may have seen the former record only, so the page is read after it.
    if record.chosen != nil { enqueue(topic) }
    return try await status(of: topic)
  }

  /// Returns the names of an album or artist.
  ///
  /// - Throws: `discovery.notReady`, `discovery.unknownAlbum`, `discovery.unknownArtist`, the errors of the library.
  private func topic(_ subject: Discovery.ArticleSubject) async throws -> ArticleTopic {
    guard (subject.album == nil) != (subject.artist == nil) else {
      throw LunaraError(
        "discovery.unknownAlbum", "An article is about an album or an artist. Name one.")
    }
    if let topic = try await store.topic(subject) { return topic }
    // An artist without an album of their own is known to the library only.
    do {
      let artist = try subject.artist.orThrow(Self.unknownArtist(""))
      let name = try await readArtist(artist).artist.name
      guard !name.trimmed.isEmpty else { throw Self.unknownArtist("\(artist)") }
      return ArticleTopic(subject, artist: name, title: nil)
    } catch let error as LunaraError where error.code == "library.unknownID" {
      throw Self.unknownArtist(subject.artist.map { "\($0)" } ?? "")
    }
  }

  private func status(of topic: ArticleTopic) async throws -> Discovery.ArticleStatus {
    let isOn = try await store.settings().isOn
    // The list is looked at before the record is read: what is no longer in it is stored.
    let isBeingSearched = isSearching(topic)
    let problem = isBeingSearched ? nil : problems[topic]
    let record = try await store.record(of: topic)
    // A page that was chosen and could not be read is read later; nobody is asked again, unless it is gone.
    let isAnswered =
      record.chosen != nil && record.article == nil && problem?.error.code != "discovery.unknownArticle"
    return Discovery.ArticleStatus(
      subject: topic.subject, article: record.article,
      guesses: record.guesses.isEmpty || isAnswered ? nil : record.guesses,
      isBeingSearched: isBeingSearched, searchedAt: problem?.at ?? record.searchedAt, problem: problem?.error,
      isOn: isOn)
  }

  private static func unknownArtist(_ id: String) -> LunaraError {
    LunaraError("discovery.unknownArtist", "There is no artist \(id). `lunara artists` lists those there are.")
  }

  private static let off = LunaraError(
    "discovery.articlesOff", "Articles are off. `lunara article settings on` has them read at Wikipedia.")

  // MARK: - Searching

  private func isSearching(_ topic: ArticleTopic) -> Bool { current == topic || waiting.contains(topic) }

  /// Searches a topic next, even if it waits already.
  private func enqueue(_ topic: ArticleTopic) {
    problems[topic] = nil
    waiting.removeAll { $0 == topic }
    waiting.append(topic)
    if work == nil { work = Task { await self.searchAll() } }
  }

  /// Searches for those that wait, one after another.
  private func searchAll() async {
    while !Task.isCancelled, let topic = waiting.popLast() {
      current = topic
      problems[topic] = nil
      var isChanged = false
      do { isChanged = try await search(topic) } catch is CancellationError {
        // Articles were switched off, or the service ends.
      } catch {
        if !Task.isCancelled { recordProblem(LunaraError(error), topic) }
      }
      current = nil
      if isChanged, !Task.isCancelled, !waiting.contains(topic) { waiting.append(topic) }
    }
    await finder.wikipedia.release()
    // Sources outside read with this client too; they make a new connection at their next request.
    await finder.musicBrainz.release()
    work = waiting.isEmpty ? nil : Task { await self.searchAll() }
  }

  private func recordProblem(_ error: LunaraError, _ topic: ArticleTopic) {
    log.warning(error)
    if problems.count >= Self.mostProblems { problems = [:] }
    problems[topic] = (error, now())
  }

  /// Searches one article and stores the outcome. Returns true if it should be searched again: a person has chosen a
  /// page meanwhile, which must be read now, or other languages.
  private func search(_ topic: ArticleTopic) async throws -> Bool {
    let settings = try await store.settings()
    guard settings.isOn else { return false }
    let record = try await store.record(of: topic)
    let outcome: ArticleOutcome
    if let chosen = record.chosen {
      guard let article = try await finder.read(chosen) else {
        throw LunaraError(
          "discovery.unknownArticle",
          "Wikipedia has no text about “\(chosen.title)” any more. Choose another page, or none: `lunara article choose ID none`."
        )
      }
      outcome = .article(article)
    } else {
      outcome = try await finder.find(topic, try await store.clues(of: topic), in: settings.languages)
    }
    try Task.checkCancellation()
    if record.chosen == nil, try await store.settings().languages != settings.languages {
      // A person who said "none" meanwhile is not asked again.
      let present = try await store.record(of: topic)
      return record.isRefused || !present.isRefused
    }
    if try await store.store(record.after(outcome, at: now()), of: topic, ifStill: record) { return false }
    let present = try await store.record(of: topic)
    return present.chosen != nil && present.article == nil
  }
}

// MARK: - Settings

extension ArticleService {
  func settings() async throws -> Discovery.ArticleSettings {
    let settings = try await store.settings()
    return Discovery.ArticleSettings(
      isOn: settings.isOn, languages: settings.languages, kept: try await store.count(), sends: Self.sends)
  }

  /// - Throws: `discovery.badLanguage`.
  func set(_ request: Discovery.SetArticles) async throws -> Discovery.ArticleSettings {
    var settings = try await store.settings()
    if let languages = request.languages {
      var kept: [String] = []
      for language in languages.map(\.trimmed) where !kept.contains(language) {
        guard WikiLanguage.isValid(language) else {
          throw Self.badLanguage("“\(language.prefix(40))” is no language of Wikipedia, such as en, de or pt.")
        }
        kept.append(language)
      }
      guard (1...WikiLanguage.most).contains(kept.count) else {
        throw Self.badLanguage("Give 1 to \(WikiLanguage.most) languages, such as de,en.")
      }
      settings.languages = kept
    }
    if let isOn = request.isOn { settings.isOn = isOn }
    try await store.set(settings)
    if !settings.isOn { await stop() }
    return try await self.settings()
  }

  private static func badLanguage(_ message: String) -> LunaraError { LunaraError("discovery.badLanguage", message) }
}

extension Optional {
  /// Returns the value.
  fileprivate func orThrow(_ error: LunaraError) throws(LunaraError) -> Wrapped {
    guard let self else { throw error }
    return self
  }
}
