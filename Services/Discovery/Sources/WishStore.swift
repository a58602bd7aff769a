import Messages
import Model
import Storage

/// Keeps what walls need of the library's wish list: which albums are on it, and what sources said of them. The list
/// itself is the library's.
struct WishStore: Sendable {
  let database: Database
  /// The base address of the Cover Art Archive.
  let coverArt: String

  /// The most bytes of a list of wishes.
  private static let mostBytes = 190_000

  /// An album that a source named, as it is sent to the library.
  struct Album: Hashable, Sendable {
    var releaseGroup: String
    var artist: String
    var title: String
  }

  /// The condition that the release `r` is on the wish list, or is still to be put there.
  static let isWished = """
    (EXISTS (SELECT 1 FROM wished w WHERE w.release_group = r.release_group OR w.match_key = r.match_key)
      OR EXISTS (SELECT 1 FROM wishes w WHERE w.release_group = r.release_group AND w.is_handed = 0))
    """

  /// Returns an album that a source named, or that was wished.
  ///
  /// - Throws: `discovery.unknownRelease`.
  func album(_ releaseGroup: String) async throws -> Album {
    let id = SourceText.id(releaseGroup) ?? releaseGroup
    let album = try await database.read { transaction in
      try transaction.row(
        """
        SELECT release_group, artist, title FROM releases WHERE release_group = ?1
        UNION ALL SELECT release_group, artist, title FROM wishes WHERE release_group = ?1 LIMIT 1
        """, id, as: Self.album)
    }
    guard let album else {
      throw LunaraError(
        "discovery.unknownRelease",
        "No source has named an album with the id \(releaseGroup.prefix(80)). Wish one that a wall shows.")
    }
    return album
  }

  private static func album(_ row: borrowing Row) throws -> Album {
    Album(releaseGroup: try row.value(0), artist: try row.value(1), title: try row.value(2))
  }

  /// Returns the albums that were wished before the library kept wishes, and that it does not have yet, the oldest wish
  /// first.
  func waiting() async throws -> [Album] {
    try await database.read { transaction in
      try transaction.rows(
        "SELECT release_group, artist, title FROM wishes WHERE is_handed = 0 ORDER BY wished_at, release_group",
        as: Self.album)
    }
  }

  /// Stores that the library has a wish, with what sources said of its album.
  func keep(_ wish: Library.Wish, of album: Album, at now: Timestamp) async throws {
    try await database.write(.power) { transaction in
      try Self.insert(wish, transaction)
      let isKnown = try transaction.execute(
        "UPDATE wishes SET is_handed = 1 WHERE release_group = ?", album.releaseGroup)
      guard isKnown == 0 else { return }
      try transaction.execute(
        """
        INSERT INTO wishes (release_group, title, artist, match_key, match_artist, date, source, wished_at, is_handed)
        SELECT release_group, title, artist, match_key, match_artist, date, source, ?, 1 FROM releases
        WHERE release_group = ?
        """, now, album.releaseGroup)
    }
  }

  /// Forgets a wish that is not handed over, as the album has come or is no longer wished for.
  func forget(_ releaseGroup: String) async throws {
    try await database.write(.power) {
      try $0.execute("DELETE FROM wishes WHERE release_group = ? AND is_handed = 0", releaseGroup)
    }
  }

  /// Returns the numbers of the library's wishes for an album.
  func wishes(for releaseGroup: String) async throws -> [Int64] {
    try await database.read { transaction in
      try transaction.values(
        """
        SELECT id FROM wished WHERE release_group = ?1
          OR match_key IN (SELECT match_key FROM releases WHERE release_group = ?1
            UNION SELECT match_key FROM wishes WHERE release_group = ?1)
        ORDER BY id
        """, releaseGroup)
    }
  }

  /// Stores that a wish has left the library's list.
  func remove(_ wish: Int64) async throws {
    try await database.write { transaction in
      try transaction.execute("DELETE FROM wished WHERE id = ?", wish)
      try Self.prune(transaction)
    }
  }

  /// Replaces the wishes by those that the library has now. Nothing is written where they are the same. What sources
  /// said of an album that has left the list stays until a wish is taken off here, as the list may be older than a
  /// wish.
  func replace(_ wishes: [Library.Wish]) async throws {
    let known = try await database.read { transaction in
      try transaction.rows("SELECT id, artist, title, added_at, release_group FROM wished") { row in
        Library.Wish(
          id: try row.value(0), artist: try row.value(1), album: try row.value(2), addedAt: try row.value(3),
          releaseGroup: try row.value(4))
      }
    }
    let listed = wishes.compactMap { wish -> Library.Wish? in
      guard wish.album != nil else { return nil }
      var wish = wish
      wish.providers = []
      return wish
    }
    guard Set(known) != Set(listed) else { return }
    try await database.write { transaction in
      try transaction.execute("DELETE FROM wished")
      for wish in wishes { try Self.insert(wish, transaction) }
    }
  }

