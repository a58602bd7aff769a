import Storage

/// What follows from the albums once all are written: those without tracks go, artists count theirs, and both get their
/// places in the search index.
extension AlbumRows {
  /// Writes it.
  mutating func finish(_ search: inout SearchIndex) throws {
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

  /// Counts the albums of the artists concerned; who has none any more goes.
  private func countAlbums(_ search: inout SearchIndex) throws {
    var fresh: [Named] = []
    for number in touchedArtists.sorted() {
      let row = try transaction.row(
        """
        SELECT name, sort, search_row, albums, (SELECT count(*) FROM albums WHERE artist_id = artists.id) FROM artists
        WHERE id = ?
        """, number
      ) { row in
        (
          name: try row.value(0) as String, sort: try row.value(1) as String, search: try row.value(2) as Int64?,
          before: try row.value(3) as Int, albums: try row.value(4) as Int
        )
      }
      guard let row else { continue }
      if row.albums == 0 {
        try transaction.execute("DELETE FROM artists WHERE id = ?", number)
        search.remove(row.search)
        continue
      }
      if row.albums != row.before {
        try transaction.execute("UPDATE artists SET albums = ? WHERE id = ?", row.albums, number)
      }
      if row.search == nil {
        fresh.append(Named(number: number, sort: row.sort, words: SearchText.indexed(row.name, row.sort)))
      }
    }
    try index(fresh, as: .artist, "UPDATE artists SET search_row = ? WHERE id = ?", &search)
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
