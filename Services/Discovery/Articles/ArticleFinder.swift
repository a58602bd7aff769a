import Messages
import Model
import Text

/// Finds the article about an album or artist: by the ids of MusicBrainz and Wikidata, and where the house has none, by
/// exact names. In doubt it returns guesses.
struct ArticleFinder: Sendable {
  let musicBrainz: MusicBrainzClient
  let wikipedia: WikipediaClient
  /// Reads an album with its tracks from the library.
  let readAlbum: @Sendable (AlbumID) async throws -> Library.AlbumPage
  let now: @Sendable () -> Timestamp

  /// The most pages that a person is asked about.
  static let mostGuesses = 5
  /// The most albums of an artist in whose tags their id is looked for.
  private static let mostAlbums = 3

  /// Searches the article.
  ///
  /// - Throws: `discovery.articleAway`, `discovery.articleUnreadable`, the errors of the library, `CancellationError`.
  func find(_ topic: ArticleTopic, _ clues: ArticleClues, in languages: [String]) async throws -> ArticleOutcome {
    guard let entity = try await entity(of: topic, clues) else {
      return try await search(topic, clues, in: languages)
    }
    // Wikidata knows all articles about it, so that a search by name could only find a wrong one.
    guard let (title, language) = try await wikipedia.page(about: entity, in: languages),
      let article = try await wikipedia.page(title, in: language)?.article(in: language, match: .id, at: now())
    else { return .nothing }
    return .article(article)
  }

  /// Reads the article that a person chose; nil if there is none any more.
  func read(_ guess: Discovery.ArticleGuess) async throws -> Discovery.Article? {
    try await wikipedia.page(guess.title, in: guess.language)?
      .article(in: guess.language, match: .person, at: now())
  }

  // MARK: - By ids

  /// Returns the id at Wikidata of an album or artist; nil if MusicBrainz has none, or the house has no id.
  private func entity(of topic: ArticleTopic, _ clues: ArticleClues) async throws -> String? {
    guard topic.title == nil else {
      guard let group = clues.releaseGroup else { return nil }
      return try Self.entity(in: try await ask("/ws/2/release-group/\(group)?inc=url-rels&fmt=json"))
    }
    let tagged = try await taggedID(of: topic, clues)
    if let tagged { return try Self.entity(in: try await ask("/ws/2/artist/\(tagged)?inc=url-rels&fmt=json")) }
    // The artist of an album may be another than the one of that name in the house, so the names must be the same.
    guard let id = try await creditedID(of: topic, clues) else { return nil }
    let answer = try await ask("/ws/2/artist/\(id)?inc=url-rels+aliases&fmt=json")
    let names = [answer?["name"]?.string] + (answer?["aliases"]?.elements ?? []).map { $0["name"]?.string }
    guard names.contains(where: { $0.map { Self.isSame($0, topic.artist) } ?? false }) else { return nil }
    return try Self.entity(in: answer)
  }

  /// Returns the id of an artist from the tags of their albums: that of tracks by them alone; nil if there is none.
  private func taggedID(of topic: ArticleTopic, _ clues: ArticleClues) async throws -> String? {
    for release in clues.releases.prefix(Self.mostAlbums) {
      let page: Library.AlbumPage
      do { page = try await readAlbum(release.id) } catch let error as LunaraError
        where error.code == "library.unknownID"
      { continue }
      let ids = Set(
        page.tracks.compactMap { track -> String? in
          guard track.artists == nil, Self.isSame(track.artist, topic.artist), track.artistIDs?.count == 1 else {
            return nil
          }
          return SourceText.id(track.artistIDs?[0])
        })
      if let id = ids.first, ids.count == 1 { return id }
    }
    return nil
  }

  /// Returns the id of the only artist to whom one of the albums is credited; nil if there is none.
  private func creditedID(of topic: ArticleTopic, _ clues: ArticleClues) async throws -> String? {
    if let id = clues.artistID { return id }
    for release in clues.releases.prefix(Self.mostAlbums) {
      guard let group = release.releaseGroup else { continue }
      let credits = try await ask("/ws/2/release-group/\(group)?inc=artist-credits&fmt=json")?["artist-credit"]?
        .elements
      if let credits, credits.count == 1, let id = SourceText.id(credits[0]["artist"]?["id"]?.string) { return id }
    }
    return nil
  }