  private static func insert(_ wish: Library.Wish, _ transaction: Transaction) throws {
    guard let title = wish.album else { return }
    try transaction.execute(
      """
      INSERT OR REPLACE INTO wished (id, artist, title, release_group, match_key, added_at) VALUES (?, ?, ?, ?, ?, ?)
      """, wish.id, wish.artist, title, wish.releaseGroup, MatchKey.album(wish.artist, title), wish.addedAt)
  }

  /// Forgets what sources said of albums that have left the list.
  private static func prune(_ transaction: Transaction) throws {
    try transaction.execute(
      """
      DELETE FROM wishes WHERE is_handed = 1
        AND release_group NOT IN (SELECT release_group FROM wished WHERE release_group IS NOT NULL)
        AND match_key NOT IN (SELECT match_key FROM wished)
      """)
  }

  /// Returns the wished albums of which sources said something, the latest wish first, as many as fit into an answer.
  /// Artist and title are those of the library's list.
  func list() async throws -> Discovery.WishList {
    let coverArt = coverArt
    let wishes = try await database.read { transaction in
      let hasCovers = try Self.hasCovers(transaction)
      return try transaction.rows(
        """
        WITH listed (release_group, artist, title, match_key, at) AS (
          SELECT release_group, artist, title, match_key, added_at FROM wished
          UNION ALL SELECT release_group, artist, title, match_key, wished_at FROM wishes WHERE is_handed = 0)
        SELECT coalesce(w.release_group, d.release_group, r.release_group) AS id, w.title, w.artist,
          ifnull(d.date, r.date), coalesce(d.source, r.source, ''), w.at,
          (SELECT artist_id FROM albums a WHERE a.match_artist = ifnull(d.match_artist, r.match_artist)
            AND a.is_here = 1 AND a.artist_id IS NOT NULL LIMIT 1)
        FROM listed w
        LEFT JOIN wishes d ON d.release_group = (SELECT x.release_group FROM wishes x
          WHERE x.release_group = w.release_group OR x.match_key = w.match_key LIMIT 1)
        LEFT JOIN releases r ON r.number = (SELECT x.number FROM releases x
          WHERE x.release_group = w.release_group OR x.match_key = w.match_key LIMIT 1)
        WHERE id IS NOT NULL ORDER BY w.at DESC, id
        """
      ) { row in
        let album = Self.missing(
          releaseGroup: try row.value(0), title: try row.value(1), artist: try row.value(2),
          artistID: try row.value(6), date: try row.value(3), source: try row.value(4), isWished: true,
          coverArt: hasCovers ? coverArt : nil)
        return Discovery.Wish(album: album, at: try row.value(5))
      }
    }
    var bytes = 0
    return Discovery.WishList(
      wishes: Array(
        wishes.prefix { wish in
          bytes += 700 + 5 * (wish.album.title.utf8.count + wish.album.artist.utf8.count)
          return bytes <= Self.mostBytes
        }))
  }

  /// True if the Cover Art Archive is on.
  static func hasCovers(_ transaction: ReadTransaction) throws -> Bool {
    try transaction.value("SELECT is_on FROM outside_sources WHERE name = ?", CoverArt.name) ?? false
  }

  /// Returns the description of an album that is not in the library, with the pages about it.
  ///
  /// - Parameter coverArt: the base address of the Cover Art Archive; nil while that is off.
  static func missing(
    releaseGroup: String, title: String, artist: String, artistID: ArtistID?, date: String?, source: String,
    isWished: Bool, coverArt: String?
  ) -> Discovery.MissingAlbum {
    let words = PercentCoding.encode("\(artist) \(title)")
    return Discovery.MissingAlbum(
      releaseGroup: releaseGroup, title: title, artist: artist, artistID: artistID, date: date,
      art: coverArt.map { CoverArt.art(of: releaseGroup, at: $0) }, source: source,
      links: [
        .init(name: "MusicBrainz", url: "https://musicbrainz.org/release-group/\(releaseGroup)"),
        .init(name: "ListenBrainz", url: "https://listenbrainz.org/album/\(releaseGroup)/"),
        .init(name: "Bandcamp", url: "https://bandcamp.com/search?item_type=a&q=\(words)"),
      ], isWished: isWished)
  }
}
