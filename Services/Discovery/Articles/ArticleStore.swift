import Messages
import Model
import Storage
import Text

/// Keeps articles, the choices of people, and the settings of articles.
struct ArticleStore: Sendable {
  let database: Database

  /// The settings that a person chose.
  struct Settings: Hashable, Sendable {
    var isOn = false
    /// The languages in the order in which they are wanted.
    var languages = ["en"]
  }

  // MARK: - Topics

  /// Finds an album or artist in the library, or one that has left it and has an article; nil for an artist who is in
  /// neither, and may be one that only the library knows. Waits for the first reading of the library.
  ///
  /// - Throws: `discovery.notReady`, `discovery.unknownAlbum`.
  func topic(_ subject: Discovery.ArticleSubject) async throws -> ArticleTopic? {
    if let topic = try await known(subject) { return topic }
    _ = try await OwnedAlbumStore(database: database).firstReading()
    if let topic = try await known(subject) { return topic }
    guard let album = subject.album else { return nil }
    throw LunaraError(
      "discovery.unknownAlbum", "There is no album \(album) in the library. `lunara albums` lists those there are.")
  }

  private func known(_ subject: Discovery.ArticleSubject) async throws -> ArticleTopic? {
    try await database.read { transaction in
      if let album = subject.album {
        let topic = try transaction.row("SELECT artist, title, year FROM albums WHERE id = ?", album) {
          ArticleTopic(subject, artist: try $0.value(0), title: try $0.value(1), year: try $0.value(2))
        }
        if let topic { return topic }
      } else if let artist = subject.artist {
        let name: String? = try transaction.value(
          "SELECT artist FROM albums WHERE artist_id = ? ORDER BY is_here DESC, number LIMIT 1", artist)
        if let name { return ArticleTopic(subject, artist: name, title: nil) }
      }
      return try transaction.row(
        "SELECT artist, title, key FROM articles WHERE id = ? LIMIT 1", ArticleTopic.id(subject)
      ) { ArticleTopic(subject, artist: try $0.value(0), title: try $0.value(1), key: try $0.value(2)) }
    }
  }

  /// Returns the facts of the library by which an article is matched.
  func clues(of topic: ArticleTopic) async throws -> ArticleClues {
    try await database.read { transaction in
      if let album = topic.subject.album {
        let group: String?? = try transaction.value("SELECT release_group FROM albums WHERE id = ?", album)
        return ArticleClues(releaseGroup: SourceText.id(group ?? nil))
      }
      let releases = try transaction.rows(
        """
        SELECT id, title, release_group FROM albums WHERE artist_id = ? AND is_here = 1
        ORDER BY release_group IS NULL, plays DESC, number LIMIT 30
        """, topic.subject.artist
      ) {
        let group: String? = try $0.value(2)
        return ArticleClues.Release(
          id: try $0.value(0), title: try $0.value(1), releaseGroup: SourceText.id(group))
      }
      let id: String? = try transaction.value(
        "SELECT mbid FROM artist_ids WHERE match_artist = ?", MatchKey.artist(topic.artist))
      return ArticleClues(releases: releases, artistID: SourceText.id(id))
    }
  }

  // MARK: - Articles

  /// Returns the facts that are stored; an empty record if there are none. An album that was retagged has them by its
  /// id, and one whose files were read as new ones by its names and year.
  func record(of topic: ArticleTopic) async throws -> ArticleRecord {
    try await database.read { try Self.record(of: topic, $0) }
  }

  private static func record(of topic: ArticleTopic, _ transaction: ReadTransaction) throws -> ArticleRecord {
    let stored = try transaction.row(
      """
      SELECT article, guesses, chosen, is_refused, searched_at FROM articles WHERE key = ?1 OR id = ?2
      ORDER BY key = ?1 DESC LIMIT 1
      """, topic.key, topic.id
    ) {
      (
        article: try $0.value(0) as String?, guesses: try $0.value(1) as String?, chosen: try $0.value(2) as String?,
        isRefused: try $0.value(3) as Bool, searchedAt: try $0.value(4) as Timestamp?
      )
    }
    guard let stored else { return ArticleRecord() }
    return ArticleRecord(
      article: try stored.article.map { try MessageCoding.decode(Discovery.Article.self, from: $0.utf8) },
      guesses: try stored.guesses.map { try MessageCoding.decode([Discovery.ArticleGuess].self, from: $0.utf8) } ?? [],
      chosen: try stored.chosen.map { try MessageCoding.decode(Discovery.ArticleGuess.self, from: $0.utf8) },
      isRefused: stored.isRefused, searchedAt: stored.searchedAt)
  }

  /// Stores a whole record in place of the former one.
  ///
  /// - Parameter former: the record that must be the stored one still; nil for any.
  /// - Returns: false if another record is stored; then nothing is changed.
  @discardableResult
  func store(
    _ record: ArticleRecord, of topic: ArticleTopic, ifStill former: ArticleRecord? = nil
  ) async throws -> Bool {
    func text(_ value: (some Encodable)?) throws -> String? {
      try value.map { String(decoding: try MessageCoding.encode($0), as: UTF8.self) }
    }
    let article = try text(record.article)
    let guesses = try text(record.guesses.isEmpty ? nil : record.guesses)
    let chosen = try text(record.chosen)
    return try await database.write(.power) { transaction in
      if let former, try Self.record(of: topic, transaction) != former { return false }
      try transaction.execute("DELETE FROM articles WHERE id = ?", topic.id)
      try transaction.execute(
        """
        INSERT OR REPLACE INTO articles
          (key, id, artist, title, article, guesses, chosen, is_refused, searched_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, topic.key, topic.id, topic.artist, topic.title, article, guesses, chosen, record.isRefused,
        record.searchedAt)
      return true
    }
  }

  /// The number of articles that are kept.
  func count() async throws -> Int {
    try await database.read { try $0.value("SELECT count(*) FROM articles WHERE article IS NOT NULL") ?? 0 }
  }

  // MARK: - Settings

  func settings() async throws -> Settings {
    try await database.read { transaction in
      try transaction.row("SELECT is_on, languages FROM article_settings") {
        let languages: String = try $0.value(1)
        return Settings(isOn: try $0.value(0), languages: languages.split(separator: ",").map(String.init))
      } ?? Settings()
    }
  }

  /// Stores the settings. Where the languages change, albums and artists about which nothing was found are searched
  /// again.
  func set(_ settings: Settings) async throws {
    let languages = settings.languages.joined(separator: ",")
    try await database.write(.power) { transaction in
      let former: String? = try transaction.value("SELECT languages FROM article_settings")
      if languages != former ?? Settings().languages.joined(separator: ",") {
        try transaction.execute(
          "UPDATE articles SET searched_at = NULL WHERE article IS NULL AND guesses IS NULL AND is_refused = 0")
      }
      try transaction.execute(
        "INSERT OR REPLACE INTO article_settings (one, is_on, languages) VALUES (1, ?, ?)", settings.isOn, languages)
    }
  }
}
