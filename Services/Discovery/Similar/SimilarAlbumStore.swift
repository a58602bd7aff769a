package import Messages
import Model
package import Storage

/// Reads the albums of the library that are near another one. Only the columns that are compared are read of all
/// albums, so a library of 100,000 is not read into memory.
package struct SimilarAlbumStore: Sendable {
  let database: Database
  let taxonomy: Taxonomy

  private static let mostAlbums = 50
  /// The number of albums whose tags are compared, for each that is asked for.
  private static let candidates = 8
  /// The most artists of a source that are looked at.
  private static let mostArtists = 200

  /// An album with all that a tile needs.
  private struct Details {
    var tile: Discovery.Tile
    var tags: Set<String>
    var isDisliked: Bool
  }

  package init(database: Database, taxonomy: Taxonomy) {
    self.database = database
    self.taxonomy = taxonomy
  }

  /// - Throws: `discovery.unknownAlbum`.
  package func similar(to request: Discovery.ListSimilarAlbums) async throws -> Discovery.SimilarAlbums {
    let limit = min(max(1, request.limit), Self.mostAlbums)
    let taxonomy = taxonomy
    return try await database.read { transaction in
      guard let album = try Self.candidate(request.album, transaction) else {
        throw LunaraError(
          "discovery.unknownAlbum",
          "There is no album \(request.album) in the library. `lunara albums` lists those there are.")
      }
      let tags = try Self.details(album.number, transaction)?.tags ?? []
      let clues = try Self.clues(near: album.number, transaction)
      let found = NearAlbums.nearest(
        to: album, among: try Self.candidates(near: album, clues, taxonomy, transaction), clues: clues,
        limit: Self.candidates * limit, unsorted: taxonomy.unsorted)
      var details: [Int64: Details] = [:]
      let shown = try found.compactMap { one -> NearAlbums.RankedCandidate? in
        guard let known = try Self.details(one.candidate.number, transaction), !known.isDisliked else { return nil }
        details[one.candidate.number] = known
        var one = one
        one.tags = tags.intersection(known.tags).sorted()
        return one
      }
      return Discovery.SimilarAlbums(
        items: NearAlbums.arranged(shown, limit: limit).compactMap { one in
          guard var tile = details[one.candidate.number]?.tile else { return nil }
          let reason = Reason(
            near: album, one, artist: tile.artist, names: Self.names(shared: album, one.candidate, taxonomy),
            rating: tile.evidence.rating)
          tile.reason = reason.sentence
          tile.evidence.genre = reason.evidence.genre
          tile.evidence.source = reason.evidence.source
          return tile
        })
    }
  }

  /// Returns the names of at most three subcategories that both albums have, or of the first genre.
  private static func names(
    shared album: NearAlbums.Candidate, _ other: NearAlbums.Candidate, _ taxonomy: Taxonomy
  ) -> [String] {
    let parts = album.set.subcategories.filter {
      other.set.contains(subcategory: $0) && taxonomy.subcategories.indices.contains($0)
    }
    if !parts.isEmpty { return parts.prefix(3).map { taxonomy.subcategories[$0].name } }
    let genre = album.set.genreIndices.first { $0 != taxonomy.unsorted && other.set.contains(genre: $0) }
    return genre.flatMap { taxonomy.name(ofGenre: $0) }.map { [$0] } ?? []
  }

  private static func candidate(
    _ id: AlbumID, _ transaction: ReadTransaction
  ) throws -> NearAlbums.Candidate? {
    try transaction.row(
      "SELECT number, artist_key, ifnull(year, 0), genres, low, high FROM albums WHERE id = ? AND is_here = 1", id,
      as: candidate)
  }

  private static func candidate(_ row: borrowing Row) throws -> NearAlbums.Candidate {
    let (low, high): (Int64, Int64) = (try row.value(4), try row.value(5))
    return NearAlbums.Candidate(
      number: try row.value(0), artist: try row.value(1), year: try row.value(2),
      set: GenreSet(
        genres: UInt32(truncatingIfNeeded: try row.value(3) as Int64), low: UInt64(bitPattern: low),
        high: UInt64(bitPattern: high)))
  }

  /// Returns the albums that share a subcategory with one, or a genre where it has no subcategory; those of its artist;
  /// and those of artists that sources outside name beside it.
  private static func candidates(
    near album: NearAlbums.Candidate, _ clues: [Int64: Clue], _ taxonomy: Taxonomy, _ transaction: ReadTransaction
  ) throws -> [NearAlbums.Candidate] {
    let genres = album.set.hasSubcategory ? 0 : Int64(album.set.genres & ~(1 << UInt32(taxonomy.unsorted)))
    var found = try transaction.rows(
      """
      SELECT number, artist_key, ifnull(year, 0), genres, low, high FROM albums INDEXED BY albums_by_set
      WHERE is_here = 1 AND ((low & ?1) <> 0 OR (high & ?2) <> 0 OR (genres & ?3) <> 0 OR artist_key = ?4)
      """, Int64(bitPattern: album.set.low), Int64(bitPattern: album.set.high), genres, album.artist, as: candidate)
    guard !clues.isEmpty else { return found }
    let known = Set(found.map(\.number))
    for number in clues.keys.sorted() where !known.contains(number) {
      let other = try transaction.row(
        "SELECT number, artist_key, ifnull(year, 0), genres, low, high FROM albums WHERE number = ?", number,
        as: candidate)
      if let other { found.append(other) }
    }
    return found
  }

  /// Returns what sources outside say of the artists that are near the artist of an album, by the rows of their albums:
  /// those that listeners of the artist play, and those whose listeners play the artist.
  private static func clues(near album: Int64, _ transaction: ReadTransaction) throws -> [Int64: Clue] {
    let artist = try transaction.row("SELECT artist, match_artist FROM albums WHERE number = ?", album) {
      (name: try $0.value(0) as String, key: try $0.value(1) as Int64?)
    }
    guard let artist else { return [:] }
    let sources: [(name: String, title: String)] = [
      (ListenBrainzArtists.name, ListenBrainzArtists.title), (LastFMArtists.name, LastFMArtists.title),
    ]
    var clues: [Int64: Clue] = [:]
    for source in sources {
      let near = try transaction.rows(
        """
        SELECT DISTINCT match_artist, near FROM finds
        WHERE source = ?1 AND kind = ?2 AND (near = ?3 OR match_artist = ?4) LIMIT ?5
        """, source.name, Clue.Kind.similarArtist.rawValue, artist.name, artist.key, mostArtists
      ) { (key: try $0.value(0) as Int64?, near: try $0.value(1) as String?) }
      for row in near {
        // Listeners of the artist play the other one, or vice versa.
        let isOther = row.key != artist.key
        guard let key = isOther ? row.key : row.near.map(MatchKey.artist), key != artist.key else { continue }
        let numbers: [Int64] = try transaction.values(
          "SELECT number FROM albums WHERE match_artist = ? AND is_here = 1 LIMIT 50", key)
        for number in numbers where clues[number] == nil {
          clues[number] = Clue(kind: .similarArtist, source: source.title, near: artist.name)
        }
      }
    }
    return clues
  }

  private static func details(_ number: Int64, _ transaction: ReadTransaction) throws -> Details? {
    try transaction.row(
      """
      SELECT a.id, a.title, a.artist, a.artist_id, a.year, a.art, a.rating, a.plays, a.played_at, a.tags,
        ifnull(o.opinion, 0)
      FROM albums a LEFT JOIN opinions o ON o.id = a.id WHERE a.number = ?
      """, number
    ) { row in
      var evidence = Discovery.Evidence(
        lastPlayedAt: try row.value(8), plays: try row.value(7), rating: try row.value(6))
      if evidence.plays == 0 { evidence.plays = nil }
      let tile = Discovery.Tile(
        id: try row.value(0), title: try row.value(1), artist: try row.value(2), artistID: try row.value(3),
        year: try row.value(4), art: try row.value(5), signal: .recommended, reason: "", evidence: evidence)
      return Details(
        tile: tile, tags: Set(OwnedAlbumStore.unpack(try row.value(9)).map(TagFolding.fold)),
        isDisliked: try row.value(10) as Int == Int(OwnedAlbum.Opinion.disliked.rawValue))
    }
  }
}
