import Messages
import Model
package import Storage

/// Windows of the list of albums, by position. An index is read up to the position, which takes a few milliseconds at
/// the end of 100,000 albums; full rows are read only for the window.
extension Catalogue {
  /// Returns a part of the list; `lists` keeps random orders and those by plays from one part to the next.
  static func window(
    _ request: Library.ReadAlbumWindow, randomSeed: Int64, keeping lists: ListCache = ListCache(),
    _ transaction: ReadTransaction
  ) throws -> Library.AlbumWindow {
    let (first, tags, limit) = (max(0, request.first), request.allTags, limit(request.limit))
    let isReversed = request.isReversed == true && request.sort != .random
    var seed: Int64?
    let albums: [Album]
    let total: Int
    if request.sort == .random || request.sort == .plays {
      if request.sort == .random { seed = request.seed ?? randomSeed }
      let places = try places(of: tags, seed, keeping: lists, transaction)
      albums = try places.part(from: first, limit: limit, isReversed: isReversed).compactMap {
        try album($0.number, transaction)
      }
      total = places.count
    } else {
      let filter = try TagConditions(tags, transaction)
      let order = order(of: request.sort, isReversed: isReversed).clause
      albums = try transaction.rows(
        """
        SELECT \(albumColumns) FROM (SELECT a.id AS number FROM albums a WHERE a.listed = 1\(filter.sql)
          \(order) LIMIT ? OFFSET ?) JOIN albums a ON a.id = number \(order)
        """, values: filter.values + [limit, first], as: album)
      total = try ListMarks(of: .albums, tags, transaction).total()
    }
    var budget = PageBudget(items: limit)
    return Library.AlbumWindow(
      total: total, first: first, items: Array(albums.prefix { budget.admits($0.size) }), seed: seed,
      generation: try generation(transaction))
  }

  /// Returns the places of the albums with these tags in the random order of a seed, or by plays without one. It is not
  /// inlined, as the optimizer of Swift 6.3.1 ends with an error where it is.
  @inline(never)
  private static func places(
    of tags: [Library.Tag], _ seed: Int64?, keeping lists: ListCache, _ transaction: ReadTransaction
  ) throws -> [ListCache.Place] {
    guard let seed else { return try placesByPlays(of: .albums, tags, keeping: lists, transaction) }
    let stamp = try ListCache.Stamp(of: tags, isRandom: true, transaction)
    let key = ListCache.Key(stamp: stamp, subject: .albums, sort: .random, tags: tags, seed: seed)
    return try lists.places(key) { try places(of: tags, seed, transaction) }
  }

  static func generation(_ transaction: ReadTransaction) throws -> Int64 {
    try transaction.value("SELECT generation FROM catalogue") ?? 0
  }

  /// Returns a number that grows with every change of the music, of a playlist and of a collection.
  static func revisionOfAll(_ transaction: ReadTransaction) throws -> Int64 {
    try transaction.value("SELECT generation + lists_revision FROM catalogue") ?? 0
  }

  /// Notes that a playlist or a collection has changed, so that clients read these again.
  package static func countListChange(_ transaction: Transaction) throws {
    try transaction.execute("UPDATE catalogue SET lists_revision = lists_revision + 1")
  }

  /// Returns the positions in the list of albums at which letters, years, months and stars begin.
  static func index(_ request: Library.IndexAlbums, _ transaction: ReadTransaction) throws -> Library.AlbumIndex {
    try ListMarks(of: .albums, request.allTags, transaction).index(request.sort, isReversed: request.isReversed)
  }
}
