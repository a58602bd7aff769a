import Catalogue
import Messages
import Model
package import Records
package import Storage

/// The things that notes, marks and todos are about, and how they are found again.
///
/// A thing is found by its number, as ids are: by its row, or by the row to which its number redirects. If there is
/// none, an album is found where at least half of its tracks are now, and an artist where half of the albums are; then
/// by the names. So it follows merges, splits, new names, new numbers, and comes back with music that was away.
package enum GardenSubjects {
  typealias Kind = CatalogueID.Kind

  /// The most tracks or albums by which a thing is found again.
  private static let mostWitnesses = 100

  /// The columns of a subject `s` as `read` takes them.
  static let columns = "s.kind, s.reference, s.title, s.artist, s.shown"

  /// Reads the columns from `first` on.
  static func read(_ row: borrowing Row, from first: Int = 0, isSession: Bool = false) throws -> Library.GardenSubject {
    let isHere = try row.value(first + 4) as Int64? != nil
    return Library.GardenSubject(
      kind: isSession ? .session : kind(of: try row.value(first)), id: try row.value(first + 1),
      title: try row.value(first + 2), artist: try row.value(first + 3), isHere: isHere ? nil : false)
  }

  static func kind(of number: Int64) -> Library.GardenKind {
    switch Kind(rawValue: number) {
    case .album: .album
    case .track: .track
    case .artist: .artist
    default: .unknown
    }
  }

  static func read(_ subject: Int64, isSession: Bool = false, _ transaction: ReadTransaction) throws
    -> Library.GardenSubject
  {
    let found = try transaction.row("SELECT \(columns) FROM garden_subjects s WHERE s.id = ?", subject) {
      try read($0, isSession: isSession)
    }
    guard let found else { throw LunaraError("library.unknownID", "What was written about is not known any more.") }
    return found
  }

  /// Returns the item that an id means. Throws `library.unknownID` for anything but an album, track or artist.
  static func item(_ id: PlayableID, _ transaction: ReadTransaction) throws -> CatalogueID {
    guard let item = try Catalogue.resolve(id, transaction), [.album, .track, .artist].contains(item.kind) else {
      throw CatalogueID.unknown(id)
    }
    return item
  }

  /// Returns the number of the subject for an item that is shown; adds one where there is none.
  package static func subject(for item: CatalogueID, _ transaction: Transaction) throws -> Int64 {
    let known: Int64? = try transaction.value(
      "SELECT id FROM garden_subjects WHERE kind = ?1 AND shown = ?2 AND item = ?2 ORDER BY id LIMIT 1", item.kind,
      item.number)
    if let known { return known }
    try transaction.execute(
      """
      INSERT INTO garden_subjects (kind, item, shown, \(names)) SELECT ?1, ?2, ?2, \(namesOf(item.kind, "?2"))
      """, item.kind, item.number)
    let subject = transaction.lastInsertedRowID
    try keepWitnesses(of: subject, item, transaction)
    return subject
  }

  /// Returns the SQL condition for the subjects `s` of a request, and its values; an album also has those of its
  /// tracks. A thing that is not in the library is named by its last id. Throws `library.unknownID`.
  static func condition(
    _ id: PlayableID, _ transaction: ReadTransaction
  ) throws -> (sql: String, values: [(any SQLBindable)?]) {
    if let item = try Catalogue.resolve(id, transaction), [.album, .track, .artist].contains(item.kind) {
      guard item.kind == .album else {
        return ("s.kind = \(item.kind.rawValue) AND s.shown = ?", [item.number])
      }
      return (
        """
        s.id IN (SELECT id FROM garden_subjects WHERE kind = \(Kind.album.sql) AND shown = ? UNION ALL SELECT g.id
          FROM tracks t CROSS JOIN garden_subjects g ON g.kind = \(Kind.track.sql) AND g.shown = t.id WHERE t.shelf = ?)
        """, [item.number, item.number]
      )
    }
    let isKnown: Int64? = try transaction.value("SELECT 1 FROM garden_subjects WHERE reference = ?", id)
    guard isKnown != nil else { throw CatalogueID.unknown(id) }
    return ("s.reference = ?", [id])
  }

  private static let names = "reference, key, identity, title, artist, album, disc, number, year"

  /// Returns the SELECT after its keyword for the names of a kind of item, for the number that an expression gives.
  private static func namesOf(_ kind: Kind, _ number: String) -> String {
    switch kind {
    case .track:
      """
      t.source || ':t' || t.id, NULL, t.identity, t.title, t.artist, a.title, t.disc, t.number, a.year
      FROM tracks t JOIN albums a ON a.id = ifnull(t.shelf, t.album) WHERE t.id = \(number)
      """
    case .artist:
      """
      source || ':r' || id, key, NULL, name, name, NULL, NULL, NULL, NULL FROM artists WHERE id = \(number)
      """
    default:
      """
      source || ':a' || id, merge_key, NULL, title, artist, NULL, NULL, NULL, year FROM albums WHERE id = \(number)
      """
    }
  }
}

