import Messages
import Model
import Storage

/// Counts of the albums: their genres, the tags that belong to none, and what diagnostics show.
struct OwnedAlbumCounts: Sendable {
  let database: Database
  let taxonomy: Taxonomy

  /// The most tags without a genre that are listed.
  private static let mostTags = 200

  /// Returns the genres that the library has, and the tags that belong to none.
  func genres() async throws -> Discovery.GenreList {
    let taxonomy = taxonomy
    return try await database.read { transaction in
      var (genres, parts) = ([Int](repeating: 0, count: 32), [Int](repeating: 0, count: GenreSet.mostSubcategories))
      var (tagged, matched): (Int, Int) = (0, 0)
      var (tags, known): ([String: (name: String, albums: Int)], [String: [String]]) = ([:], [:])
      _ = try transaction.rows("SELECT tags, genres, low, high FROM albums WHERE is_here = 1") { row in
        let packed: String = try row.value(0)
        let (low, high): (Int64, Int64) = (try row.value(2), try row.value(3))
        let set = GenreSet(
          genres: UInt32(truncatingIfNeeded: try row.value(1) as Int64), low: UInt64(bitPattern: low),
          high: UInt64(bitPattern: high))
        for genre in set.genreIndices { genres[genre] += 1 }
        for part in set.subcategories { parts[part] += 1 }
        guard !packed.isEmpty else { return }
        tagged += 1
        if !set.contains(genre: taxonomy.unsorted) { matched += 1 }
        if known[packed] == nil { known[packed] = taxonomy.match(OwnedAlbumStore.unpack(packed)).unmatched }
        for tag in Set(known[packed] ?? []) {
          let folded = TagFolding.fold(tag)
          guard !folded.isEmpty, tags[folded] != nil || tags.count < 20_000 else { continue }
          tags[folded, default: (tag, 0)].albums += 1
        }
      }
      let listed = taxonomy.genres.indices.filter { genres[$0] > 0 }.map { index in
        let genre = taxonomy.genres[index]
        return Discovery.Genre(
          id: genre.id, name: genre.name, albums: genres[index],
          subcategories: genre.subcategories.filter { parts[$0] > 0 }.map {
            Discovery.Genre(id: taxonomy.subcategories[$0].id, name: taxonomy.subcategories[$0].name, albums: parts[$0])
          })
      }
      let unmatched = tags.values.sorted { ($1.albums, $0.name) < ($0.albums, $1.name) }.prefix(Self.mostTags).map {
        Discovery.UnmatchedTag(tag: $0.name, albums: $0.albums)
      }
      return Discovery.GenreList(genres: listed, tagged: tagged, matched: matched, unmatched: unmatched)
    }
  }

  /// Returns what diagnostics show.
  func diagnostics(_ shelf: Discovery.ShelfState, _ view: RankedAlbums, at now: Timestamp) async throws
    -> Discovery.Diagnostics
  {
    let taxonomy = taxonomy
    return try await database.read { transaction in
      func count(_ sql: String, _ values: (any SQLBindable)?...) throws -> Int {
        try transaction.rows("SELECT count(*) FROM \(sql)", values: values) { try $0.value(0) as Int }.first ?? 0
      }
      let since = now - Milliseconds(Int64(Dial.heldDays(at: shelf.dial)) * Ages.day * 1000)
      let (likes, dislikes) = (
        try count("opinions WHERE opinion = 1"), try count("opinions WHERE opinion = 2")
      )
      return Discovery.Diagnostics(
        shelf: shelf, played: try count("albums WHERE is_here = 1 AND plays > 0"),
        rated: try count("albums WHERE is_here = 1 AND rating IS NOT NULL"),
        tagged: try count("albums WHERE is_here = 1 AND tags <> ''"),
        matched: try count("albums WHERE is_here = 1 AND genres & ? = 0", Int64(1) << Int64(taxonomy.unsorted)),
        likes: likes, dislikes: dislikes,
        // One row an album can hold one opinion only.
        both: 0,
        heldBack: min(try count("seen WHERE seen_at > ?", since), view.shownCount / 2) + view.unwanted.count,
        walls: try count("walls"), dials: Self.dials, sources: try Self.sources(shelf, transaction))
    }
  }

  /// Returns the sources inside the house.
  static func sources(_ shelf: Discovery.ShelfState, _ transaction: ReadTransaction) throws -> [Discovery.DataSource] {
    let status = try OwnedAlbumStore.status(transaction)
    let opinions: Int = try transaction.value("SELECT count(*) FROM opinions WHERE opinion <> 0") ?? 0
    return [
      .init(name: "library", readAt: status.readAt, items: shelf.albums, problem: shelf.problem),
      .init(name: "opinions", readAt: status.opinionsAt, items: opinions),
    ]
  }

  /// The weights of a wall at each position of the dial.
  static var dials: [Discovery.DialRow] {
    Dial.positions.map { dial in
      let weights = Dial.wallWeights(at: dial)
      let counts = Shares.counts(weights, total: 50)
      return Discovery.DialRow(
        dial: dial, name: Dial.names[dial - 1],
        shares: Dial.wallSignals.indices.map {
          .init(signal: Dial.wallSignals[$0], percent: weights[$0], ofFifty: counts[$0])
        })
    }
  }
}
