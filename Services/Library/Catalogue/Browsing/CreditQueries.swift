package import Messages
import Model
import Records
import Storage
import Text

/// People by the names and ids that requests give.
enum ArtistNames {
  /// Returns the number of the artist with a name or an id; nil if there is none.
  static func number(of text: String, _ transaction: ReadTransaction) throws -> Int64? {
    let key = ArtistRows.key(of: text)
    if let number: Int64 = try transaction.value("SELECT artist FROM artist_names WHERE key = ?", key) { return number }
    if let number: Int64 = try transaction.value("SELECT id FROM artists WHERE key = ?", key) { return number }
    return try ArtistID(text).flatMap { try Catalogue.find(.artist, $0, transaction) }
  }
}

/// Queries for the albums and tracks that credit people.
extension Catalogue {
  /// Returns a query for the numbers of the shown albums of an artist. `artist` is SQL that stands in it twice.
  package static func albumNumbers(ofArtist artist: String) -> String { albumNumbers(whereArtist: "= \(artist)") }

  /// Returns a query for the numbers of the shown albums whose artists compare so. The comparison stands in it twice.
  package static func albumNumbers(whereArtist comparison: String) -> String {
    """
    SELECT shelf FROM albums WHERE artist_id \(comparison)
    UNION SELECT m.shelf FROM album_artists x CROSS JOIN albums m ON m.id = x.album WHERE x.artist \(comparison)
    """
  }

  /// A query for the numbers of the albums on which tracks with credits `c` are shown, up to the condition of `c`.
  static let creditedAlbums =
    "SELECT s.shelf FROM credits c CROSS JOIN tracks s ON s.id = c.track WHERE s.shelf IS NOT NULL AND"

  /// Returns the condition that an artist `r` has a role.
  static func hasRole(_ role: CreditRole) -> String {
    let bit = "r.roles & \(1 << (role.number ?? 62)) <> 0"
    return switch role {
    case .albumArtist: "r.albums > 0"
    case .artist: "(r.albums > 0 OR \(bit))"
    default: bit
    }
  }

  /// A track that is credited to an artist as its artist counts only where the album is not the artist's own.
  private static let isElsewhere = """
    (c.role <> 0 OR NOT EXISTS (SELECT 1 FROM albums o WHERE o.id = s.shelf AND (o.artist_id = c.artist
      OR EXISTS (SELECT 1 FROM album_artists x WHERE x.album = o.id AND x.artist = c.artist))))
    """

  /// Returns the roles of an artist on single tracks and on albums of others, with their numbers.
  static func appearances(of artist: Int64, _ transaction: ReadTransaction) throws -> [Library.CreditGroup] {
    try transaction.rows(
      """
      SELECT c.role, count(DISTINCT s.shelf), count(DISTINCT s.id) FROM credits c CROSS JOIN tracks s ON s.id = c.track
      WHERE c.artist = ? AND s.shelf IS NOT NULL AND \(isElsewhere) GROUP BY c.role ORDER BY c.role
      """, artist
    ) { row -> Library.CreditGroup? in
      guard let role = CreditRole(number: try row.value(0)) else { return nil }
      return Library.CreditGroup(role: role, albums: try row.value(1), tracks: try row.value(2))
    }.compactMap(\.self)
  }

  /// The order of credited tracks: by year, with unknown ones last, then by album and place.
  static let creditedTracks = ListOrder(
    "credits", .number("ifnull(a.year, 1000000)"), .text("a.title_sort"), .number("a.id"), .number("t.disc"),
    .number("ifnull(t.number, 1000000)"), .text("t.title_sort"), .number("t.id"))

  /// Returns a page of the tracks on which an artist has a role. All of them are read for each page, which takes some
  /// milliseconds for a thousand.
  ///
  /// - Throws: `library.unknownID`, `library.badCursor`.
  static func credits(
    _ request: Library.ListCredits, _ transaction: ReadTransaction
  ) throws -> Library.Page<Library.CreditedTrack> {
    let artist = try number(of: .artist, request.artist, transaction)
    let id: ArtistID? = try transaction.value("SELECT source || ':r' || id FROM artists WHERE id = ?", artist)
    return try transaction.page(
      creditedTracks, after: request.after, PageBudget(items: limit(request.limit)),
      "\(trackColumns), g.name, g.instruments",
      """
      FROM (SELECT c.track AS track, c.name AS name, min(c.place), group_concat(c.instrument, ', ') AS instruments
        FROM credits c CROSS JOIN tracks s ON s.id = c.track
        WHERE c.artist = ? AND c.role = ? AND s.shelf IS NOT NULL AND \(isElsewhere) GROUP BY c.track) g
      CROSS JOIN tracks t ON t.id = g.track CROSS JOIN albums a ON a.id = t.shelf WHERE TRUE
      """, [artist, request.role.number ?? -1]
    ) { row in
      // The columns of the order come last.
      let place = row.count - 9
      return Library.CreditedTrack(
        track: try track(row),
        credit: Credit(
          role: request.role, name: try row.value(place), artist: id, instrument: try row.value(place + 1)))
    }
  }

  /// Returns the other names of an artist.
  static func aliases(of artist: Int64, _ transaction: ReadTransaction) throws -> [String] {
    try transaction.values(
      """
      SELECT n.name FROM artist_names n CROSS JOIN artists r ON r.id = n.artist
      WHERE n.artist = ? AND n.key <> r.key AND n.name <> r.name ORDER BY n.key LIMIT 24
      """, artist)
  }
}

extension Library.CreditedTrack: SizedItem {
  package var size: Int { track.size + 120 + PageBudget.size(credit.name) + PageBudget.size(credit.instrument) }
}