  private func ask(_ path: String) async throws -> JSONView? {
    do { return try await musicBrainz.read(path) } catch let pause as SourcePause {
      throw WikipediaClient.away("MusicBrainz", pause.error.cause ?? pause.error.message)
    } catch let error as LunaraError { throw WikipediaClient.away("MusicBrainz", error.cause ?? error.message) }
  }

  /// Returns the id at Wikidata among the relations of an answer of MusicBrainz; nil if there is none, or more than
  /// one. Throws `discovery.articleUnreadable` if the answer has no list of relations, which differs from an empty
  /// list.
  private static func entity(in answer: JSONView?) throws -> String? {
    guard let answer else { return nil }
    guard let relations = answer["relations"], relations.isArray else {
      throw WikipediaClient.unreadable("MusicBrainz")
    }
    let ids = Set(
      relations.elements.compactMap { relation -> String? in
        guard relation["type"]?.string == "wikidata", relation["ended"]?.isTrue != true,
          let address = relation["url"]?["resource"]?.string,
          let start = ["https://www.wikidata.org/wiki/Q", "http://www.wikidata.org/wiki/Q"].first(
            where: address.hasPrefix)
        else { return nil }
        let digits = address.dropFirst(start.count)
        guard (1...12).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
          return nil
        }
        return "Q\(digits)"
      })
    return ids.count == 1 ? ids.first : nil
  }

  private static func isSame(_ one: String, _ other: String) -> Bool { MatchKey.artist(one) == MatchKey.artist(other) }

  // MARK: - By names

  private func search(
    _ topic: ArticleTopic, _ clues: ArticleClues, in languages: [String]
  ) async throws -> ArticleOutcome {
    let match = NameMatch(topic: topic, albums: clues.releases.map(\.title))
    var guesses: [Discovery.ArticleGuess] = []
    for language in languages {
      var pages: [WikiPage] = []
      for words in Self.searches(topic, clues) {
        let found = try await wikipedia.search(words, in: language)
        pages += found.filter { page in !pages.contains { $0.title == page.title } }
      }
      let rated = pages.map { (page: $0, degree: match.degree(of: $0)) }
      let exact = rated.filter { [.exact, .sure].contains($0.degree) }
      if exact.count == 1, exact[0].degree == .sure,
        let article = exact[0].page.article(in: language, match: .name, at: now())
      {
        return .article(article)
      }
      let near = rated.filter { $0.degree == .near }
      guesses += (exact.sorted { $0.degree == .sure && $1.degree != .sure } + near).map { $0.page.guess(in: language) }
      // Two pages of the same name: another language may have only one of them, and that the wrong one.
      if exact.count > 1 { break }
    }
    return guesses.isEmpty ? .nothing : .guesses(Array(guesses.prefix(Self.mostGuesses)))
  }

  /// Returns the words that are searched for, one search after another. The titles of albums lead to an artist whose
  /// name is a common word.
  private static func searches(_ topic: ArticleTopic, _ clues: ArticleClues) -> [String] {
    if let title = topic.title { return [words(title + " " + topic.artist)] }
    let album = clues.releases.first { NameMatch.plain($0.title) != NameMatch.plain(topic.artist) }
    return [album.map { words("\(topic.artist) \($0.title)") }, words(topic.artist)].compactMap { $0 }
  }

  /// Returns the words of a text without the signs that a search takes for orders; the text itself in quotes if it has
  /// only signs.
  private static func words(_ text: String) -> String {
    let bounded = String(text.prefix(200)).withoutUnsafeScalars
    let words = String(
      String.UnicodeScalarView(
        bounded.unicodeScalars.map { scalar -> Unicode.Scalar in
          let isWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          return isWord || scalar == "'" || scalar.properties.generalCategory == .nonspacingMark ? scalar : " "
        })
    ).split(separator: " ").joined(separator: " ")
    return words.isEmpty ? "\"\(bounded.replacing("\"", with: ""))\"" : words
  }
}
