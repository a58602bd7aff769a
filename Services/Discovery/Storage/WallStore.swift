package import Messages
package import Model
package import Storage

/// A wall or feed that somebody reads, with its genre and subcategories found in the taxonomy.
package struct WallRequest: Sendable {
  var name: Discovery.WallName
  var genre: Int?
  var subcategories: [Int]
  /// True if the seed was drawn, and not named by a person: then what was shown lately is held back.
  var isDrawn: Bool

  package init(name: Discovery.WallName, genre: Int? = nil, subcategories: [Int] = [], isDrawn: Bool = false) {
    self.name = name
    self.genre = genre
    self.subcategories = subcategories
    self.isDrawn = isDrawn
  }

  /// The number of albums of pages after the first.
  var laterPage: Int { genre == nil ? 50 : 25 }
}

/// Keeps the walls that were made, tile by tile. So a wall stays the same while one navigates and when the catalogue
/// changes, nothing is shown twice, and a queue continues with it after a restart.
///
/// Pages are made inside the transaction that stores them: two readers of a new wall get the same tiles.
package struct WallStore: Sendable {
  let database: Database
  let taxonomy: Taxonomy
  /// The base address of the Cover Art Archive.
  var coverArt: String
  /// Is called with an album when a reason tells of a note about it.
  var told: @Sendable (AlbumID) -> Void

  /// The number of walls and feeds that are kept, those that were used last.
  private static let kept = 50
  /// The most bytes of JSON of a page's tiles.
  private static let mostBytes = 170_000

  /// The stored state of a wall.
  private struct Stored {
    var number: Int64
    var pages: Int
    var round: Int
    var isRoundOver: Bool
    var isDrawn: Bool
  }

  /// A stored tile. `album` is negative for an album that is not in the library.
  private struct StoredTile {
    var place: Int
    var round: Int
    var album: Int64
    var tile: Discovery.Tile
  }

  package init(
    database: Database, taxonomy: Taxonomy, coverArt: String = "",
    told: @escaping @Sendable (AlbumID) -> Void = { _ in }
  ) {
    self.database = database
    self.taxonomy = taxonomy
    self.coverArt = coverArt
    self.told = told
  }

  /// Returns a page of a wall from a place on; what is missing is made. Its albums count as shown.
  package func page(
    _ request: WallRequest, from place: Int, count: Int, _ view: RankedAlbums, at now: Timestamp
  ) async throws -> Discovery.Wall {
    try await database.write { transaction in
      var wall = try open(request, at: now, transaction)
      var tiles = try tiles(of: wall, from: place, limit: count + 1, transaction)
      // Each turn makes a page; a round ends when a page finds nothing more.
      while tiles.count <= count {
        if wall.isRoundOver {
          guard tiles.isEmpty else { break }
          wall.round += 1
          wall.isRoundOver = false
        }
        let isNewRound = tiles.isEmpty
        guard try extend(&wall, request, view, at: now, transaction) > 0 || !wall.isRoundOver else {
          if isNewRound { break }
          continue
        }
        tiles = try self.tiles(of: wall, from: place, limit: count + 1, transaction)
      }
      let round = tiles.first?.round ?? wall.round
      let ofRound = tiles.prefix { $0.round == round }
      var bytes = 0
      let shown = ofRound.prefix(count).prefix { tile in
        bytes += 500 + 2 * (tile.tile.title.utf8.count + tile.tile.artist.utf8.count + tile.tile.reason.utf8.count)
        if tile.tile.missing != nil { bytes += 700 + 4 * (tile.tile.title.utf8.count + tile.tile.artist.utf8.count) }
        return bytes <= Self.mostBytes || tile.place == tiles.first?.place
      }
      let endsRound = shown.count == ofRound.count && (wall.round > round || wall.isRoundOver)
      for tile in shown {
        try transaction.execute("INSERT OR REPLACE INTO seen (album, seen_at) VALUES (?, ?)", tile.album, now)
      }
      let next = shown.last.map { WallCursor(name: request.name, place: $0.place + 1).text }
      return Discovery.Wall(
        name: request.name, tiles: shown.map(\.tile), next: next, round: round, endsRound: endsRound)
    }
  }

  /// Returns the albums after one on a wall, up to the end of its round.
  func albums(
    of request: WallRequest, after id: AlbumID, limit: Int, _ view: RankedAlbums, at now: Timestamp
  ) async throws -> Discovery.NextAlbums {
    try await database.write { transaction in
      var wall = try open(request, at: now, transaction)
      let album: Int64? = try transaction.value("SELECT number FROM albums WHERE id = ?", id)
      func place() throws -> (place: Int, round: Int)? {
        try transaction.row(
          "SELECT place, round FROM tiles WHERE wall = ? AND album = ? ORDER BY place DESC LIMIT 1", wall.number, album
        ) { (place: try $0.value(0), round: try $0.value(1)) }
      }
      guard album != nil else { return .init(albums: [], hasMore: false) }
      // A wall that was forgotten is made again up to the album.
      while try place() == nil, !wall.isRoundOver { _ = try extend(&wall, request, view, at: now, transaction) }
      guard let found = try place() else { return .init(albums: [], hasMore: false) }
      func following() throws -> [StoredTile] {
        // Albums that are not in the library cannot be played.
        try self.tiles(of: wall, from: found.place + 1, limit: limit + 2, isPlayable: true, transaction).filter {
          $0.round == found.round && $0.tile.id != nil && $0.tile.id != id
        }
      }
      var tiles = try following()
      while tiles.count <= limit, wall.round == found.round, !wall.isRoundOver {
        _ = try extend(&wall, request, view, at: now, transaction)
        tiles = try following()
      }
      return .init(albums: tiles.prefix(limit).compactMap(\.tile.id), hasMore: tiles.count > limit)
    }
  }

  /// Stores when notes about albums were shown or came back.
  static func keepTold(_ albums: [AlbumID], at time: Timestamp, _ transaction: Transaction) throws {
    for album in albums {
      try transaction.execute(
        """
        INSERT INTO told_notes (album, told_at) SELECT number, ?2 FROM albums WHERE id = ?1
        ON CONFLICT (album) DO UPDATE SET told_at = max(told_at, excluded.told_at)
        """, album, time)
    }
  }

  /// Forgets walls that nobody used lately, and albums that left the library and are on no wall.
  func prune(at now: Timestamp) async throws {
    try await database.write { try Self.prune(at: now, $0) }
  }

  private static func prune(at now: Timestamp, _ transaction: Transaction) throws {
    try transaction.execute(
      "DELETE FROM walls WHERE number NOT IN (SELECT number FROM walls ORDER BY used_at DESC, number DESC LIMIT ?)",
      kept)
    try transaction.execute("DELETE FROM tiles WHERE wall NOT IN (SELECT number FROM walls)")
    try transaction.execute(
      "DELETE FROM seen WHERE seen_at < ?", now - Milliseconds(Int64(Dial.heldDays(at: 5)) * Ages.day * 1000))
    try transaction.execute("DELETE FROM told_notes WHERE told_at < ?", now - Milliseconds(Reason.noteRest * 1000))
    try transaction.execute("DELETE FROM albums WHERE is_here = 0 AND number NOT IN (SELECT album FROM tiles)")
  }

  // MARK: - Stored walls

  /// Returns a wall, which is begun if it is not there.
  private func open(_ request: WallRequest, at now: Timestamp, _ transaction: Transaction) throws -> Stored {
    let name = request.name
    let parts = (name.subcategories ?? []).joined(separator: ",")
    let isNew = try transaction.execute(
      """
      INSERT OR IGNORE INTO walls (genre, parts, seed, dial, first, made_at, used_at, is_drawn, pages, round,
        is_round_over) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, 0, 1, 0)
      """, name.genre ?? "", parts, name.seed, name.dial, name.first, now, request.isDrawn)
    if isNew == 0 {
      try transaction.execute(
        "UPDATE walls SET used_at = ?6 WHERE genre = ?1 AND parts = ?2 AND seed = ?3 AND dial = ?4 AND first = ?5",
        name.genre ?? "", parts, name.seed, name.dial, name.first, now)
    }
    let stored = try transaction.row(
      """
      SELECT number, pages, round, is_round_over, is_drawn FROM walls
      WHERE genre = ? AND parts = ? AND seed = ? AND dial = ? AND first = ?
      """, name.genre ?? "", parts, name.seed, name.dial, name.first
    ) { row in
      Stored(
        number: try row.value(0), pages: try row.value(1), round: try row.value(2), isRoundOver: try row.value(3),
        isDrawn: try row.value(4))
    }
    // The walls of a service that runs for long are pruned now and then.
    if isNew > 0, let stored, stored.number.isMultiple(of: Int64(Self.kept)) { try Self.prune(at: now, transaction) }
    guard let stored else { throw LunaraError("storage.corrupt", "A wall's row is missing. Restart the service.") }
    if isNew == 0 { try Self.adopt(stored.number, transaction) }
    return stored
  }

  /// Gives the tiles of albums that were not in the library and have come since the numbers of their albums. Where an
  /// album has a tile of its own in the round, that one is enough.
  private static func adopt(_ wall: Int64, _ transaction: Transaction) throws {
    let arrived = try transaction.rows(
      """
      SELECT t.place, t.reason, (SELECT a.number FROM albums a WHERE a.is_here = 1
          AND (a.release_group = r.release_group OR a.match_key = r.match_key) LIMIT 1) AS arrived
      FROM tiles t JOIN releases r ON r.number = -t.album WHERE t.wall = ? AND t.album < 0 AND arrived IS NOT NULL
      """, wall
    ) { (place: try $0.value(0) as Int, reason: try $0.value(1) as String, album: try $0.value(2) as Int64) }
    for tile in arrived {
      let isNew = try transaction.execute(
        """
        UPDATE tiles SET album = ?1, reason = ?2 WHERE wall = ?3 AND place = ?4 AND NOT EXISTS
          (SELECT 1 FROM tiles x WHERE x.wall = ?3 AND x.round = tiles.round AND x.album = ?1)
        """, tile.album, Reason.arrived(tile.reason), wall, tile.place)
      if isNew == 0 { try transaction.execute("DELETE FROM tiles WHERE wall = ? AND place = ?", wall, tile.place) }
    }
  }

  /// Returns the tiles from a place on whose albums are in the library and not disliked, and those that are missing
  /// there, while these are shown.
  private func tiles(
    of wall: Stored, from place: Int, limit: Int, isPlayable: Bool = false, _ transaction: ReadTransaction
  ) throws -> [StoredTile] {
    let covers = try WishStore.hasCovers(transaction) ? coverArt : nil
    return try transaction.rows(
      """
      SELECT t.place, t.round, t.album, a.id, ifnull(a.title, r.title), ifnull(a.artist, r.artist),
        ifnull(a.artist_id, (SELECT artist_id FROM albums x WHERE x.match_artist = r.match_artist AND x.is_here = 1
          AND x.artist_id IS NOT NULL LIMIT 1)),
        a.year, a.art, t.signal, t.reason, t.evidence, r.release_group, r.date, r.source,
        \(WishStore.isWished)
      FROM tiles t LEFT JOIN albums a ON a.number = t.album AND a.is_here = 1 LEFT JOIN opinions o ON o.id = a.id
        LEFT JOIN releases r ON r.number = -t.album
      WHERE t.wall = ? AND t.place >= ? AND (t.album > 0 OR NOT ?) AND ifnull(o.opinion, 0) <> 2
        AND (a.number IS NOT NULL
          OR r.number IS NOT NULL AND EXISTS (SELECT 1 FROM missing_albums WHERE is_on = 1))
      ORDER BY t.place LIMIT ?
      """, wall.number, place, isPlayable, limit
    ) { row in
      let evidence = try MessageCoding.decode(Discovery.Evidence.self, from: try row.value(11) as [UInt8])
      var tile = Discovery.Tile(
        id: try row.value(3), title: try row.value(4), artist: try row.value(5), artistID: try row.value(6),
        year: try row.value(7), art: try row.value(8),
        signal: Discovery.Signal(rawValue: try row.value(9)) ?? .unknown, reason: try row.value(10), evidence: evidence)
      if let group: String = try row.value(12) {
        let missing = WishStore.missing(
          releaseGroup: group, title: tile.title, artist: tile.artist, artistID: tile.artistID,
          date: try row.value(13), source: try row.value(14), isWished: try row.value(15), coverArt: covers)
        tile.isOnShelf = false
        tile.missing = missing
        tile.art = missing.art
        tile.year = missing.date.flatMap { Int($0.prefix(4)) }
      }
      return StoredTile(place: try row.value(0), round: try row.value(1), album: try row.value(2), tile: tile)
    }
  }

  /// Makes the next page of a wall and stores it. Returns the number of its tiles.
  private func extend(
    _ wall: inout Stored, _ request: WallRequest, _ view: RankedAlbums, at now: Timestamp, _ transaction: Transaction
  ) throws -> Int {
    let shown: [Int64] = try transaction.values(
      "SELECT album FROM tiles WHERE wall = ? AND round = ?", wall.number, wall.round)
    var input = PageInput(
      seed: request.name.seed, page: wall.pages, dial: request.name.dial,
      count: wall.pages == 0 ? request.name.first : request.laterPage,
      shown: Set(shown.compactMap { view.index(ofNumber: Int32(clamping: $0)) }))
    input.held = view.unwanted
    if wall.isDrawn { input.held.formUnion(try seen(request, view, at: now, transaction)) }
    input.pools = view.outside.pools
    if !view.outside.missing.isEmpty {
      let hidden = Set(
        try transaction.values(
          "SELECT -album FROM tiles WHERE wall = ?1 AND album < 0 UNION SELECT -album FROM seen WHERE album < 0 AND ?2",
          wall.number, wall.isDrawn) as [Int64])
      input.missing = view.outside.missing.filter { !hidden.contains(Int64($0.number)) }
    }
    let page =
      if let genre = request.genre {
        FeedPage.make(
          input, genre: genre, subcategories: request.subcategories, of: taxonomy.genres[genre].subcategories, view)
      } else {
        WallPage.make(input, view)
      }
    try store(page.picks, of: wall, view, at: now, transaction)
    wall.pages += 1
    wall.isRoundOver = page.isExhausted || page.picks.isEmpty
    try transaction.execute(
      "UPDATE walls SET pages = ?, round = ?, is_round_over = ? WHERE number = ?", wall.pages, wall.round,
      wall.isRoundOver, wall.number)
    return page.picks.count
  }

  /// Returns the albums that were shown lately: of the newest as many as are half of the library, or of the genre.
  private func seen(
    _ request: WallRequest, _ view: RankedAlbums, at now: Timestamp, _ transaction: ReadTransaction
  ) throws -> [Int32] {
    let since = now - Milliseconds(Int64(Dial.heldDays(at: request.name.dial)) * Ages.day * 1000)
    let numbers: [Int64] = try transaction.values(
      "SELECT album FROM seen WHERE seen_at > ? ORDER BY seen_at DESC, album", since)
    let indices = numbers.compactMap { view.index(ofNumber: Int32(clamping: $0)) }.filter { index in
      let album = view.albums[Int(index)]
      guard album.opinion != .disliked else { return false }
      return request.genre.map { album.set.contains(genre: $0) } ?? true
    }
    let whole = request.genre.map { view.charts[$0].count } ?? view.shownCount
    return Array(indices.prefix(whole / 2))
  }

  private func store(
    _ picks: [Pick], of wall: Stored, _ view: RankedAlbums, at now: Timestamp, _ transaction: Transaction
  ) throws {
    let told: [Int64] = try transaction.values(
      "SELECT album FROM told_notes WHERE told_at > ?", now - Milliseconds(Reason.noteRest * 1000))
    let noted = Reason.placeOfNote(picks, view, told: Set(told.map { Int32(clamping: $0) }))
    let wanted = picks.map(\.album).filter { $0 >= 0 } + picks.compactMap(\.favourite)
    var texts: [Int32: (title: String, artist: String)] = [:]
    for index in Set(wanted) {
      texts[index] = try transaction.row(
        "SELECT title, artist FROM albums WHERE number = ?", Int64(view.albums[Int(index)].number)
      ) { (title: try $0.value(0), artist: try $0.value(1)) }
    }
    let (known, taxonomy) = (texts, taxonomy)
    let names = Reason.Names(
      genre: { pick in
        pick.subcategory.map { taxonomy.subcategories[$0].name } ?? pick.genre.flatMap { taxonomy.name(ofGenre: $0) }
      }, subcategory: { taxonomy.subcategories.indices.contains($0) ? taxonomy.subcategories[$0].name : nil },
      title: { known[$0]?.title }, artist: { known[$0]?.artist ?? "" })
    var place: Int = try transaction.value("SELECT max(place) + 1 FROM tiles WHERE wall = ?", wall.number) ?? 0
    for (index, pick) in picks.enumerated() {
      var reason: Reason
      let album: Int64
      if let missing = pick.missing {
        album = -Int64(missing)
        let artist: String? = try transaction.value("SELECT artist FROM releases WHERE number = ?", Int64(missing))
        reason = Reason(pick, artist: artist ?? "")
      } else {
        album = Int64(view.albums[Int(pick.album)].number)
        reason = Reason(pick, view, names)
        if index == noted {
          reason.tell(notedAt: view.albums[Int(pick.album)].notedAt, now: view.now)
          if let id: AlbumID = try transaction.value("SELECT id FROM albums WHERE number = ?", album) {
            try Self.keepTold([id], at: now, transaction)
            transaction.afterCommit { [tell = self.told] in tell(id) }
          }
        }
      }
      try transaction.execute(
        "INSERT INTO tiles (wall, place, album, round, signal, reason, evidence) VALUES (?, ?, ?, ?, ?, ?, ?)",
        wall.number, place, album, wall.round, pick.signal.rawValue,
        reason.sentence, try MessageCoding.encode(reason.evidence))
      place += 1
    }
  }
}
