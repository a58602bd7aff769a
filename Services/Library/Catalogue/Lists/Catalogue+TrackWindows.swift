import Messages
import Model
import Storage

/// Windows of the list of tracks, by position, as those of albums are.
extension Catalogue {
  /// Returns a part of the list. `lists` keeps narrowed lists, random orders and those by plays from one part to the
  /// next; the whole list is read from an index.
  ///
  /// - Throws: `library.unknownTag`, `library.badTag`.
  static func trackWindow(
    _ request: Library.ReadTrackWindow, randomSeed: Int64, keeping lists: ListCache = ListCache(),
    _ transaction: ReadTransaction
  ) throws -> Library.TrackWindow {
    let (first, tags, limit) = (max(0, request.first), request.tags ?? [], limit(request.limit))
    let isReversed = request.isReversed == true && request.sort != .random
    let seed = request.sort == .random ? request.seed ?? randomSeed : nil
    let tracks: [Track]
    let total: Int
    if tags.isEmpty, request.sort != .random, request.sort != .plays {
      let order = trackOrder(of: request.sort, isReversed: isReversed).clause
      tracks = try transaction.rows(
        """
        SELECT \(trackColumns) FROM (SELECT t.id AS shown FROM tracks t WHERE t.shelf IS NOT NULL
          \(order) LIMIT ? OFFSET ?) place JOIN tracks t ON t.id = place.shown JOIN albums a ON a.id = t.shelf \(order)
        """, limit, first, as: track)
      total = try ListMarks(of: .tracks, [], transaction).total()
    } else {
      let places = try places(request.sort, tags, seed, keeping: lists, transaction)
      tracks = try places.part(from: first, limit: limit, isReversed: isReversed).compactMap {
        try track($0.number, transaction)
      }
      total = places.count
    }
    var budget = PageBudget(items: limit)
    return Library.TrackWindow(
      total: total, first: first, items: Array(tracks.prefix { budget.admits($0.size) }), seed: seed,
      generation: try generation(transaction))
  }

  /// Returns the places of a narrowed list of tracks, of a random order or of one by plays.
  private static func places(
    _ sort: Library.Sort, _ tags: [Library.Tag], _ seed: Int64?, keeping lists: ListCache,
    _ transaction: ReadTransaction
  ) throws -> [ListCache.Place] {
    if sort == .plays { return try placesByPlays(of: .tracks, tags, keeping: lists, transaction) }
    let stamp = try ListCache.Stamp(of: tags, isRandom: seed != nil, transaction)
    let key = ListCache.Key(stamp: stamp, subject: .tracks, sort: sort, tags: tags, seed: seed)
    return try lists.places(key) {
      let filter = try TagConditions(tags, of: .tracks, for: .count, transaction)
      let order = seed == nil ? trackOrder(of: sort).clause : ""
      let numbers = try transaction.rows("SELECT t.id \(shownTracks(filter)) \(order)", values: filter.values) {
        try $0.value(0) as Int64
      }
      let sorted = try seed.map { try shuffled(numbers, $0, transaction) } ?? numbers
      return sorted.enumerated().map { ListCache.Place(value: Int64($0.offset), number: $0.element) }
    }
  }

  /// Returns the numbers of tracks in the random order of a seed, which is that of the pages of the list.
  private static func shuffled(
    _ numbers: [Int64], _ seed: Int64, _ transaction: ReadTransaction
  ) throws -> [Int64] {
    let largest: Int64 = try transaction.value("SELECT max(id) FROM tracks") ?? 0
    let (order, known) = (RandomOrder(seed: seed, largest: largest), Set(numbers))
    return (0..<order.count).compactMap { position in
      let number = order.number(at: position)
      return known.contains(number) ? number : nil
    }
  }

  /// Returns the positions in the list of tracks at which letters, years, months and stars begin.
  static func trackIndex(_ request: Library.IndexTracks, _ transaction: ReadTransaction) throws -> Library.AlbumIndex {
    try ListMarks(of: .tracks, request.tags ?? [], transaction).index(request.sort, isReversed: request.isReversed)
  }
}
