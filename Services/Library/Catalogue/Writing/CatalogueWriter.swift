import Messages
package import Model
import MusicTags
package import Records
package import Storage
import Text

/// Writes the rows of sources, and from them the values that are shown, within one transaction.
///
/// Code that writes a row of a source calls `touch` with the merge key of its album; `finish` then merges the albums of
/// those keys again, and no others.
package final class CatalogueWriter {
  let source: String
  let now: Timestamp
  let transaction: Transaction
  private let followers: [any CatalogueFollower]
  var numbers: RowNumbers
  var artists: ArtistRows
  var works: WorkRows
  var search: SearchIndex
  var ratings: RatingMoves
  private var keys: Set<String> = []
  private var editions: EditionGrouping
  private var deleted: [DeletedAlbum] = []
  package private(set) var changes = Changes()

  private struct DeletedAlbum {
    var number: Int64
    var mergeKey: String
    /// The album under which it was shown.
    var shownAlbum: Int64
  }

  package struct Changes {
    /// Albums that are new or changed.
    package var albums: Set<AlbumID> = []
    /// Albums that were removed, or were merged into another one.
    var removed: Set<AlbumID> = []
    /// Opinions that are now those of other albums, in the order in which they changed.
    var opinions: [Library.OpinionChanged] = []

    package init() {}
    package var isEmpty: Bool { albums.isEmpty && removed.isEmpty }
  }

  package init(
    source: String, now: Timestamp, followers: [any CatalogueFollower], _ transaction: Transaction
  ) throws {
    self.source = source
    self.now = now
    self.followers = followers
    self.transaction = transaction
    numbers = try RowNumbers(transaction)
    artists = ArtistRows(source: source, transaction)
    works = WorkRows(transaction)
    search = SearchIndex(transaction)
    editions = EditionGrouping(transaction)
    ratings = try RatingMoves(source: source, transaction)
  }

  /// Returns the merge key of an album: albums of all sources with the same artist, title and year are shown as one.
  package static func mergeKey(artist: String, title: String, year: Int?) -> String {
    "\(artist.trimmed.caseFolded)|\(title.trimmed.caseFolded)|\(year.map(String.init) ?? "")"
  }

  /// Marks the albums of this key to be merged again.
  func touch(_ key: String) { keys.insert(key) }

  /// Marks the editions of a group, of which another one may be listed.
  package func regroup(editions group: String) { editions.touch(group: group) }

  /// Returns the number of an artist; adds a row where there is none.
  func number(of artist: TaggedArtist) throws -> Int64 {
    try artists.number(of: artist) { numbers.next(.artist) }
  }

  typealias Column = (name: String, value: SQLValue)

  /// The SQL of `write`, by table: a writer is of one source, which always writes the same columns of a table.
  private var statements: [String: (insert: String, update: String)] = [:]

  /// Inserts a row, or updates it by its `id` if it exists. An existing row keeps its values of the columns
  /// `initially`, and gets a value of `growing` only if that is larger.
  ///
  /// - Parameter isNew: true if there is no such row: SQLite takes half the time then.
  func write(
    _ table: String, _ columns: [Column], initially: [Column], growing: [Column] = [], isNew: Bool
  ) throws {
    let parts = [columns, initially, growing]
    if statements[table] == nil { statements[table] = Self.statements(table, parts.flatMap(\.self), columns, growing) }
    guard let known = statements[table] else { return }
    var values: [SQLValue] = []
    values.reserveCapacity(parts.reduce(0) { $0 + $1.count })
    for part in parts { for column in part { values.append(column.value) } }
    try transaction.execute(isNew ? known.insert : known.update, values: values)
  }

  private static func statements(
    _ table: String, _ all: [Column], _ updated: [Column], _ growing: [Column]
  ) -> (insert: String, update: String) {
    let updates =
      updated.map { "\($0.name) = excluded.\($0.name)" }
      + growing.map { "\($0.name) = max(\($0.name), excluded.\($0.name))" }
    let insert = """
      INSERT INTO \(table) (\(all.map(\.name).joined(separator: ", ")))
      VALUES (\(all.map { _ in "?" }.joined(separator: ", ")))
      """
    return (insert, "\(insert) ON CONFLICT (id) DO UPDATE SET \(updates.joined(separator: ", "))")
  }

  /// Marks a track, so that `finish` updates its entry in the search index.
  func reindex(track number: Int64) { search.mark(.track, number) }

  /// Marks an album, so that `finish` updates its entry in the search index, and those of its tracks if `withTracks`,
  /// as they are also found by the album's artist.
  func reindex(album number: Int64, withTracks: Bool) throws {
    search.mark(.album, number)
    guard withTracks else { return }
    for track: Int64 in try transaction.values("SELECT id FROM tracks WHERE shelf = ? OR album = ?1", number) {
      reindex(track: track)
    }
  }

  /// Deletes a track's row. Where another copy stays, the number is redirected to that copy, which also gets the time
  /// of the last listen.
  func delete(track number: Int64) throws {
    let row = try transaction.row(
      """
      SELECT t.heard_at, t.shown, a.merge_key FROM tracks t JOIN albums a ON a.id = t.album WHERE t.id = ?
      """, number
    ) { row in
      (
        heard: try row.value(0) as Int64, shown: try row.value(1) as Int64, key: try row.value(2) as String
      )
    }
    guard let row else { return }
    search.mark(.track, number)
    touch(row.key)
    let successor: Int64? = try transaction.value(
      """
      SELECT id FROM tracks WHERE (id = ?1 OR (shown = ?1 AND shown <> id)) AND id <> ?2 ORDER BY id <> ?1, id LIMIT 1
      """, row.shown, number)
    try redirect(.track, from: number, to: successor)
    if let successor {
      try transaction.execute("UPDATE tracks SET heard_at = max(heard_at, ?) WHERE id = ?", row.heard, successor)
    }
    try deleteDetails(of: number)
    try transaction.execute("DELETE FROM tracks WHERE id = ?", number)
  }

  /// Deletes the row of an album that has no tracks any more.
  func delete(album number: Int64) throws {
    let row = try transaction.row(
      "SELECT merge_key, artist_id, shelf, source || ':a' || id, name_key, group_key FROM albums WHERE id = ?", number
    ) { row in
      (
        key: try row.value(0) as String, artist: try row.value(1) as Int64, shownAlbum: try row.value(2) as Int64,
        id: try row.value(3) as AlbumID, name: try row.value(4) as String, group: try row.value(5) as String
      )
    }
    guard let row else { return }
    search.mark(.album, number)
    artists.touch(row.artist)
    touch(row.key)
    deleted.append(DeletedAlbum(number: number, mergeKey: row.key, shownAlbum: row.shownAlbum))
    if row.shownAlbum == number {
      changes.removed.insert(row.id)
      editions.touch(name: row.name)
      editions.touch(group: row.group)
    }
    for table in ["album_tags", "album_details"] {
      try transaction.execute("DELETE FROM \(table) WHERE album = ?", number)
    }
    try deleteArtists(ofAlbum: number)
    try transaction.execute("DELETE FROM albums WHERE id = ?", number)
  }

  /// Redirects the number of a deleted row, and the numbers that redirected to it, to another row.
  private func redirect(_ kind: CatalogueID.Kind, from number: Int64, to successor: Int64?) throws {
    guard let successor else {
      try transaction.execute("DELETE FROM heirs WHERE kind = ? AND heir = ?", kind, number)
      return
    }
    try transaction.execute("UPDATE heirs SET heir = ? WHERE kind = ? AND heir = ?", successor, kind, number)
    try transaction.execute(
      "INSERT OR REPLACE INTO heirs (kind, number, heir) VALUES (?, ?, ?)", kind, number, successor)
  }

  /// Ends the redirect of an album's number, which is given to that album again.
  func reclaim(album number: Int64) throws {
    try transaction.execute("DELETE FROM heirs WHERE kind = ? AND number = ?", CatalogueID.Kind.album, number)
  }

  /// Merges the albums of all keys that were touched, updates artists and search index, and relocates subjects.
  ///
  /// - Parameter indexing: false if the entries of the search index are only marked, for a later call to write.
  package func finish(indexing: Bool = true) throws {
    try numbers.keep()
    let successors = ratings.successors
    try ratings.finish()
    let merger = try AlbumMerger(transaction)
    for key in keys.sorted() {
      let merged = try merger.merge(key, &editions)
      try search.markShown(key)
      for album in merged {
        changes.removed.formUnion(album.hidden)
        changes.albums.insert(album.shown)
        for artist in album.artists { artists.touch(artist) }
      }
      try touchFurtherArtists("merge_key = ?", key)
      for album in deleted where album.mergeKey == key {
        try redirect(.album, from: album.number, to: Self.successor(of: album, among: merged))
      }
    }
    for change in try editions.finish() {
      changes.albums.insert(change.id)
      artists.touch(change.artist)
      if let album = CatalogueID(change.id)?.number { try touchFurtherArtists("id = ?", album) }
    }
    // An album whose merge key changed was hidden under the old key, but is shown under the new one.
    changes.removed.subtract(changes.albums)
    try works.finish()
    try artists.finish(&search)
    let moves = try Subjects(transaction).settle(changes, successors: successors)
    for follower in followers { changes.opinions += try follower.follow(moves, at: now, transaction) }
    if indexing { try search.finish() } else { try search.keepMarks() }
    keys = []
    deleted = []
  }
}

