import Messages
import Model
import Storage

/// Keeps the wish list: albums that are not on the shelf.
struct WishStore: Sendable {
  let database: Database
  /// The base address of the Cover Art Archive.
  let coverArt: String

  /// The most wishes that are kept, and the most bytes of a list of them.
  private static let (most, mostBytes) = (2000, 190_000)

  /// Puts an album on the list, or takes it off.
  ///
  /// - Throws: `discovery.unknownRelease`.
  func set(_ request: Discovery.SetWish, at now: Timestamp) async throws {
    let id = SourceText.id(request.releaseGroup) ?? request.releaseGroup
    try await database.write(.power) { transaction in
      guard request.isWished else {
        try transaction.execute("DELETE FROM wishes WHERE release_group = ?", id)
        return
      }
      if try transaction.value("SELECT 1 FROM wishes WHERE release_group = ?", id) as Int? != nil { return }
      let count = try transaction.execute(
        """
        INSERT INTO wishes (release_group, title, artist, match_key, match_artist, date, source, wished_at)
        SELECT release_group, title, artist, match_key, match_artist, date, source, ? FROM releases
        WHERE release_group = ?
        """, now, id)
      guard count > 0 else {
        throw LunaraError(
          "discovery.unknownRelease",
          "No source has named an album with the id \(request.releaseGroup.prefix(80)). Wish one that a wall shows.")
      }
      try transaction.execute(
        """
        DELETE FROM wishes WHERE release_group NOT IN
          (SELECT release_group FROM wishes ORDER BY wished_at DESC, release_group LIMIT ?)
        """, Self.most)
    }
  }

  /// Returns the wishes, the latest first, as many as fit into an answer.
  func list() async throws -> Discovery.WishList {
    let coverArt = coverArt
    let wishes = try await database.read { transaction in
      let hasCovers = try Self.hasCovers(transaction)
      return try transaction.rows(
        """
        SELECT w.release_group, w.title, w.artist, w.date, w.source, w.wished_at,
          (SELECT artist_id FROM albums a WHERE a.match_artist = w.match_artist AND a.is_here = 1
            AND artist_id IS NOT NULL LIMIT 1),
          ifnull((SELECT id FROM albums a WHERE a.release_group = w.release_group AND a.is_here = 1 LIMIT 1),
            (SELECT id FROM albums a WHERE a.match_key = w.match_key AND a.is_here = 1 LIMIT 1))
        FROM wishes w ORDER BY w.wished_at DESC, w.release_group
        """
      ) { row in
        let album = Self.missing(
          releaseGroup: try row.value(0), title: try row.value(1), artist: try row.value(2),
          artistID: try row.value(6), date: try row.value(3), source: try row.value(4), isWished: true,
          coverArt: hasCovers ? coverArt : nil)
        return Discovery.Wish(album: album, at: try row.value(5), id: try row.value(7))
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

  /// Returns the description of an album that is not on the shelf, with the pages about it.
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
