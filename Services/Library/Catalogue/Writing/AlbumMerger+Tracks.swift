import Model
import Records
import Storage

/// Shows the tracks of merged albums.
extension AlbumMerger {
  private static let libraryRatingQuery = """
    (SELECT rating FROM ratings WHERE kind = \(CatalogueID.Kind.track.sql) AND identity = tracks.identity)
    """

  /// Shows all tracks of an album that has no other members.
  func showAll(of album: Int64) throws {
    let rating = hasRatings ? "ifnull(own_rating, \(Self.libraryRatingQuery))" : "own_rating"
    try transaction.execute(
      """
      UPDATE tracks SET shelf = ?1, shown = id, rating = \(rating), played_at = heard_at WHERE album = ?1
        AND (shelf IS NOT ?1 OR shown <> id OR rating IS NOT \(rating) OR played_at <> heard_at)
      """, album)
  }

  /// A track of one of several members.
  struct Copy {
    var track: TrackPairing.Track
    var shownAlbum: Int64?
    var shown: Int64
    var rating: Rating?
    var ownRating: Rating?
    var played: Int64
    var heard: Int64
    var identity: Int64
  }

  /// Returns the tracks of some albums by their numbers.
  func copies(of members: [Member]) throws -> [Int64: Copy] {
    var copies: [Int64: Copy] = [:]
    for member in members {
      let source = rank(member.id.source)
      _ = try transaction.rows(
        """
        SELECT id, disc, number, title, duration, is_lossless, shelf, shown, rating, own_rating, played_at,
          heard_at, identity, codec, bit_rate, sample_rate, bit_depth, channels FROM tracks WHERE album = ?
        """, member.number
      ) { row in
        let number: Int64 = try row.value(0)
        let audio = AudioProperties(
          codec: try row.value(13), bitRate: try row.value(14), sampleRate: try row.value(15),
          bitDepth: try row.value(16), channels: try row.value(17))
        let track = TrackPairing.Track(
          number: number, album: member.number,
          place: .init(disc: try row.value(1), number: try row.value(2), title: try row.value(3)),
          duration: try row.value(4),
          rank: .init(isLossless: try row.value(5), audio: audio, source: source, number: number))
        copies[number] = Copy(
          track: track, shownAlbum: try row.value(6), shown: try row.value(7), rating: try row.value(8),
          ownRating: try row.value(9), played: try row.value(10), heard: try row.value(11),
          identity: try row.value(12))
      }
    }
    return copies
  }

  /// Shows the best copy of each track.
  func showBest(of copies: [Int64: Copy], on shownAlbum: Int64) throws {
    for pair in TrackPairing.pairs(of: copies.values.map(\.track)) {
      try show(pair.compactMap { copies[$0] }, on: shownAlbum)
    }
  }

  /// Shows the first of some copies of a track, which is the best one, and hides the others.
  private func show(_ pair: [Copy], on shownAlbum: Int64) throws {
    guard let best = pair.first else { return }
    let number = best.track.number
    let played = pair.reduce(0) { max($0, $1.heard) }
    let own = pair.lazy.compactMap(\.ownRating).first
    let rating = try own ?? libraryRating(pair)
    if best.shownAlbum != shownAlbum || best.shown != number || best.played != played || best.rating != rating {
      try transaction.execute(
        "UPDATE tracks SET shelf = ?, shown = ?, rating = ?, played_at = ? WHERE id = ?", shownAlbum, number, rating,
        played, number)
    }
    for other in pair.dropFirst() where other.shownAlbum != nil || other.shown != number {
      try transaction.execute(
        "UPDATE tracks SET shelf = NULL, shown = ? WHERE id = ?", number, other.track.number)
    }
  }

  private func libraryRating(_ pair: [Copy]) throws -> Rating? {
    for copy in pair { if let rating = try libraryRating(.track, copy.identity) { return rating } }
    return nil
  }

  /// Returns the rating that a person gave to an item of no server.
  func libraryRating(_ kind: CatalogueID.Kind, _ identity: Int64) throws -> Rating? {
    guard hasRatings else { return nil }
    return try transaction.value("SELECT rating FROM ratings WHERE kind = ? AND identity = ?", kind, identity)
  }
}
