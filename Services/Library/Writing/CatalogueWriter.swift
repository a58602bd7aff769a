import Messages
import Model
import Storage
import Text

/// Writes the rows of sources, and from them the rows that are shown; within one transaction.
///
/// Code that writes a row of a source calls `touch` with the merge key of its album; `finish` then merges the albums of
/// those keys again, and no others.
final class CatalogueWriter {
  let source: String
  let now: Timestamp
  let transaction: Transaction
  var numbers: RowNumbers
  var artists: ArtistRows
  var search: SearchIndex
  var ratings: RatingMoves
  private var keys: Set<String> = []
  /// Albums that were deleted, with the key they had.
  private var deleted: [(number: Int64, key: String)] = []
  private(set) var changes = Changes()

  /// The differences in what is shown.
  struct Changes {
    /// Albums that are new or changed.
    var albums: Set<AlbumID> = []
    /// Albums that were removed, or were merged into another one.
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

  /// Returns the key that albums of all sources share which are shown as one: artist, title and year.
  static func mergeKey(artist: String, title: String, year: Int?) -> String {
    "\(artist.trimmed.caseFolded)|\(title.trimmed.caseFolded)|\(year.map(String.init) ?? "")"
  }

  /// Marks the albums of this key to be merged again.
  func touch(_ key: String) { keys.insert(key) }

  /// Returns the number of an album's artist, of a new row where there is none.
  func artist(_ name: String, sort: String) throws -> Int64 {
    try artists.number(of: name, sort: sort) { numbers.nextArtist() }
  }

  /// Removes a track from the search index; `finish` adds it with its present words.
  func reindex(track number: Int64) throws {
    let place = try transaction.row("SELECT search_row FROM tracks WHERE id = ?", number) { try $0.value(0) as Int64? }
    search.remove(place ?? nil)
    try transaction.execute("UPDATE tracks SET search_row = NULL WHERE id = ? AND search_row IS NOT NULL", number)
  }

  /// Removes an album from the search index, and its tracks too where its artist has another name; `finish` adds them
  /// with their present words.
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

  /// Deletes a track's row. Where another copy stays, its number resolves to that copy from now on, which keeps the time at
  /// which it was heard last.
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
    try redirect(.track, from: number, to: heir)
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
    deleted.append((number, row.key))
    if row.shelf == number { changes.removed.insert(CatalogueID.album(source: row.source, number)) }
    try transaction.execute("DELETE FROM album_tags WHERE album = ?", number)
    try transaction.execute("DELETE FROM albums WHERE id = ?", number)
  }

  /// Redirects the number of a deleted row to another row, and the numbers that were redirected to it as well.
  private func redirect(_ kind: SearchIndex.Kind, from number: Int64, to heir: Int64?) throws {
    guard let heir else {
      try transaction.execute("DELETE FROM heirs WHERE kind = ? AND heir = ?", kind.rawValue, number)
      return
    }
    try transaction.execute("UPDATE heirs SET heir = ? WHERE kind = ? AND heir = ?", heir, kind.rawValue, number)
    try transaction.execute(
      "INSERT OR REPLACE INTO heirs (kind, number, heir) VALUES (?, ?, ?)", kind.rawValue, number, heir)
  }

  /// Merges the albums of all keys that were touched, and updates artists and search index.
  func finish() throws {
    try numbers.keep()
    try ratings.finish()
    let merger = try AlbumMerger(transaction)
    for key in keys.sorted() {
      let merged = try merger.merge(key, &search)
      for id in merged.hidden { changes.removed.insert(id) }
      if let shown = merged.shown { changes.albums.insert(shown) }
      for artist in merged.artists { artists.touch(artist) }
      for album in deleted where album.key == key { try redirect(.album, from: album.number, to: merged.number) }
    }
    // An album that left one key and came to another was not removed.
    changes.removed.subtract(changes.albums)
    try artists.finish(&search)
    try search.finish()
    (keys, deleted) = ([], [])
  }
}

/// The numbers of new rows. No number is given twice, not even after the row that had it was deleted.
struct RowNumbers {
  private(set) var artist: Int64 = 1
  private(set) var album: Int64 = 1
  private(set) var track: Int64 = 1
  private(set) var collection: Int64 = 1
  private(set) var playlist: Int64 = 1
  private let transaction: Transaction

  init(_ transaction: Transaction) throws {
    self.transaction = transaction
    let next: [Int64]? = try transaction.row(
      "SELECT next_artist, next_album, next_track, next_collection, next_playlist FROM catalogue"
    ) { row in try (0..<5).map { try row.value($0) } }
    guard let next else { return }
    (artist, album, track, collection, playlist) = (next[0], next[1], next[2], next[3], next[4])
  }

  mutating func nextArtist() -> Int64 { advance(\.artist) }
  mutating func nextAlbum() -> Int64 { advance(\.album) }
  mutating func nextTrack() -> Int64 { advance(\.track) }
  mutating func nextCollection() -> Int64 { advance(\.collection) }
  mutating func nextPlaylist() -> Int64 { advance(\.playlist) }

  private mutating func advance(_ next: WritableKeyPath<RowNumbers, Int64>) -> Int64 {
    defer { self[keyPath: next] += 1 }
    return self[keyPath: next]
  }

  /// Stores which numbers were given.
  func keep() throws {
    try transaction.execute(
      """
      UPDATE catalogue SET next_artist = ?, next_album = ?, next_track = ?, next_collection = ?, next_playlist = ?
      """, artist, album, track, collection, playlist)
  }
}
