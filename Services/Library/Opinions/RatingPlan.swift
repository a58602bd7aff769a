import Model
import Storage

/// Where a rating goes: what is rated is shown once, yet may come from several sources.
struct RatingPlan: Sendable {
  /// The row at a server that keeps ratings itself.
  struct Member: Sendable, Equatable {
    var source: String
    var item: RatedItem
    var number: Int64
  }

  /// What is shown.
  var shown: CatalogueID
  /// Its id.
  var id: PlayableID
  /// The servers' rows, in the person's order of sources.
  var members: [Member]
  /// By what a rating of our own is kept, for what no server rates.
  var identity: Int64
  /// Whether it lies in a music folder as well, so that a rating can be kept here.
  var isInFolders = false

  /// Finds what an id names.
  ///
  /// - Throws: `library.unknownID`, `library.notRateable` for what is no album, track or artist.
  init(_ rated: PlayableID, _ transaction: ReadTransaction) throws {
    switch try Catalogue.resolve(rated, transaction) {
    case .album(let number)?: try self.init(album: number, transaction)
    case .track(let number)?: try self.init(track: number, transaction)
    case .artist(let number)?: try self.init(artist: number, transaction)
    case .collection?, .playlist?: throw SourceError.notRateable(rated.description, rated.source)
    case nil: throw CatalogueID.unknown(rated)
    }
  }

  private init(album number: Int64, _ transaction: ReadTransaction) throws {
    let row = try transaction.row("SELECT source, merge_key FROM albums WHERE id = ?", number) { row in
      (source: try row.value(0) as String, key: try row.value(1) as String)
    }
    guard let row else { throw CatalogueID.unknown(PlayableID(source: "", native: "a\(number)")) }
    (shown, id) = (.album(number), PlayableID(source: row.source, native: "a\(number)"))
    identity = contentHash(of: row.key.utf8)
    members = try Self.members(
      "SELECT a.source, a.key, a.id FROM albums a", where: "a.merge_key = ?", row.key, transaction
    ) { .album($0) }
    isInFolders = try Self.isInFolders("SELECT source FROM albums WHERE merge_key = ?", row.key, transaction)
  }

  private init(track number: Int64, _ transaction: ReadTransaction) throws {
    let row = try transaction.row("SELECT source, identity FROM tracks WHERE id = ?", number) { row in
      (source: try row.value(0) as String, identity: try row.value(1) as Int64)
    }
    guard let row else { throw CatalogueID.unknown(PlayableID(source: "", native: "t\(number)")) }
    (shown, id, identity) = (.track(number), PlayableID(source: row.source, native: "t\(number)"), row.identity)
    members = try Self.members(
      "SELECT a.source, a.native, a.id FROM tracks a", where: "(a.id = ?1 OR (a.shown = ?1 AND a.shown <> a.id))",
      number, transaction
    ) { .track($0) }
    isInFolders = try Self.isInFolders(
      "SELECT source FROM tracks WHERE id = ?1 OR (shown = ?1 AND shown <> id)", number, transaction)
  }

  private init(artist number: Int64, _ transaction: ReadTransaction) throws {
    let row = try transaction.row("SELECT source, key FROM artists WHERE id = ?", number) { row in
      (source: try row.value(0) as String, key: try row.value(1) as String)
    }
    guard let row else { throw CatalogueID.unknown(PlayableID(source: "", native: "r\(number)")) }
    (shown, id) = (.artist(number), PlayableID(source: row.source, native: "r\(number)"))
    identity = contentHash(of: row.key.utf8)
    members = try Self.members(
      "SELECT a.source, a.native, 0 FROM artist_members a", where: "a.key = ?", row.key, transaction
    ) { .artist($0) }
    isInFolders = try Self.isInFolders("SELECT source FROM albums WHERE artist_id = ?", number, transaction)
  }

  private static func isInFolders(
    _ sources: String, _ value: any SQLBindable, _ transaction: ReadTransaction
  ) throws -> Bool {
    try transaction.row(
      "SELECT 1 FROM (\(sources)) m JOIN sources s ON s.name = m.source AND s.kind = '\(FilesSource.kind)' LIMIT 1",
      value
    ) { try $0.value(0) as Int } != nil
  }

  private static func members(
    _ select: String, where condition: String, _ value: any SQLBindable, _ transaction: ReadTransaction,
    _ item: (String) -> RatedItem
  ) throws -> [Member] {
    try transaction.rows(
      """
      \(select) JOIN sources s ON s.name = a.source AND s.kind <> '\(FilesSource.kind)' WHERE \(condition)
      ORDER BY s.position, a.source, 3, 2
      """, value
    ) { row in Member(source: try row.value(0), item: item(try row.value(1)), number: try row.value(2)) }
  }
}
