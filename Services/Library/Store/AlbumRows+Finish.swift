import Storage

/// What follows from the albums once all are written: those without tracks go, artists count theirs, and both get their
/// places in the search index.
extension AlbumRows {
  /// Writes it.
  mutating func finish(_ search: inout SearchIndex) throws {
    try keepNumbers()
    for number in gone {
      let row = try transaction.row("SELECT artist_id, search_row FROM albums WHERE id = ?", number) { row in
        (artist: try row.value(0) as Int64, search: try row.value(1) as Int64?)
      }
      try transaction.execute("DELETE FROM albums WHERE id = ?", number)
      named.remove(number)
      guard let row else { continue }
      touchedArtists.insert(row.artist)
      search.remove(row.search)
    }
    try indexAlbums(&search)
    try countAlbums(&search)
  }

  private struct Named {
    var number: Int64
    var sort: String
    var words: String
    var place: Int64?
  }

  private func indexAlbums(_ search: inout SearchIndex) throws {
    let albums = try named.sorted().compactMap { number in
      try transaction.row(
        "SELECT title, artist, artist_sort, title_sort, search_row FROM albums WHERE id = ?", number
      ) { row in
        let (title, artist): (String, String) = (try row.value(0), try row.value(1))
        let (artistSort, titleSort): (String, String) = (try row.value(2), try row.value(3))
        return Named(
          number: number, sort: "\(artistSort)\u{0}\(titleSort)",
          words: SearchText.indexed(title, artist, artistSort), place: try row.value(4))
      }
    }
    try index(albums, as: .album, "UPDATE albums SET search_row = ? WHERE id = ?", &search)
  }

  /// An artist as it is stored, and as its oldest album spells it.
  private struct StoredArtist {
    var name: String
    var sort: String
    var search: Int64?
    var albums: Int
    var counted: Int
    var spelling: String?
    var spellingSort: String?

    /// Whether it is not called what its oldest album says.
    var isMisspelt: Bool { spelling ?? name != name || spellingSort ?? sort != sort }

    init(_ row: borrowing Row) throws {
      name = try row.value(0)
      sort = try row.value(1)
      search = try row.value(2)
      albums = try row.value(3)
      counted = try row.value(4)
      spelling = try row.value(5)
      spellingSort = try row.value(6)
    }
  }

  /// Counts the albums of the artists concerned; who has none any more goes.
  private func countAlbums(_ search: inout SearchIndex) throws {
    var named: [Named] = []
    for number in touchedArtists.sorted() {
      let stored = try transaction.row(
        """
        SELECT r.name, r.sort, r.search_row, r.albums, (SELECT count(*) FROM albums WHERE artist_id = r.id), a.artist,
          a.artist_sort FROM artists r
        LEFT JOIN albums a ON a.id = (SELECT min(id) FROM albums WHERE artist_id = r.id) WHERE r.id = ?
        """, number
      ) { try StoredArtist($0) }
      guard let stored else { continue }
      if stored.counted == 0 {
        try transaction.execute("DELETE FROM artists WHERE id = ?", number)
        search.remove(stored.search)
        continue
      }
      let (name, sort) = (stored.spelling ?? stored.name, stored.spellingSort ?? stored.sort)
      if stored.albums != stored.counted || stored.isMisspelt {
        try transaction.execute(
          "UPDATE artists SET albums = ?, name = ?, sort = ? WHERE id = ?", stored.counted, name, sort, number)
      }
      if stored.search == nil || stored.isMisspelt {
        let words = SearchText.indexed(name, sort)
        named.append(Named(number: number, sort: sort, words: words, place: stored.search))
      }
    }
    try index(named, as: .artist, "UPDATE artists SET search_row = ? WHERE id = ?", &search)
  }

  private func index(
    _ rows: [Named], as kind: SearchIndex.Kind, _ update: String, _ search: inout SearchIndex
  ) throws {
    let rows = rows.sorted { $0.sort < $1.sort }
    let places = try search.places(kind, rows.map(\.sort))
    for (row, place) in zip(rows, places) {
      search.remove(row.place)
      search.insert(place, item: row.number, words: row.words)
      try transaction.execute(update, place, row.number)
    }
  }
}