/// Finding the things again when the catalogue has changed.
extension GardenSubjects {
  /// Finds all things again, and keeps their present names. Called when the catalogue has changed; it reads one row
  /// where people said nothing.
  ///
  /// - Parameters:
  ///   - albums: the albums that changed.
  ///   - isWide: true where more albums changed than these.
  static func settle(_ albums: Set<AlbumID>, isWide: Bool, _ transaction: Transaction) throws {
    guard try transaction.value("SELECT 1 FROM garden_subjects LIMIT 1") as Int? != nil else { return }
    for kind in [Kind.artist, .album, .track] {
      let found = Heirs.shown(kind, "garden_subjects.item")
      // A deletion that was confirmed is to be confirmed again where the mark is now on other music.
      try transaction.execute(
        """
        \(unconfirmed) IN (SELECT id FROM garden_subjects
          WHERE kind = \(kind.rawValue) AND \(found) IS NOT NULL AND shown IS NOT \(found))
        """)
      try transaction.execute(
        "UPDATE garden_subjects SET shown = \(found) WHERE kind = \(kind.rawValue) AND shown IS NOT \(found)")
    }
    try findLost(transaction)
    for kind in [Kind.artist, .album, .track] {
      try transaction.execute(
        """
        UPDATE OR IGNORE garden_subjects SET (\(names)) = (SELECT \(namesOf(kind, "garden_subjects.shown")))
        WHERE kind = \(kind.rawValue) AND shown IS NOT NULL
          AND (\(names)) IS NOT (SELECT \(namesOf(kind, "garden_subjects.shown")))
        """)
    }
    try keepWitnesses(albums, isWide: isWide, transaction)
  }

  /// The beginning of the SQL that makes confirmed marks of some subjects marks to decide on.
  private static let unconfirmed = """
    UPDATE garden_marks SET state = 'marked', decided_at = NULL WHERE state = 'confirmed' AND subject
    """

  /// Finds the things whose numbers lead nowhere by their tracks or albums, else by their names.
  private static func findLost(_ transaction: Transaction) throws {
    let lost = try transaction.rows("SELECT id, kind, key, identity FROM garden_subjects WHERE shown IS NULL") { row in
      (
        id: try row.value(0) as Int64, kind: try row.value(1) as Int64, key: try row.value(2) as String?,
        identity: try row.value(3) as Int64?
      )
    }
    for subject in lost {
      let number: Int64? =
        switch Kind(rawValue: subject.kind) {
        case .album:
          try majority(of: subject.id, albumsOfTracks, transaction)
            ?? transaction.value("SELECT shelf FROM albums WHERE merge_key = ? ORDER BY id LIMIT 1", subject.key)
        case .artist:
          try majority(of: subject.id, artistsOfAlbums, transaction)
            ?? transaction.value("SELECT artist FROM artist_names WHERE key = ?", subject.key)
        case .track:
          try transaction.value(
            "SELECT shown FROM tracks WHERE identity = ? AND identity <> 0 ORDER BY id LIMIT 1", subject.identity)
        default: nil
        }
      guard let number else { continue }
      try transaction.execute(
        "UPDATE garden_subjects SET item = ?1, shown = ?1 WHERE id = ?2", number, subject.id)
      try transaction.execute("\(unconfirmed) = ?", subject.id)
    }
  }

  /// The albums on which the witnesses of an album are now, a copy that stands for a removed one included.
  private static let albumsOfTracks = """
    SELECT a.shelf AS found FROM garden_witnesses w
    \(Heirs.join(.track, "w.item", as: "h"))
    JOIN tracks t ON t.id = ifnull((SELECT id FROM tracks WHERE id = w.item), h.heir)
    JOIN albums a ON a.id = t.album WHERE w.subject = ?1
    """

  private static let artistsOfAlbums = """
    SELECT a.artist_id AS found FROM garden_witnesses w
    \(Heirs.join(.album, "w.item", as: "h"))
    JOIN albums a ON a.id = ifnull((SELECT id FROM albums WHERE id = w.item), h.heir) WHERE w.subject = ?1
    """

  /// Returns the item that at least half of the witnesses have; nil where there is none.
  private static func majority(of subject: Int64, _ query: String, _ transaction: Transaction) throws -> Int64? {
    try transaction.value(
      """
      SELECT found FROM (\(query)) GROUP BY found
      HAVING 2 * count(*) >= (SELECT count(*) FROM garden_witnesses WHERE subject = ?1)
      ORDER BY count(*) DESC, found LIMIT 1
      """, subject)
  }

  /// Keeps the witnesses of the albums that changed, and of all artists.
  private static func keepWitnesses(_ albums: Set<AlbumID>, isWide: Bool, _ transaction: Transaction) throws {
    let subjects = try transaction.rows(
      """
      SELECT id, kind, shown, reference FROM garden_subjects
      WHERE shown IS NOT NULL AND kind IN (\(Kind.artist.sql), \(Kind.album.sql))
      """
    ) { row in
      (
        id: try row.value(0) as Int64, kind: try row.value(1) as Int64, shown: try row.value(2) as Int64,
        reference: try row.value(3) as AlbumID
      )
    }
    for subject in subjects {
      guard let kind = Kind(rawValue: subject.kind) else { continue }
      guard isWide || kind == .artist || albums.contains(subject.reference) else { continue }
      try keepWitnesses(of: subject.id, CatalogueID(kind, subject.shown), transaction)
    }
  }

  private static func keepWitnesses(of subject: Int64, _ item: CatalogueID, _ transaction: Transaction) throws {
    let query: String
    switch item.kind {
    case .album: query = "SELECT t.id FROM albums a JOIN tracks t ON t.album = a.id WHERE a.shelf = ?2 ORDER BY t.id"
    case .artist: query = "SELECT id FROM albums WHERE artist_id = ?2 ORDER BY id"
    default: return
    }
    try transaction.execute("DELETE FROM garden_witnesses WHERE subject = ?", subject)
    try transaction.execute(
      """
      INSERT INTO garden_witnesses SELECT ?1, * FROM (\(query) LIMIT \(mostWitnesses))
      """, subject, item.number)
  }
}
