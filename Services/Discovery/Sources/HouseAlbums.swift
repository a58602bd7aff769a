import Messages
import Model
import Storage
import Text

/// Reads what sources outside may know about the house's own albums.
struct HouseAlbums: Sendable {
  let database: Database
  let taxonomy: Taxonomy

  /// An album by which an artist is known to the sources.
  struct ReferenceAlbum: Hashable, Sendable {
    var id: AlbumID
    var title: String
    var artist: String
    var artistKey: Int64
    /// The MusicBrainz id of its release group; nil if it has none.
    var releaseGroup: String?
  }

  /// Returns the next release groups of the house, in the order of their ids.
  func releaseGroups(after: String?, limit: Int) async throws -> [String] {
    try await database.read {
      try $0.values(
        """
        SELECT DISTINCT release_group FROM albums WHERE is_here = 1 AND release_group > ? ORDER BY release_group LIMIT ?
        """, after ?? "", limit)
    }
  }

  /// Returns an album each of the artists that one likes, rates best and plays most, the best first.
  func favourites(_ limit: Int, needsReleaseGroup: Bool = false) async throws -> [ReferenceAlbum] {
    let rows = try await database.read { transaction in
      try transaction.rows(
        """
        SELECT a.id, a.title, a.artist, a.match_artist, a.release_group,
          max((ifnull(o.opinion, 0) = 1) * 1000 + ifnull(a.rating, 0) * 20 + min(a.plays, 99)) AS weight
        FROM albums a LEFT JOIN opinions o ON o.id = a.id
        WHERE a.is_here = 1 AND ifnull(o.opinion, 0) <> 2 AND a.match_artist IS NOT NULL
          AND (a.release_group IS NOT NULL OR ? = 0)
        GROUP BY a.match_artist ORDER BY weight DESC, a.number LIMIT ?
        """, needsReleaseGroup ? 1 : 0, limit
      ) { (known: try Self.known($0), weight: try $0.value(5) as Int64) }
    }
    return rows.filter { $0.weight > 0 }.map(\.known)
  }

  /// Returns the names of the house's genres, those of the taxonomy and not people's own; a name with a stroke in it,
  /// such as `R&B/Soul`, is two.
  func genreNames() async throws -> [String] {
    let bits: [Int64] = try await database.read {
      try $0.values("SELECT DISTINCT genres FROM albums WHERE is_here = 1")
    }
    let set = GenreSet(genres: bits.reduce(0) { $0 | UInt32(truncatingIfNeeded: $1) })
    return taxonomy.genres.indices.filter { $0 != taxonomy.other && set.contains(genre: $0) }
      .flatMap { taxonomy.genres[$0].name.split(separator: "/").map(String.init) }
  }

  /// Returns an album with a release group each of the next artists, in the order of their keys.
  func artists(after key: Int64?, limit: Int) async throws -> [ReferenceAlbum] {
    try await database.read { transaction in
      try transaction.rows(
        """
        SELECT id, title, artist, match_artist, min(release_group) FROM albums
        WHERE is_here = 1 AND release_group IS NOT NULL AND match_artist > ?
        GROUP BY match_artist ORDER BY match_artist LIMIT ?
        """, key ?? Int64.min, limit, as: Self.known)
    }
  }

  private static func known(_ row: borrowing Row) throws -> ReferenceAlbum {
    ReferenceAlbum(
      id: try row.value(0), title: try row.value(1), artist: try row.value(2), artistKey: try row.value(3),
      releaseGroup: try row.value(4))
  }

  /// Returns the MusicBrainz id of an artist, as far as a source has told it.
  func artistID(_ key: Int64) async throws -> String? {
    try await database.read { try $0.value("SELECT mbid FROM artist_ids WHERE match_artist = ?", key) }
  }

  func store(artistID: String, of key: Int64) async throws {
    try await database.write {
      try $0.execute("INSERT OR REPLACE INTO artist_ids (match_artist, mbid) VALUES (?, ?)", key, artistID)
    }
  }
}

/// The hashes by which albums of the house and of sources are compared: of the artist, and of artist and title, both
/// without case, accents and signs.
enum MatchKey {
  static func artist(_ artist: String) -> Int64 { Int64(bitPattern: FNV1a.hash(folded(artist))) }

  static func album(_ artist: String, _ title: String) -> Int64 {
    Int64(bitPattern: FNV1a.hash("\(folded(artist))\u{1F}\(folded(title))"))
  }

  /// Returns the folded form; the text itself where only signs are in it.
  private static func folded(_ text: String) -> String {
    let folded = TagFolding.fold(text)
    return folded.isEmpty ? text : folded
  }
}

/// Texts and ids of sources, which are not trusted.
enum SourceText {
  /// The most characters of a text.
  private static let longest = 200
  /// The most scalars of a text, as a character can have any number of marks.
  private static let mostScalars = 800

  /// Returns a text whose control characters are replaced, cut to its longest; nil for an empty one.
  static func clean(_ text: String?) -> String? {
    guard let text else { return nil }
    let scalars = text.prefix(longest).unicodeScalars.prefix(mostScalars)
    let clean = String(String.UnicodeScalarView(scalars)).withoutUnsafeScalars.trimmed
    return clean.isEmpty ? nil : clean
  }

  /// Returns a MusicBrainz id in small letters; nil for another text.
  static func id(_ text: String?) -> String? {
    guard let text, text.utf8.count == 36 else { return nil }
    let parts = text.lowercased().utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isHexadecimal = parts.joined().allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    return parts.map(\.count) == [8, 4, 4, 4, 12] && isHexadecimal ? text.lowercased() : nil
  }

  /// Returns a date as `2026-11-26`, `2026-11` or `2026`; nil for another text.
  static func date(_ text: String?) -> String? {
    guard let text, [4, 7, 10].contains(text.utf8.count) else { return nil }
    let isDate = text.utf8.enumerated().allSatisfy { place, byte in
      place == 4 || place == 7 ? byte == UInt8(ascii: "-") : (48...57).contains(byte)
    }
    return isDate ? text : nil
  }

  /// Returns a number from 0 to a billion; nil for another value.
  static func count(_ view: JSONView?) -> Int? {
    guard let number = view?.integer, (0...1_000_000_000_000).contains(number) else { return nil }
    return Int(number)
  }
}
