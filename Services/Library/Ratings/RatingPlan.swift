import Bus
import Messages
import Model
import Storage

/// The places where a rating goes: an item is shown once, yet may come from several sources.
struct RatingPlan: Sendable {
  /// The row at a server that keeps ratings itself.
  struct Member: Sendable, Equatable {
    var source: String
    var item: RatedItem
    var number: Int64
  }

  /// The item that is shown.
  var shown: CatalogueID
  /// Its id.
  var id: PlayableID
  /// The servers' rows, in the person's order of sources.
  var members: [Member]
  /// The hash under which a rating is kept here, for items that no server rates.
  var identity: Int64
  /// True if a source that keeps no ratings has it too, such as a music folder: then a rating can be kept here.
  var isKeptHere = false

  /// Finds what an id names.
  ///
  /// - Throws: `library.unknownID`, `library.notRateable` for what is no album, track or artist.
  init(_ rated: PlayableID, _ kinds: SourceKinds, _ transaction: ReadTransaction) throws {
    switch try Catalogue.resolve(rated, transaction) {
    case .album(let number)?: try self.init(album: number, kinds, transaction)
    case .track(let number)?: try self.init(track: number, kinds, transaction)
    case .artist(let number)?: try self.init(artist: number, kinds, transaction)
    case .collection?, .playlist?: throw SourceError.notRateable(rated.description, rated.source)
    case nil: throw CatalogueID.unknown(rated)
    }
  }

  private init(album number: Int64, _ kinds: SourceKinds, _ transaction: ReadTransaction) throws {
    let row = try transaction.row("SELECT source, merge_key FROM albums WHERE id = ?", number) { row in
      (source: try row.value(0) as String, key: try row.value(1) as String)
    }
    guard let row else { throw CatalogueID.unknown(PlayableID(source: "", native: "a\(number)")) }
    (shown, id) = (.album(number), PlayableID(source: row.source, native: "a\(number)"))
    identity = contentHash(of: row.key.utf8)
    members = try Self.members(
      "a.key, a.id", of: "albums", where: "a.merge_key = ?", row.key, kinds, transaction
    ) { .album($0) }
    isKeptHere = try Self.isKeptHere("SELECT source FROM albums WHERE merge_key = ?", row.key, kinds, transaction)
  }

  private init(track number: Int64, _ kinds: SourceKinds, _ transaction: ReadTransaction) throws {
    let row = try transaction.row("SELECT source, identity FROM tracks WHERE id = ?", number) { row in
      (source: try row.value(0) as String, identity: try row.value(1) as Int64)
    }
    guard let row else { throw CatalogueID.unknown(PlayableID(source: "", native: "t\(number)")) }
    (shown, id, identity) = (.track(number), PlayableID(source: row.source, native: "t\(number)"), row.identity)
    members = try Self.members(
      "a.native, a.id", of: "tracks", where: "(a.id = ?1 OR (a.shown = ?1 AND a.shown <> a.id))",
      number, kinds, transaction
    ) { .track($0) }
    isKeptHere = try Self.isKeptHere(
      "SELECT source FROM tracks WHERE id = ?1 OR (shown = ?1 AND shown <> id)", number, kinds, transaction)
  }

  private init(artist number: Int64, _ kinds: SourceKinds, _ transaction: ReadTransaction) throws {
    let row = try transaction.row("SELECT source, key FROM artists WHERE id = ?", number) { row in
      (source: try row.value(0) as String, key: try row.value(1) as String)
    }
    guard let row else { throw CatalogueID.unknown(PlayableID(source: "", native: "r\(number)")) }
    (shown, id) = (.artist(number), PlayableID(source: row.source, native: "r\(number)"))
    identity = contentHash(of: row.key.utf8)
    members = try Self.members(
      "a.native, 0", of: "artist_members", where: "a.key = ?", row.key, kinds, transaction
    ) { .artist($0) }
    isKeptHere = try Self.isKeptHere("SELECT source FROM albums WHERE artist_id = ?", number, kinds, transaction)
  }

  private static func isKeptHere(
    _ sources: String, _ value: any SQLBindable, _ kinds: SourceKinds, _ transaction: ReadTransaction
  ) throws -> Bool {
    try transaction.rows("SELECT DISTINCT s.kind FROM (\(sources)) m JOIN sources s ON s.name = m.source", value) {
      try $0.value(0) as String
    }.contains { !kinds.can(.ratings, $0) }
  }

  private static func members(
    _ columns: String, of table: String, where condition: String, _ value: any SQLBindable, _ kinds: SourceKinds,
    _ transaction: ReadTransaction, _ item: (String) -> RatedItem
  ) throws -> [Member] {
    try transaction.rows(
      """
      SELECT s.kind, a.source, \(columns) FROM \(table) a JOIN sources s ON s.name = a.source WHERE \(condition)
      ORDER BY s.position, a.source, 4, 3
      """, value
    ) { row in
      // Rows of sources that keep no ratings need not have an id at a server.
      guard kinds.can(.ratings, try row.value(0)) else { return nil }
      return Member(source: try row.value(1), item: item(try row.value(2)), number: try row.value(3))
    }.compactMap { (member: Member?) in member }
  }
}

/// Writes a rating once the sources have accepted it.
enum Ratings {
  /// Brings the rows in line and tells of it.
  ///
  /// Ratings of what no server has are kept in a table of their own, which no refresh touches. A server's row is read
  /// anew with the next refresh: its digest is of the rating before, which a person may put back there.
  static func write(
    _ plan: RatingPlan, _ rating: Rating?, at now: Timestamp, _ journal: Journal?, _ transaction: Transaction
  ) throws {
    let kind: SearchIndex.Kind
    var track: Track?
    switch plan.shown {
    case .album(let number):
      kind = .album
      for member in plan.members {
        try transaction.execute("UPDATE albums SET own_rating = ?, digest = NULL WHERE id = ?", rating, member.number)
      }
      try transaction.execute("UPDATE albums SET rating = ? WHERE id = ?", rating, number)
    case .track(let number):
      kind = .track
      for member in plan.members {
        try transaction.execute("UPDATE tracks SET own_rating = ?, digest = NULL WHERE id = ?", rating, member.number)
      }
      try transaction.execute("UPDATE tracks SET rating = ? WHERE id = ?", rating, number)
      track = try transaction.row(
        "SELECT \(Catalogue.trackColumns) FROM tracks t JOIN albums a ON a.id = t.shelf WHERE t.id = ?", number
      ) { try Catalogue.TrackRow($0).track }
    case .artist(let number):
      kind = .artist
      for member in plan.members {
        try transaction.execute(
          "UPDATE artist_members SET rating = ?, digest = 0 WHERE source = ? AND native = ?", rating, member.source,
          member.item.native)
      }
      try transaction.execute("UPDATE artists SET rating = ? WHERE id = ?", rating, number)
    case .collection, .playlist: return
    }
    if let rating, plan.members.isEmpty {
      try transaction.execute(
        "INSERT OR REPLACE INTO ratings (kind, identity, rating, rated_at) VALUES (?, ?, ?, ?)", kind.rawValue,
        plan.identity, rating, now)
    } else {
      try transaction.execute("DELETE FROM ratings WHERE kind = ? AND identity = ?", kind.rawValue, plan.identity)
    }
    try journal?.append(Library.RatingChanged(id: plan.id, rating: rating, track: track), in: transaction)
  }
}
