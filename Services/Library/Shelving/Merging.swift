import Model
import Storage

/// Puts together what is shown of the albums of one key: those of all sources, and halves that one source has split.
///
/// What it writes follows from the rows of the sources alone, so it comes to the same whenever it is done.
struct Merging {
  /// What a merge came to.
  struct Merged {
    /// The album that is shown; nil where none is left.
    var number: Int64?
    var shown: AlbumID?
    /// Albums that were shown until now and are part of it.
    var hidden: [AlbumID] = []
    /// The artists of its members.
    var artists: Set<Int64> = []
  }

  /// An album of a source.
  private struct Member {
    var number: Int64
    var source: String
    var shelf: Int64
    var artist: Int64
    var searchRow: Int64?
    var art: String?
    var arrived: Timestamp
    var heard: Timestamp
    var rating: Rating?

    init(_ row: borrowing Row) throws {
      (number, source, shelf) = (try row.value(0), try row.value(1), try row.value(2))
      (artist, searchRow, art) = (try row.value(3), try row.value(4), try row.value(5))
      (arrived, heard, rating) = (try row.value(6), try row.value(7), try row.value(8))
    }
  }

  private let transaction: Transaction
  private let ranks: [String: SourceRank]
  /// Whether there are ratings of our own that tracks may have.
  private let hasRatings: Bool

  init(_ transaction: Transaction) throws {
    self.transaction = transaction
    let ranked = try transaction.rows("SELECT name, kind, position FROM sources") { row in
      SourceRank(
        isRemote: try row.value(1) as String != FilesSource.kind, position: try row.value(2), name: try row.value(0))
    }
    ranks = Dictionary(ranked.map { ($0.name, $0) }) { $1 }
    hasRatings = try transaction.row("SELECT 1 FROM ratings LIMIT 1") { try $0.value(0) as Int } != nil
  }

  private func rank(_ source: String) -> SourceRank {
    ranks[source] ?? SourceRank(isRemote: source != FilesSource.name, position: 0, name: source)
  }

  /// Merges the albums of a key.
  func merge(_ key: String, _ search: inout SearchIndex) throws -> Merged {
    let members = try transaction.rows(
      """
      SELECT id, source, shelf, artist_id, search_row, own_art, arrived_at, heard_at, own_rating FROM albums
      WHERE merge_key = ? ORDER BY id
      """, key
    ) { try Member($0) }
    guard let canonical = members.first else { return Merged() }
    var merged = Merged(
      number: canonical.number, shown: CatalogueID.album(source: canonical.source, canonical.number),
      artists: Set(members.map(\.artist)))
    for member in members where member.shelf != canonical.number {
      try transaction.execute("UPDATE albums SET shelf = ? WHERE id = ?", canonical.number, member.number)
    }
    for member in members.dropFirst() {
      if member.shelf == member.number {
        merged.hidden.append(CatalogueID.album(source: member.source, member.number))
      }
      guard member.searchRow != nil else { continue }
      search.remove(member.searchRow)
      try transaction.execute("UPDATE albums SET search_row = NULL WHERE id = ?", member.number)
    }
    if members.count == 1 {
      try showAll(of: canonical.number)
    } else {
      try showBest(of: members, &search)
    }
    try write(members)
    return merged
  }

  private static let ratingOfOurs = "(SELECT rating FROM ratings WHERE kind = 3 AND identity = tracks.identity)"

  /// An album of its own shows all its tracks.
  private func showAll(of album: Int64) throws {
    let rating = hasRatings ? "ifnull(own_rating, \(Self.ratingOfOurs))" : "own_rating"
    try transaction.execute(
      """
      UPDATE tracks SET shelf = ?1, shown = id, rating = \(rating), played_at = heard_at WHERE album = ?1
        AND (shelf IS NOT ?1 OR shown <> id OR rating IS NOT \(rating) OR played_at <> heard_at)
      """, album)
  }

  private struct Copy {
    var track: TrackPairing.Track
    var shelf: Int64?
    var shown: Int64
    var searchRow: Int64?
    var rating: Rating?
    var ownRating: Rating?
    var played: Int64
    var heard: Int64
    var identity: Int64
  }

