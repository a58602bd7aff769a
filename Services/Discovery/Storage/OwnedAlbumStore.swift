package import Messages
package import Model
package import Storage
import Text

/// Keeps the albums of the library, and what people decided.
package struct OwnedAlbumStore: Sendable {
  let database: Database

  /// The longest texts that are kept of an album, so that a page of tiles fits into one answer.
  private static let longestText = 200
  /// The number of days for which less of an album's kind is shown.
  private static let unwantedDays: Int64 = 90

  package init(database: Database) { self.database = database }

  /// The state of the albums.
  struct Status: Hashable, Sendable {
    var generation: Int64
    var isRead: Bool
    var run: Int64
    var readAt: Timestamp?
    var needsAll: Bool
    var revision: Int64
    var taxonomy: Int64
    var opinionsAt: Timestamp?
    var albums: Int
    var dial: Int
  }

  static func status(_ transaction: ReadTransaction) throws -> Status {
    let row = try transaction.row(
      """
      SELECT generation, is_read, run, read_at, needs_all, revision, taxonomy, opinions_at,
        (SELECT count(*) FROM albums WHERE is_here = 1), (SELECT position FROM dial) FROM shelf
      """
    ) { row in
      Status(
        generation: try row.value(0), isRead: try row.value(1), run: try row.value(2), readAt: try row.value(3),
        needsAll: try row.value(4) as Int > 0, revision: try row.value(5), taxonomy: try row.value(6),
        opinionsAt: try row.value(7), albums: try row.value(8), dial: try row.value(9) ?? Dial.usual)
    }
    guard let row else {
      throw LunaraError("storage.corrupt", "The row with the state of the albums is missing. Restart the service.")
    }
    return row
  }

  /// The time that a person waits for the first reading of the library.
  private static let readingTime = Duration.seconds(8)

  /// Returns the state of the albums, once the library was read for the first time.
  ///
  /// - Throws: `discovery.notReady`.
  func firstReading() async throws -> Status {
    let end = ContinuousClock.now + Self.readingTime
    while true {
      let status = try await database.read(Self.status)
      if status.isRead { return status }
      guard ContinuousClock.now < end else {
        throw LunaraError(
          "discovery.notReady",
          "The library is being read for the first time. Try again in a moment; `lunara status` shows whether it runs.")
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Marks that something changed on which walls depend.
  static func touch(_ transaction: Transaction) throws {
    try transaction.execute("UPDATE shelf SET revision = revision + 1")
  }

  // MARK: - Albums

  /// A reading of all albums.
  package struct Reading: Sendable {
    /// Its number.
    package var run: Int64
    /// The number of reasons for it when it began: those that come later need another one.
    var reasons: Int
  }

  /// Begins to read all albums. A reading that is cut off leaves its reasons, so that another one follows.
  package func beginReading() async throws -> Reading {
    try await database.write { transaction in
      try transaction.execute("UPDATE shelf SET run = run + 1")
      return Reading(
        run: try Self.status(transaction).run,
        reasons: try transaction.value("SELECT needs_all FROM shelf") as Int? ?? 0)
    }
  }

  /// Stores a page of albums.
  package func store(_ albums: [Library.AlbumFeatures], run: Int64, _ taxonomy: Taxonomy) async throws {
    try await database.write { try Self.store(albums, run: run, taxonomy, $0) }
  }

  private static func store(
    _ albums: [Library.AlbumFeatures], run: Int64, _ taxonomy: Taxonomy, _ transaction: Transaction
  ) throws {
    for album in albums {
      let set = taxonomy.match(album.tags).set
      let artist = album.artistID?.description ?? album.artist.folded
      try transaction.execute(
        """
        INSERT INTO albums (id, title, artist, artist_id, artist_key, year, tags, genres, low, high, added_at, rating,
          plays, played_at, art, release_group, run, match_key, match_artist, noted_at, listeners, is_here)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, 1)
        ON CONFLICT (id) DO UPDATE SET title = ?2, artist = ?3, artist_id = ?4, artist_key = ?5, year = ?6, tags = ?7,
          genres = ?8, low = ?9, high = ?10, added_at = ?11, rating = ?12, plays = ?13, played_at = ?14, art = ?15,
          release_group = ?16, run = ?17, match_key = ?18, match_artist = ?19, noted_at = ?20, listeners = ?21,
          is_here = 1
        """, album.id, short(album.title), short(album.artist), album.artistID,
        Int64(bitPattern: FNV1a.hash(artist)), album.year, pack(album.tags), Int64(set.genres),
        Int64(bitPattern: set.low), Int64(bitPattern: set.high), album.addedAt, album.rating, album.plays,
        album.lastPlayedAt, album.art, album.releaseGroup, run, MatchKey.album(album.artist, album.title),
        MatchKey.artist(album.artist), album.notedAt, album.listeners)
    }
  }

  /// Ends the reading of all albums: those that it did not find are no longer in the library, and no change that it
  /// contains is read once more.
  package func end(_ reading: Reading, generation: Int64, at now: Timestamp, _ taxonomy: Taxonomy) async throws {
    try await database.write { transaction in
      try transaction.execute("UPDATE albums SET is_here = 0 WHERE run <> ? AND is_here = 1", reading.run)
      try transaction.execute(
        """
        UPDATE shelf SET generation = ?, is_read = 1, read_at = ?, taxonomy = ?, needs_all = max(0, needs_all - ?)
        """, generation, now, Int64(bitPattern: taxonomy.digest), reading.reasons)
      try transaction.execute("DELETE FROM changed_albums WHERE generation <= ?", generation)
      try Self.touch(transaction)
    }
  }

  /// Stores the albums that were read again, of those that were asked for. One that has changed since stays due.
  func store(
    _ albums: [Library.AlbumFeatures], of asked: [ChangedAlbum], generation: Int64, at now: Timestamp,
    _ taxonomy: Taxonomy
  ) async throws {
    try await database.write { transaction in
      try Self.store(albums, run: try Self.status(transaction).run, taxonomy, transaction)
      let found = Set(albums.map(\.id))
      for album in asked {
        if !found.contains(album.id) { try transaction.execute("UPDATE albums SET is_here = 0 WHERE id = ?", album.id) }
        try transaction.execute(
          "DELETE FROM changed_albums WHERE id = ? AND changes = ?", album.id, album.changes)
      }
      try transaction.execute(
        "UPDATE shelf SET generation = max(generation, ?), read_at = ?", generation, now)
      try Self.touch(transaction)
    }
  }

  /// An album that has to be read again.
  struct ChangedAlbum: Sendable {
    var id: AlbumID
    /// The number of its changes so far.
    var changes: Int
  }

  /// Returns the albums that have changed, at most 200.
  func changedAlbums() async throws -> [ChangedAlbum] {
    try await database.read { transaction in
      try transaction.rows("SELECT id, changes FROM changed_albums ORDER BY id LIMIT 200") {
        ChangedAlbum(id: try $0.value(0), changes: try $0.value(1))
      }
    }
  }

  /// Marks albums that have changed. `generation` is the one of the catalogue that contains the change; nil for one
  /// that the catalogue does not count.
  static func mark(_ ids: [AlbumID], generation: Int64? = nil, _ transaction: Transaction) throws {
    for id in ids {
      // The larger of two values is null where either is.
      try transaction.execute(
        """
        INSERT INTO changed_albums (id, generation) VALUES (?1, ?2)
        ON CONFLICT (id) DO UPDATE SET generation = max(generation, ?2), changes = changes + 1
        """, id, generation)
    }
  }

  static func markAll(_ transaction: Transaction) throws {
    try transaction.execute("UPDATE shelf SET needs_all = needs_all + 1")
    try transaction.execute("DELETE FROM changed_albums")
  }

  /// Matches all albums again where the taxonomy or a person's assignments have changed.
  func rematch(_ taxonomy: Taxonomy) async throws {
    try await database.write { transaction in
      guard try Self.status(transaction).taxonomy != Int64(bitPattern: taxonomy.digest) else { return }
      let rows = try transaction.rows("SELECT number, tags FROM albums") {
        (number: try $0.value(0) as Int64, tags: try $0.value(1) as String)
      }
      var known: [String: GenreSet] = [:]
      for row in rows {
        let set = known[row.tags] ?? taxonomy.match(Self.unpack(row.tags)).set
        known[row.tags] = set
        try transaction.execute(
          "UPDATE albums SET genres = ?, low = ?, high = ? WHERE number = ?", Int64(set.genres),
          Int64(bitPattern: set.low), Int64(bitPattern: set.high), row.number)
      }
      try transaction.execute("UPDATE shelf SET taxonomy = ?", Int64(bitPattern: taxonomy.digest))
      try Self.touch(transaction)
    }
  }

  /// Reads the albums of the library into memory.
  static func load(_ taxonomy: Taxonomy, at now: Timestamp, _ transaction: ReadTransaction) throws -> OwnedAlbums {
    let albums = try transaction.rows(
      """
      SELECT a.number, a.artist_key, a.year, a.rating, a.genres, a.low, a.high, a.added_at, a.played_at, a.plays,
        o.opinion, a.noted_at, a.listeners
      FROM albums a LEFT JOIN opinions o ON o.id = a.id WHERE a.is_here = 1 ORDER BY a.number
      """
    ) { row in
      let low: Int64 = try row.value(5)
      let high: Int64 = try row.value(6)
      return OwnedAlbum(
        number: Int32(clamping: try row.value(0) as Int64), listeners: Int32(clamping: try row.value(12) as Int? ?? 0),
        artist: try row.value(1),
        year: Int16(clamping: try row.value(2) as Int? ?? 0), rating: Int8(clamping: try row.value(3) as Int? ?? -1),
        opinion: OwnedAlbum.Opinion(rawValue: Int8(clamping: try row.value(10) as Int? ?? 0)) ?? .none,
        set: GenreSet(
          genres: UInt32(truncatingIfNeeded: try row.value(4) as Int64), low: UInt64(bitPattern: low),
          high: UInt64(bitPattern: high)),
        addedAt: (try row.value(7) as Timestamp).seconds, playedAt: (try row.value(8) as Timestamp?)?.seconds ?? 0,
        plays: Int32(clamping: try row.value(9) as Int),
        notedAt: UInt32(clamping: (try row.value(11) as Timestamp?)?.seconds ?? 0))
    }
    let unwanted: [Int64] = try transaction.values(
      "SELECT a.number FROM unwanted u JOIN albums a ON a.id = u.id WHERE u.since > ?",
      now - Milliseconds(unwantedDays * Ages.day * 1000))
    var owned = OwnedAlbums(
      albums: albums, genreCount: taxonomy.genres.count, subcategoryCount: taxonomy.subcategories.count,
      unwanted: Set(unwanted.map { Int32(clamping: $0) }))
    owned.outside = try OutsideAlbums(albums, taxonomy, transaction)
    return owned
  }

  // MARK: - What people decided

  /// The opinions that the library keeps of albums.
  struct Opinions: Sendable {
    var likes: [AlbumID] = []
    var dislikes: [AlbumID] = []
  }

  /// Replaces the opinions by those of the library.
  func store(opinions: Opinions, at now: Timestamp) async throws {
    try await database.write { transaction in
      try transaction.execute("DELETE FROM opinions")
      for (ids, opinion) in [(opinions.likes, OwnedAlbum.Opinion.liked), (opinions.dislikes, .disliked)] {
        for id in ids {
          try transaction.execute(
            "INSERT OR REPLACE INTO opinions (id, opinion, given_at) VALUES (?, ?, ?)", id, Int(opinion.rawValue), now)
        }
      }
      try transaction.execute("UPDATE shelf SET opinions_at = ?", now)
      try Self.touch(transaction)
    }
  }

  func setDial(_ position: Int) async throws {
    try await database.write(.power) { transaction in
      try transaction.execute("INSERT OR REPLACE INTO dial (one, position) VALUES (1, ?)", position)
    }
  }

  /// - Throws: `discovery.unknownAlbum`.
  func showLess(_ request: Discovery.ShowLess, at now: Timestamp) async throws {
    try await database.write(.power) { transaction in
      if request.isTakenBack == true {
        try transaction.execute("DELETE FROM unwanted WHERE id = ?", request.album)
      } else {
        let isKnown: Int64? = try transaction.value("SELECT number FROM albums WHERE id = ?", request.album)
        guard isKnown != nil else {
          throw LunaraError(
            "discovery.unknownAlbum",
            "There is no album \(request.album) in the library. `lunara albums` lists those there are.")
        }
        try transaction.execute("INSERT OR REPLACE INTO unwanted (id, since) VALUES (?, ?)", request.album, now)
      }
      try Self.touch(transaction)
    }
  }

  /// Returns the assignments of tags by people, by the folded tag.
  func assignedTags() async throws -> [String: String] {
    try await database.read { transaction in
      let rows = try transaction.rows("SELECT tag, place FROM assigned_tags") {
        (tag: try $0.value(0) as String, place: try $0.value(1) as String)
      }
      return Dictionary(rows.map { ($0.tag, $0.place) }) { first, _ in first }
    }
  }

  func assign(_ tag: String, to place: String?) async throws {
    try await database.write(.power) { transaction in
      let folded = TagFolding.fold(tag)
      if let place {
        try transaction.execute("INSERT OR REPLACE INTO assigned_tags (tag, place) VALUES (?, ?)", folded, place)
      } else {
        try transaction.execute("DELETE FROM assigned_tags WHERE tag = ?", folded)
      }
    }
  }

  // MARK: - Texts

  private static func short(_ text: String) -> String {
    guard text.utf8.count > longestText, text.unicodeScalars.count > longestText else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestText - 1))) + "…"
  }

  /// Packs tags, each ended by U+001F.
  static func pack(_ tags: [String]) -> String {
    tags.prefix(48).map { String($0.prefix(longestText)) + "\u{1F}" }.joined()
  }

  static func unpack(_ text: String) -> [String] {
    text.utf8.split(separator: 0x1F).map { String(Substring($0)) }
  }
}
