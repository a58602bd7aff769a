import Bus
import Catalogue
import Messages
import Model
import Records
import Storage

/// The places where a rating is written: an item that is shown once may come from several sources.
struct RatingPlan: Sendable {
  /// The row at a server that keeps ratings itself.
  struct Member: Sendable, Equatable {
    var source: String
    var item: RatedItem
    var number: Int64
    /// False if the server keeps whole stars only.
    var keepsHalfStars = true
  }

  var shown: CatalogueID
  /// Its id.
  var id: PlayableID
  /// The servers' rows, in the person's order of sources.
  var members: [Member]
  /// The hash under which the library keeps a rating itself, for items that no server rates.
  var identity: Int64
  /// True if a source that keeps no ratings, such as a music folder, has the item too: then the library can keep it.
  var isKeptHere: Bool

  /// The queries for a kind of item, each by the item's number: its identity and id; the source, server's id and number
  /// of each of its rows; the sources that have it.
  private typealias Queries = (item: String, members: String, sources: String, rated: @Sendable (String) -> RatedItem)

  private static let queries: [CatalogueID.Kind: Queries] = [
    .album: (
      "SELECT \(AlbumKey.column), a.source || ':a' || a.id FROM albums a WHERE a.id = ?1",
      "SELECT source, key, id FROM albums WHERE merge_key = (SELECT merge_key FROM albums WHERE id = ?1) AND shelf = ?1",
      "SELECT source FROM albums WHERE merge_key = (SELECT merge_key FROM albums WHERE id = ?1) AND shelf = ?1",
      { .album($0) }
    ),
    .track: (
      "SELECT identity, source || ':t' || id FROM tracks WHERE id = ?1",
      "SELECT source, native, id FROM tracks WHERE id = ?1 OR (shown = ?1 AND shown <> id)",
      "SELECT source FROM tracks WHERE id = ?1 OR (shown = ?1 AND shown <> id)",
      { .track($0) }
    ),
    .artist: (
      "SELECT key, source || ':r' || id FROM artists WHERE id = ?1",
      "SELECT source, native, 0 FROM artist_members WHERE key = (SELECT key FROM artists WHERE id = ?1)",
      "SELECT source FROM albums WHERE artist_id = ?1",
      { .artist($0) }
    ),
  ]

  /// Makes the plan for an item. Throws `library.unknownID`, and `library.notRateable` for anything but an album, track
  /// or artist.
  init(_ rated: PlayableID, _ kinds: SourceKinds, _ transaction: ReadTransaction) throws {
    guard let shown = try Catalogue.resolve(rated, transaction) else { throw CatalogueID.unknown(rated) }
    guard let queries = Self.queries[shown.kind] else {
      throw SourceError.notRateable(rated.description, rated.source)
    }
    let item = try transaction.row(queries.item, shown.number) {
      (identity: try $0.value(0) as SQLValue, id: try $0.value(1) as PlayableID)
    }
    guard let item else { throw CatalogueID.unknown(rated) }
    self.shown = shown
    id = item.id
    identity =
      switch item.identity {
      case .integer(let identity): identity
      case .text(let key): contentHash(of: key.utf8)
      default: throw CatalogueID.unknown(rated)
      }
    members = try transaction.rows(
      """
      SELECT s.kind, m.* FROM (\(queries.members)) m JOIN sources s ON s.name = m.source
      ORDER BY s.position, m.source, 4, 3
      """, shown.number
    ) { row in
      // Rows of sources that keep no ratings need not have an id at a server.
      let kind: String = try row.value(0)
      guard kinds.can(.ratings, kind) else { return nil }
      return Member(
        source: try row.value(1), item: queries.rated(try row.value(2)), number: try row.value(3),
        keepsHalfStars: kinds[kind]?.keepsHalfStars ?? true)
    }.compactMap { (member: Member?) in member }
    let sources: [String] = try transaction.values(
      "SELECT DISTINCT s.kind FROM (\(queries.sources)) m JOIN sources s ON s.name = m.source", shown.number)
    isKeptHere = sources.contains { !kinds.can(.ratings, $0) }
  }
}

/// Writes a rating once the sources have accepted it.
enum Ratings {
  /// Writes a rating to the rows and publishes the change.
  ///
  /// Ratings of items that no server has are kept in a table of their own, which no refresh changes. The digest of a
  /// server's row is cleared, so that the next refresh reads the row again: it belongs to the rating before, which a
  /// person may restore at the server. A refresh that runs now takes this rating, not the one that it read before.
  static func write(
    _ plan: RatingPlan, _ rating: Rating?, at now: Timestamp, _ journal: Journal?, _ transaction: Transaction
  ) throws {
    let (kind, number, table) = (plan.shown.kind, plan.shown.number, plan.shown.kind.rows.table)
    for member in plan.members {
      try StagingTable.note(rating, of: member.item, at: member.source, transaction)
      if kind == .artist {
        try transaction.execute(
          "UPDATE artist_members SET rating = ?, digest = 0 WHERE source = ? AND native = ?", rating, member.source,
          member.item.native)
      } else {
        try transaction.execute(
          "UPDATE \(table) SET own_rating = ?, digest = NULL WHERE id = ?", rating, member.number)
      }
    }
    try transaction.execute("UPDATE \(table) SET rating = ? WHERE id = ?", rating, number)
    if let rating, plan.members.isEmpty {
      try transaction.execute(
        "INSERT OR REPLACE INTO ratings (kind, identity, rating, rated_at) VALUES (?, ?, ?, ?)", kind, plan.identity,
        rating, now)
    } else {
      try transaction.execute("DELETE FROM ratings WHERE kind = ? AND identity = ?", kind, plan.identity)
    }
    let track = kind == .track ? try Catalogue.track(number, transaction) : nil
    try journal?.append(Library.RatingChanged(id: plan.id, rating: rating, track: track), in: transaction)
  }
}