  /// An album of several shows the best copy of each track.
  private func showBest(of members: [Member], _ search: inout SearchIndex) throws {
    guard let shelf = members.first?.number else { return }
    var copies: [Int64: Copy] = [:]
    for member in members {
      let source = rank(member.source)
      _ = try transaction.rows(
        """
        SELECT id, disc, number, title, duration, is_lossless, shelf, shown, search_row, rating, own_rating, played_at,
          heard_at, identity FROM tracks WHERE album = ?
        """, member.number
      ) { row in
        let number: Int64 = try row.value(0)
        let track = TrackPairing.Track(
          number: number, album: member.number,
          place: .init(disc: try row.value(1), number: try row.value(2), title: try row.value(3)),
          duration: try row.value(4), rank: .init(isLossless: try row.value(5), source: source, number: number))
        copies[number] = Copy(
          track: track, shelf: try row.value(6), shown: try row.value(7), searchRow: try row.value(8),
          rating: try row.value(9), ownRating: try row.value(10), played: try row.value(11), heard: try row.value(12),
          identity: try row.value(13))
      }
    }
    for pair in TrackPairing.pairs(of: copies.values.map(\.track)) {
      try show(pair.compactMap { copies[$0] }, on: shelf, &search)
    }
  }

  /// Shows the first of some copies; they are given best first.
  private func show(_ pair: [Copy], on shelf: Int64, _ search: inout SearchIndex) throws {
    guard let best = pair.first else { return }
    let number = best.track.number
    let played = pair.reduce(0) { max($0, $1.heard) }
    let own = pair.lazy.compactMap(\.ownRating).first
    let rating = try own ?? ratingOfOurs(pair)
    if best.shelf != shelf || best.shown != number || best.played != played || best.rating != rating {
      try transaction.execute(
        "UPDATE tracks SET shelf = ?, shown = ?, rating = ?, played_at = ? WHERE id = ?", shelf, number, rating,
        played, number)
    }
    for other in pair.dropFirst() where other.shelf != nil || other.shown != number || other.searchRow != nil {
      search.remove(other.searchRow)
      try transaction.execute(
        "UPDATE tracks SET shelf = NULL, shown = ?, search_row = NULL WHERE id = ?", number, other.track.number)
    }
  }

  private func ratingOfOurs(_ pair: [Copy]) throws -> Rating? {
    guard hasRatings else { return nil }
    for copy in pair {
      let rating = try transaction.row(
        "SELECT rating FROM ratings WHERE kind = 3 AND identity = ?", copy.identity, as: { try $0.value(0) as Rating })
      if let rating { return rating }
    }
    return nil
  }

  /// Writes what the album shows of all its members.
  private func write(_ members: [Member]) throws {
    guard let shelf = members.first?.number else { return }
    let ranked = members.sorted {
      let (left, right) = (rank($0.source), rank($1.source))
      return left == right ? $0.number < $1.number : left < right
    }
    var (tracks, duration) = (0, Milliseconds.zero)
    var played = members.map(\.heard).max() ?? Timestamp(microseconds: 0)
    for member in members {
      _ = try transaction.row(
        """
        SELECT ifnull(sum(shelf = ?2), 0), ifnull(sum(CASE WHEN shelf = ?2 THEN duration END), 0),
          ifnull(max(heard_at), 0) FROM tracks WHERE album = ?1
        """, member.number, shelf
      ) { row in
        tracks += try row.value(0)
        duration += try row.value(1)
        played = max(played, try row.value(2))
      }
    }
    let art = ranked.lazy.compactMap { member in member.art.map { "\(member.source):\($0)" } }.first
    let rating = try ranked.lazy.compactMap(\.rating).first ?? ratingOfOurs(album: shelf)
    try transaction.execute(
      """
      UPDATE albums SET genres = ?, tracks = ?, duration = ?, added_at = ?, played_at = ?, art = ?, rating = ?
      WHERE id = ?
      """, TextList.packed(try genres(of: members)), tracks, duration,
      members.map(\.arrived).min(), played, art, rating, shelf)
  }

  private static let mostGenres = 24

  private func genres(of members: [Member]) throws -> [String] {
    var genres: [String] = []
    var folded: Set<String> = []
    for member in members {
      _ = try transaction.rows(
        "SELECT folded, name FROM album_tags WHERE album = ? AND kind = 0 ORDER BY place", member.number
      ) { row in
        guard genres.count < Self.mostGenres, folded.insert(try row.value(0)).inserted else { return }
        genres.append(try row.value(1))
      }
    }
    return genres
  }

  private func ratingOfOurs(album number: Int64) throws -> Rating? {
    guard hasRatings else { return nil }
    let key = try transaction.row("SELECT merge_key FROM albums WHERE id = ?", number) { try $0.value(0) as String }
    return try transaction.row(
      "SELECT rating FROM ratings WHERE kind = 2 AND identity = ?", contentHash(of: (key ?? "").utf8)
    ) { try $0.value(0) as Rating }
  }
}
