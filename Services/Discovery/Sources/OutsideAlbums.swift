import Messages
import Model
import Storage

/// The albums that sources outside named, matched with those of the library: by the release group, then by artist and
/// title without case, accents and signs.
struct OutsideAlbums: Sendable {
  /// The albums of the library, a pool each for a source and a signal, and one for what Plex servers know of them.
  var pools: [SignalPool] = []
  /// The albums that are not in the library, if they are shown.
  var missing: [MissingCandidate] = []

  /// The most albums that are matched.
  private static let mostFinds = 40_000
  /// The most albums that are missing.
  private static let mostMissing = 4000

  init() {}

  /// Reads what sources named.
  ///
  /// - Parameters:
  ///   - albums: the albums of the library, sorted by their rows.
  ///   - taxonomy: the genres by which the albums were matched.
  init(_ albums: [OwnedAlbum], _ taxonomy: Taxonomy, _ transaction: ReadTransaction) throws {
    let unsorted = taxonomy.unsorted
    pools = Self.heard(albums).map { [Self.ranked($0, albums, unsorted: unsorted)] } ?? []
    // Households without sources pay for one look into an empty table.
    guard try transaction.value("SELECT 1 FROM finds LIMIT 1") as Int? != nil else { return }
    let order = Dictionary(
      OutsideSources.all.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    var named: [PoolName: SignalPool] = [:]
    for found in try Self.found(transaction) {
      guard let place = order[found.source], let index = RankedAlbums.index(ofNumber: found.album, in: albums) else {
        continue
      }
      let name = PoolName(order: place, signal: found.signal)
      if let known = named[name]?.clues[index] {
        // An album in the charts of several genres has its best place.
        guard found.kind == .genreChart, let rank = found.place, rank < known.place ?? Int.max else { continue }
        named[name]?.clues[index] = found.clue(OutsideSources.all[place].title)
        continue
      }
      named[name, default: SignalPool(signal: found.signal, albums: [])].albums.append(index)
      named[name]?.clues[index] = found.clue(OutsideSources.all[place].title)
    }
    pools += named.sorted { ($0.key.order, $0.key.signal.rawValue) < ($1.key.order, $1.key.signal.rawValue) }
      .map { name, pool -> SignalPool in
        let source = OutsideSources.all[name.order]
        if source == ListenBrainzPopularity.self { return Self.ranked(pool, albums, unsorted: unsorted) }
        return source == LastFMGenres.self ? Self.inOrderOfPlaces(pool) : pool
      }
    guard try Self.showsMissing(transaction) else { return }
    missing = try Self.missing(transaction, order, taxonomy)
  }

  /// True if walls have albums that are not in the library.
  static func showsMissing(_ transaction: ReadTransaction) throws -> Bool {
    try transaction.value("SELECT is_on FROM missing_albums") ?? false
  }

  private struct PoolName: Hashable {
    var order: Int
    var signal: Discovery.Signal
  }

  private struct SignalRow {
    var source: String
    var signal: Discovery.Signal
    var kind: Clue.Kind
    var place: Int?
    var listens: Int?
    var near: String?
    var album: Int32

    func clue(_ title: String) -> Clue {
      Clue(kind: kind, source: title, place: place, listens: listens, near: near)
    }
  }

  /// Returns the albums of the library that sources named, each source's in its order.
  private static func found(_ transaction: ReadTransaction) throws -> [SignalRow] {
    let columns = "f.source, f.signal, f.kind, f.place, f.listens, f.near, a.number, f.run, f.number"
    return try transaction.rows(
      """
      SELECT \(columns) FROM finds f CROSS JOIN albums a ON a.id = f.album WHERE a.is_here = 1
      UNION SELECT \(columns) FROM finds f CROSS JOIN albums a ON a.release_group = f.release_group WHERE a.is_here = 1
      UNION SELECT \(columns) FROM finds f CROSS JOIN albums a ON a.match_key = f.match_key WHERE a.is_here = 1
      UNION SELECT \(columns) FROM finds f CROSS JOIN albums a ON a.match_artist = f.match_artist
        WHERE f.match_key IS NULL AND a.is_here = 1
      ORDER BY 1, 8 DESC, 9 LIMIT ?
      """, mostFinds
    ) { row -> SignalRow? in
      guard let signal = Discovery.Signal(rawValue: try row.value(1)), let kind = Clue.Kind(rawValue: try row.value(2))
      else { return nil }
      return SignalRow(
        source: try row.value(0), signal: signal, kind: kind, place: try row.value(3), listens: try row.value(4),
        near: try row.value(5), album: Int32(clamping: try row.value(6) as Int64))
    }.compactMap(\.self)
  }

  /// Returns the albums of which Plex servers give listeners; nil if none does. Nobody is asked for it.
  private static func heard(_ albums: [OwnedAlbum]) -> SignalPool? {
    var pool = SignalPool(signal: .charts, albums: [])
    for (index, album) in albums.enumerated() where album.listeners > 0 {
      pool.albums.append(Int32(index))
      pool.clues[Int32(index)] = Clue(kind: .listeners, source: "Plex", listens: Int(album.listeners))
    }
    return pool.albums.isEmpty ? nil : pool
  }

  /// Orders albums by the world's listens within their genres, and takes from the genres in turn. Those that were never
  /// played have places of their own.
  private static func ranked(_ pool: SignalPool, _ albums: [OwnedAlbum], unsorted: Int) -> SignalPool {
    func genre(_ index: Int32) -> Int { albums[Int(index)].set.genreIndices.first ?? unsorted }
    let heard = pool.albums.sorted {
      (-(pool.clues[$0]?.listens ?? 0), $0) < (-(pool.clues[$1]?.listens ?? 0), $1)
    }
    var ranked = pool
    var all = [Int](repeating: 0, count: unsorted + 1)
    var unplayed = all
    var keyed: [(place: Int, genre: Int, index: Int32)] = []
    for index in heard {
      let genre = min(genre(index), unsorted)
      all[genre] += 1
      let isUnplayed = albums[Int(index)].plays == 0 && albums[Int(index)].playedAt == 0
      if isUnplayed { unplayed[genre] += 1 }
      ranked.clues[index]?.genre = genre
      ranked.clues[index]?.place = isUnplayed ? unplayed[genre] : all[genre]
      keyed.append((all[genre], genre, index))
    }
    ranked.albums = keyed.sorted { ($0.place, $0.genre) < ($1.place, $1.genre) }.map(\.index)
    return ranked
  }

  /// Orders albums by their places in charts, so that those of several genres take turns.
  private static func inOrderOfPlaces(_ pool: SignalPool) -> SignalPool {
    var ordered = pool
    ordered.albums.sort {
      (pool.clues[$0]?.place ?? Int.max, $0) < (pool.clues[$1]?.place ?? Int.max, $1)
    }
    return ordered
  }

  /// Returns the albums that are not in the library, with the genres of their artists' albums and of charts. Charts of
  /// genres name no release groups: of their albums those are shown of which another source knows it.
  private static func missing(
    _ transaction: ReadTransaction, _ order: [String: Int], _ taxonomy: Taxonomy
  ) throws -> [MissingCandidate] {
    var sets: [Int64: GenreSet] = [:]
    _ = try transaction.rows(
      """
      SELECT DISTINCT match_artist, genres, low, high FROM albums
      WHERE is_here = 1 AND match_artist IN (SELECT match_artist FROM releases)
      """
    ) { row in
      let (low, high): (Int64, Int64) = (try row.value(2), try row.value(3))
      sets[try row.value(0), default: GenreSet()].formUnion(
        GenreSet(
          genres: UInt32(truncatingIfNeeded: try row.value(1) as Int64), low: UInt64(bitPattern: low),
          high: UInt64(bitPattern: high)))
    }
    var candidates: [MissingCandidate] = []
    var places: [Int32: Int] = [:]
    // Of many the newest are kept.
    _ = try transaction.rows(
      """
      WITH named (release, source, signal, kind, place, listens, near) AS (
        SELECT release, source, signal, kind, place, listens, near FROM finds WHERE release IS NOT NULL
        UNION ALL SELECT r.number, f.source, f.signal, f.kind, f.place, f.listens, f.near
          FROM finds f CROSS JOIN releases r ON r.match_key = f.match_key WHERE f.release IS NULL AND f.kind = ?)
      SELECT r.number, r.match_artist, f.source, f.signal, f.kind, f.place, f.listens, f.near
      FROM named f CROSS JOIN releases r ON r.number = f.release
      WHERE NOT EXISTS (SELECT 1 FROM albums a WHERE a.release_group = r.release_group AND a.is_here = 1)
        AND NOT EXISTS (SELECT 1 FROM albums a WHERE a.match_key = r.match_key AND a.is_here = 1)
      ORDER BY r.date DESC, r.number, f.source, f.place, f.near LIMIT ?
      """, Clue.Kind.genreChart.rawValue, mostMissing
    ) { row in
      let number = Int32(clamping: try row.value(0) as Int64)
      guard let source = order[try row.value(2)], let signal = Discovery.Signal(rawValue: try row.value(3)),
        let kind = Clue.Kind(rawValue: try row.value(4))
      else { return }
      let clue = Clue(
        kind: kind, source: OutsideSources.all[source].title, place: try row.value(5), listens: try row.value(6),
        near: try row.value(7))
      let charted = kind == .genreChart ? clue.near.flatMap { taxonomy.set(ofTag: $0) } : nil
      if let place = places[number] {
        // An album in the charts of several genres is in the feeds of all of them.
        if let charted { candidates[place].set.formUnion(charted) }
        return
      }
      var set = sets[try row.value(1)] ?? GenreSet()
      if let charted { set.formUnion(charted) }
      places[number] = candidates.count
      candidates.append(MissingCandidate(number: number, signal: signal, set: set, clue: clue))
    }
    return candidates
  }
}