extension CatalogueWriter {
  /// Marks the artists of some albums other than the first, whose albums are counted again.
  private func touchFurtherArtists(_ condition: String, _ value: some SQLBindable) throws {
    let further: [Int64] = try transaction.values(
      """
      SELECT x.artist FROM albums a CROSS JOIN album_artists x ON x.album = a.id AND x.place > 0 WHERE a.\(condition)
      """, value)
    for artist in further { artists.touch(artist) }
  }

  /// Returns the album that stands for a deleted one: that under which it was shown, else the only one of its names.
  private static func successor(of deleted: DeletedAlbum, among albums: [AlbumMerger.Merged]) -> Int64? {
    let shown = albums.first { $0.formerAlbums.contains(deleted.shownAlbum) }
    return (shown ?? (albums.count == 1 ? albums.first : nil))?.number
  }
}

/// The numbers of new rows. No number is given twice, not even after the row that had it was deleted.
package struct RowNumbers {
  private static let columns = "next_artist, next_album, next_track, next_collection, next_playlist"

  private let transaction: Transaction
  /// The next number of each kind, in the order of the kinds.
  private var upcoming: [Int64]

  package init(_ transaction: Transaction) throws {
    self.transaction = transaction
    upcoming =
      try transaction.row("SELECT \(Self.columns) FROM catalogue") { row in try (0..<5).map { try row.value($0) } }
      ?? [1, 1, 1, 1, 1]
  }

  package mutating func next(_ kind: CatalogueID.Kind) -> Int64 {
    let index = Int(kind.rawValue) - 1
    defer { upcoming[index] += 1 }
    return upcoming[index]
  }

  package func keep() throws {
    try transaction.execute(
      "UPDATE catalogue SET (\(Self.columns)) = (?, ?, ?, ?, ?)", values: upcoming.map { .integer($0) })
  }
}
