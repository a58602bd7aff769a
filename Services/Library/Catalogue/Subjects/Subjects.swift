import Model
package import Records
package import Storage

/// The albums, tracks and artists about which people say something. Notes, marks, todos, opinions and picked albums of
/// themes refer to a row of `subjects`, which stays with its music when the catalogue changes.
///
/// `item` is the number of the item of which something was said, and `shown` that of the item that is shown for it,
/// NULL while it is not in the library; `last_shown` is the last of these. `item` changes only where it leads nowhere
/// any more: two subjects that a merge brings to one album stay two, and a split gives each its own back.
package struct Subjects {
  package typealias Kind = CatalogueID.Kind

  /// The tables whose column `subject` refers to a subject.
  static let referrers = [
    "garden_notes", "garden_marks", "garden_todos", "album_opinions", "taken_back_opinions", "theme_picks",
  ]

  let transaction: Transaction

  package init(_ transaction: Transaction) { self.transaction = transaction }

  /// Returns the subject of an item that is shown; adds one where there is none. Throws `library.unknownID` where the
  /// item is not in the library.
  package func subject(for item: CatalogueID) throws -> Int64 {
    let known: Int64? = try transaction.value(
      "SELECT id FROM subjects WHERE kind = ?1 AND shown = ?2 AND item = ?2 ORDER BY id LIMIT 1", item.kind, item.number
    )
    if let known { return known }
    let added = try transaction.execute(
      """
      INSERT INTO subjects (kind, item, shown, last_shown, \(Self.names))
      SELECT ?1, ?2, ?2, ?2, \(Self.namesOf(item.kind, "?2", releaseGroup: "NULL"))
      """, item.kind, item.number)
    guard added > 0 else {
      throw LunaraError("library.unknownID", "The album, track or artist is not in the library. Nothing was changed.")
    }
    let subject = transaction.lastInsertedRowID
    try keepWitnesses(of: subject, item)
    return subject
  }

  /// Deletes the subjects to which nothing refers any more.
  package func prune() throws {
    let unused = Self.referrers.map { "NOT EXISTS (SELECT 1 FROM \($0) WHERE subject = subjects.id)" }
    try transaction.execute("DELETE FROM subjects WHERE \(unused.joined(separator: " AND "))")
    try transaction.execute("DELETE FROM subject_witnesses WHERE subject NOT IN (SELECT id FROM subjects)")
  }

  /// The columns with the names of a subject, by which it is found again under another number.
  static let names = """
    reference, key, place, name_key, release_group, identity, title, artist, album, disc, number, year
    """

  /// Returns the SELECT after its keyword for the names of a kind of item.
  ///
  /// - Parameters:
  ///   - number: SQL for the number of the item.
  ///   - releaseGroup: SQL for the release group of an album that has none.
  static func namesOf(_ kind: Kind, _ number: String, releaseGroup: String) -> String {
    switch kind {
    case .track:
      """
      t.source || ':t' || t.id, NULL, 0, NULL, NULL, t.identity, t.title, t.artist, a.title, t.disc, t.number, a.year
      FROM tracks t JOIN albums a ON a.id = ifnull(t.shelf, t.album) WHERE t.id = \(number)
      """
    case .artist:
      """
      source || ':r' || id, key, 0, NULL, NULL, NULL, name, name, NULL, NULL, NULL, NULL
      FROM artists WHERE id = \(number)
      """
    default:
      """
      a.source || ':a' || a.id, a.merge_key, (SELECT count(*) FROM albums o
          WHERE o.merge_key = a.merge_key AND o.shelf = o.id AND o.id < a.id), a.name_key,
        ifnull(a.release_group, \(releaseGroup)), NULL, a.title, a.artist, NULL, NULL, NULL, a.year
      FROM albums a WHERE a.id = \(number)
      """
    }
  }

  /// Returns the subject of an item that is not in the library, as one of a file of another library may be; adds one
  /// where there is none with its names. It has a number that no item ever had, and is found by its names when its
  /// music comes.
  package func subject(
    ofAbsent kind: Kind, title: String, artist: String, album: String? = nil, disc: Int? = nil, number: Int? = nil,
    year: Int?
  ) throws -> Int64 {
    var (letter, key, nameKey, identity): (String, String?, String?, Int64?) = ("a", nil, nil, nil)
    switch kind {
    case .artist:
      letter = "r"
      key = ArtistRows.key(of: title)
    case .track:
      letter = "t"
      identity =
        TrackIdentity(artist: artist, album: album ?? "", disc: disc ?? 1, number: number, title: title).hash64
    default:
      key = CatalogueWriter.mergeKey(artist: artist, title: title, year: year)
      nameKey = AlbumMerger.nameKey(artist: artist, title: EditionTitle.split(title).title, year: year, "")
    }
    let known: Int64? = try transaction.value(
      "SELECT id FROM subjects WHERE kind = ? AND key IS ? AND shown IS NULL AND identity IS ? ORDER BY id LIMIT 1",
      kind, key, identity)
    if let known { return known }
    var numbers = try RowNumbers(transaction)
    let item = numbers.next(kind)
    try numbers.keep()
    try transaction.execute(
      """
      INSERT INTO subjects (kind, item, last_shown, \(Self.names))
      VALUES (?1, ?2, ?2, ?3, ?4, 0, ?5, NULL, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
      """, kind, item, "\(MusicFolders.source):\(letter)\(item)", key, nameKey, identity, title, artist, album, disc,
      number, year)
    return transaction.lastInsertedRowID
  }
}
