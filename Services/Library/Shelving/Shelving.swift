import Messages
import Model
import Storage
import Text

/// Writes what sources say into the catalogue's rows, and from them what is shown; within one transaction.
///
/// Who writes a row of a source tells which albums it concerns by their merge keys; `finish` then puts together anew
/// what is shown of those, and of nothing else.
final class CatalogueWriter {
  let source: String
  let now: Timestamp
  let transaction: Transaction
  var numbers: Numbers
  var artists: ArtistRows
  var search: SearchIndex
  var ratings: RatingMoves
  private var keys: Set<String> = []
  /// Albums that are gone, with the key they had.
  private var gone: [(number: Int64, key: String)] = []
  private(set) var changes = Changes()

  /// What became different of what is shown.
  struct Changes {
    /// Albums that came or are different.
    var albums: Set<AlbumID> = []
    /// Albums that are gone, or are part of another now.
    var removed: Set<AlbumID> = []
    var isEmpty: Bool { albums.isEmpty && removed.isEmpty }
  }

  init(source: String, now: Timestamp, _ transaction: Transaction) throws {
    self.source = source
    self.now = now
    self.transaction = transaction
    numbers = try RowNumbers(transaction)
    artists = ArtistRows(source: source, transaction)
    search = SearchIndex(transaction)
    ratings = try RatingMoves(source: source, transaction)
  }

  /// What makes albums of all sources one: artist, title and year.
  static func mergeKey(artist: String, title: String, year: Int?) -> String {
    "\(artist.trimmed.caseFolded)|\(title.trimmed.caseFolded)|\(year.map(String.init) ?? "")"
  }

  /// Notes that albums of this key came, went or changed.
  func touch(_ key: String) { keys.insert(key) }

  /// The number of the artist of an album, with a new row where there is none.
  func artist(_ name: String, sort: String) throws -> Int64 {
    try artists.number(of: name, sort: sort) { numbers.nextArtist() }
  }

  /// Has a track found under other words from now on, or in another place.
  func reindex(track number: Int64) throws {
    let place = try transaction.row("SELECT search_row FROM tracks WHERE id = ?", number) { try $0.value(0) as Int64? }
    search.remove(place ?? nil)
    try transaction.execute("UPDATE tracks SET search_row = NULL WHERE id = ? AND search_row IS NOT NULL", number)
  }

  /// Has an album found under other words from now on; its tracks too, where its artist has another name.
  func reindex(album number: Int64, withTracks: Bool) throws {
    let place = try transaction.row("SELECT search_row FROM albums WHERE id = ?", number) { try $0.value(0) as Int64? }
    search.remove(place ?? nil)
    try transaction.execute("UPDATE albums SET search_row = NULL WHERE id = ? AND search_row IS NOT NULL", number)
    guard withTracks else { return }
    let tracks = try transaction.rows("SELECT id FROM tracks WHERE shelf = ? OR album = ?1", number) {
      try $0.value(0) as Int64
    }
    for track in tracks { try reindex(track: track) }
  }

  /// Deletes a track's row. Where another copy stays, the number leads there from now on, and when it was heard last
  /// is kept.
  func delete(track number: Int64) throws {
    let row = try transaction.row(
      """
      SELECT t.search_row, t.heard_at, t.shown, a.merge_key FROM tracks t JOIN albums a ON a.id = t.album WHERE t.id = ?
      """, number
    ) { row in
      (
        place: try row.value(0) as Int64?, heard: try row.value(1) as Int64, shown: try row.value(2) as Int64,
        key: try row.value(3) as String
      )
    }
    guard let row else { return }
    search.remove(row.place)
    touch(row.key)
    let heir = try transaction.row(
      """
      SELECT id FROM tracks WHERE (id = ?1 OR (shown = ?1 AND shown <> id)) AND id <> ?2 ORDER BY id <> ?1, id LIMIT 1
      """, row.shown, number
    ) { try $0.value(0) as Int64 }
    try pass(.track, from: number, to: heir)
    if let heir {
      try transaction.execute("UPDATE tracks SET heard_at = max(heard_at, ?) WHERE id = ?", row.heard, heir)
    }
    try transaction.execute("DELETE FROM tracks WHERE id = ?", number)
  }

  /// Deletes the row of an album that has no tracks any more.
  func delete(album number: Int64) throws {
    let row = try transaction.row(
      "SELECT search_row, merge_key, artist_id, shelf, source FROM albums WHERE id = ?", number
    ) { row in
      (
        place: try row.value(0) as Int64?, key: try row.value(1) as String, artist: try row.value(2) as Int64,
        shelf: try row.value(3) as Int64, source: try row.value(4) as String
      )
    }
    guard let row else { return }
    search.remove(row.place)
    artists.touch(row.artist)
    touch(row.key)
    gone.append((number, row.key))
    if row.shelf == number { changes.removed.insert(CatalogueID.album(source: row.source, number)) }
    try transaction.execute("DELETE FROM album_tags WHERE album = ?", number)
    try transaction.execute("DELETE FROM albums WHERE id = ?", number)
  }

  /// Has the number of a row that goes lead to another, and those that led to it as well.
  private func pass(_ kind: SearchIndex.Kind, from number: Int64, to heir: Int64?) throws {
    guard let heir else {
      try transaction.execute("DELETE FROM heirs WHERE kind = ? AND heir = ?", kind.rawValue, number)
      return
    }
    try transaction.execute("UPDATE heirs SET heir = ? WHERE kind = ? AND heir = ?", heir, kind.rawValue, number)
    try transaction.execute(
      "INSERT OR REPLACE INTO heirs (kind, number, heir) VALUES (?, ?, ?)", kind.rawValue, number, heir)
  }

  /// Puts together what is shown of all that was touched.
  func finish() throws {
    try numbers.keep()
    try ratings.finish()
    let merger = try AlbumMerger(transaction)
    for key in keys.sorted() {
      let merged = try merger.merge(key, &search)
      for id in merged.hidden { changes.removed.insert(id) }
      if let shown = merged.shown { changes.albums.insert(shown) }
      for artist in merged.artists { artists.touch(artist) }
      for album in gone where album.key == key { try pass(.album, from: album.number, to: merged.number) }
    }
    // What left one place and came to another is there.
    changes.removed.subtract(changes.albums)
    try artists.finish(&search)
    try search.finish()
    (keys, gone) = ([], [])
  }
}
