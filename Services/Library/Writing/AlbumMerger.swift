import Model
import Storage

/// Merges the albums of one merge key, of all sources, into the one that is shown.
///
/// The result depends only on the rows of the sources, so merging again gives the same.
struct AlbumMerger {
  /// The result of a merge.
  struct Merged {
    /// The number of the album that is shown; nil where none is left.
    var number: Int64?
    var shown: AlbumID?
    /// Albums that were shown until now and are now part of `shown`.
    var hidden: [AlbumID] = []
    var artists: Set<Int64> = []
  }

  private struct Member {
    var number: Int64
    var id: AlbumID
    var shelf: Int64
    var artist: Int64
    var searchRow: Int64?
    var art: String?
    var rating: Rating?
  }

  private let transaction: Transaction
  private let ranks: [String: SourceRank]
  /// True where people gave ratings in the library itself.
  private let hasRatings: Bool

  init(_ transaction: Transaction) throws {
    self.transaction = transaction
    let ranked = try transaction.rows("SELECT name, kind <> ?, position FROM sources", FilesSource.kind) {
      SourceRank(isRemote: try $0.value(1), position: try $0.value(2), name: try $0.value(0))
    }
    ranks = Dictionary(ranked.map { ($0.name, $0) }) { $1 }
    hasRatings = try transaction.value("SELECT 1 FROM ratings LIMIT 1") as Int? != nil
  }

  private func rank(_ source: String) -> SourceRank {
    ranks[source] ?? SourceRank(isRemote: source != FilesSource.name, position: 0, name: source)
  }

  func merge(_ key: String, _ search: inout SearchIndex) throws -> Merged {
    let members = try transaction.rows(
      """
      SELECT id, source || ':a' || id, shelf, artist_id, search_row, source || ':' || own_art, own_rating FROM albums
      WHERE merge_key = ? ORDER BY id
      """, key
    ) { row in
      Member(
        number: try row.value(0), id: try row.value(1), shelf: try row.value(2), artist: try row.value(3),
        searchRow: try row.value(4), art: try row.value(5), rating: try row.value(6))
    }
    guard let canonical = members.first else { return Merged() }
    var merged = Merged(number: canonical.number, shown: canonical.id, artists: Set(members.map(\.artist)))
    for member in members where member.shelf != canonical.number {
      try transaction.execute("UPDATE albums SET shelf = ?, listed = 0 WHERE id = ?", canonical.number, member.number)
    }
    for member in members.dropFirst() {
      if member.shelf == member.number { merged.hidden.append(member.id) }
      guard member.searchRow != nil else { continue }
      search.remove(member.searchRow)
      try transaction.execute("UPDATE albums SET search_row = NULL WHERE id = ?", member.number)
    }
    if members.count == 1 {
      try showAll(of: canonical.number)
    } else {
      try showBest(of: members, &search)
    }
    try write(members, of: key)
    return merged
  }

  private static let libraryRatingQuery = "(SELECT rating FROM ratings WHERE kind = 3 AND identity = tracks.identity)"

  /// Shows all tracks of an album that is the only one of its key.
  private func showAll(of album: Int64) throws {
    let rating = hasRatings ? "ifnull(own_rating, \(Self.libraryRatingQuery))" : "own_rating"
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

  /// Shows the best copy of each track of several albums.
  private func showBest(of members: [Member], _ search: inout SearchIndex) throws {
    guard let shelf = members.first?.number else { return }
    var copies: [Int64: Copy] = [:]
    for member in members {
      let source = rank(member.id.source)
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

  /// Shows the first of some copies of a track, which is the best one, and hides the others.
  private func show(_ pair: [Copy], on shelf: Int64, _ search: inout SearchIndex) throws {
    guard let best = pair.first else { return }
    let number = best.track.number
    let played = pair.reduce(0) { max($0, $1.heard) }
    let own = pair.lazy.compactMap(\.ownRating).first
    let rating = try own ?? libraryRating(pair)
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

  private func libraryRating(_ pair: [Copy]) throws -> Rating? {
    for copy in pair { if let rating = try libraryRating(.track, copy.identity) { return rating } }
    return nil
  }

  private func libraryRating(_ kind: CatalogueID.Kind, _ identity: Int64) throws -> Rating? {
    guard hasRatings else { return nil }
    return try transaction.value("SELECT rating FROM ratings WHERE kind = ? AND identity = ?", kind, identity)
  }

  /// Writes the values of the shown album that are made from all its members.
  private func write(_ members: [Member], of key: String) throws {
    guard let shelf = members.first?.number else { return }
    let ranked = members.sorted { (rank($0.id.source), $0.number) < (rank($1.id.source), $1.number) }
    let rating =
      try ranked.lazy.compactMap(\.rating).first ?? libraryRating(.album, contentHash(of: key.utf8))
    try transaction.execute(
      """
      UPDATE albums SET listed = 1, genres = ?2, art = ?3, rating = ?4, (tracks, duration) =
          (SELECT count(*), ifnull(sum(duration), 0) FROM tracks
            WHERE shelf = ?1 AND album IN (SELECT id FROM albums WHERE merge_key = ?5)),
        added_at = (SELECT min(arrived_at) FROM albums WHERE merge_key = ?5),
        played_at = (SELECT max(max(m.heard_at), ifnull(max(t.heard_at), 0)) FROM albums m
          LEFT JOIN tracks t ON t.album = m.id WHERE m.merge_key = ?5)
      WHERE id = ?1
      """, shelf, TextList.packed(try genres(of: members)), ranked.lazy.compactMap(\.art).first, rating, key)
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
}
