import Glibc
import Messages
import Model
import Storage
import Text

/// Keeps reviews, how they are written, and how many requests were made each day.
struct ReviewStore: Sendable {
  let database: Database

  /// An album for which reviews are kept.
  struct Subject: Hashable, Sendable {
    var album: AlbumID
    /// Artist and title, folded, and the year.
    var key: String
    /// The key of former versions, without the year; nil for an album that has left the library.
    var formerKey: String?
  }

  /// The endpoint, the model and the daily cap; the key of the endpoint is among the household's credentials.
  struct Settings: Hashable, Sendable {
    /// The address; nil while reviews are off.
    var endpoint: String?
    var model: String?
    /// The most requests a day.
    var dailyCap = 20
  }

  // MARK: - Reviews

  /// Finds an album of the library, or one that has left it and has a review. Waits for the first reading of the
  /// library.
  ///
  /// - Throws: `discovery.notReady`, `discovery.unknownAlbum`.
  func subject(_ album: AlbumID) async throws -> Subject {
    if let subject = try await known(album) { return subject }
    _ = try await OwnedAlbumStore(database: database).firstReading()
    if let subject = try await known(album) { return subject }
    throw LunaraError(
      "discovery.unknownAlbum", "There is no album \(album) in the library. `lunara albums` lists those there are.")
  }

  private func known(_ album: AlbumID) async throws -> Subject? {
    try await database.read { transaction in
      let name = try transaction.row("SELECT artist, title, year FROM albums WHERE id = ?", album) {
        (artist: try $0.value(0) as String, title: try $0.value(1) as String, year: try $0.value(2) as Int?)
      }
      if let name {
        let names = "\(name.artist.folded)\u{1F}\(name.title.folded)"
        let year = name.year.map { "\($0)" } ?? ""
        return Subject(album: album, key: "\(names)\u{1F}\(year)", formerKey: names)
      }
      let key: String? = try transaction.value("SELECT key FROM reviews WHERE album = ? LIMIT 1", album)
      return key.map { Subject(album: album, key: $0) }
    }
  }

  /// Returns the review of an album; nil if there is none. An album that was retagged has it by its id, and one whose
  /// files were read as new ones by its names and year. A review of a former version is found without the year, unless
  /// it is about another album that is in the library.
  func review(of subject: Subject) async throws -> Discovery.Review? {
    let text: String? = try await database.read { transaction in
      try transaction.value(
        """
        SELECT review FROM reviews WHERE key = ?1 OR album = ?2
          OR (key = ?3 AND album NOT IN (SELECT id FROM albums WHERE is_here = 1))
        ORDER BY key = ?1 DESC, album = ?2 DESC LIMIT 1
        """, subject.key, subject.album, subject.formerKey)
    }
    return try text.map { try MessageCoding.decode(Discovery.Review.self, from: $0.utf8) }
  }

  /// Stores a whole review in place of the former one.
  func store(_ review: Discovery.Review, of subject: Subject) async throws {
    let text = String(decoding: try MessageCoding.encode(review), as: UTF8.self)
    try await database.write(.power) { transaction in
      try transaction.execute(
        """
        DELETE FROM reviews WHERE album = ?1
          OR (key = ?2 AND album NOT IN (SELECT id FROM albums WHERE is_here = 1))
        """, subject.album, subject.formerKey)
      try transaction.execute(
        "INSERT OR REPLACE INTO reviews (key, album, review) VALUES (?, ?, ?)", subject.key, subject.album, text)
    }
  }

  /// The number of reviews that are kept.
  func count() async throws -> Int {
    try await database.read { try $0.value("SELECT count(*) FROM reviews") ?? 0 }
  }

  // MARK: - Settings

  func settings() async throws -> Settings {
    try await database.read { transaction in
      try transaction.row("SELECT endpoint, model, daily_cap FROM review_settings") {
        Settings(endpoint: try $0.value(0), model: try $0.value(1), dailyCap: try $0.value(2))
      } ?? Settings()
    }
  }

  func set(_ settings: Settings) async throws {
    try await database.write(.power) { transaction in
      try transaction.execute(
        "INSERT OR REPLACE INTO review_settings (one, endpoint, model, daily_cap) VALUES (1, ?, ?, ?)",
        settings.endpoint, settings.model, settings.dailyCap)
    }
  }

  // MARK: - Requests of a day

  /// Returns the number of requests on the day of a time.
  func requests(at now: Timestamp) async throws -> Int {
    try await database.read {
      try $0.value("SELECT requests FROM review_days WHERE day = ?", Self.day(now)) ?? 0
    }
  }

  /// Counts a request that is about to be made. Returns false, and counts nothing, where the day has had its number.
  func countRequest(at now: Timestamp, most: Int) async throws -> Bool {
    let day = Self.day(now)
    return try await database.write(.power) { transaction in
      let made: Int = try transaction.value("SELECT requests FROM review_days WHERE day = ?", day) ?? 0
      guard made < most else { return false }
      try transaction.execute("DELETE FROM review_days WHERE day < ?", day - 7)
      try transaction.execute("INSERT OR REPLACE INTO review_days (day, requests) VALUES (?, ?)", day, made + 1)
      return true
    }
  }

  /// Returns the number of days of local time from 1970 to a time.
  static func day(_ time: Timestamp) -> Int64 {
    var (seconds, local) = (time_t(time.seconds), tm())
    localtime_r(&seconds, &local)
    return (time.seconds + Int64(local.tm_gmtoff)) / 86_400
  }
}
