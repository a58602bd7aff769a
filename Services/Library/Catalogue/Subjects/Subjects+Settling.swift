package import Model
package import Records
package import Storage

/// A subject for which another item is shown now.
package struct SubjectMove: Hashable, Sendable {
  package let subject: Int64
  package let kind: CatalogueID.Kind
  /// The item that was shown for it last.
  package let before: Int64
  /// Its names at that item.
  package let former: SubjectNames
  /// The item that is shown for it now; nil if it is not in the library.
  package let after: Int64?
}

/// The id of a subject, and its names for people.
package struct SubjectNames: Hashable, Sendable {
  package let id: PlayableID
  package let title: String
  package let artist: String
  /// The MusicBrainz release group of an album.
  package let releaseGroup: String?

  /// The columns of a subject `s` as `init` reads them.
  package static let columns = "s.reference, s.title, s.artist, s.release_group"

  /// Reads the columns from `first` on.
  package init(_ row: borrowing Row, from first: Int = 0) throws {
    id = try row.value(first)
    title = try row.value(first + 1)
    artist = try row.value(first + 2)
    releaseGroup = try row.value(first + 3)
  }
}

/// Finding the subjects again after a change of the catalogue.
extension Subjects {
  /// Finds the subjects again that a change may have moved, and updates the names and witnesses by which they are found
  /// the next time. Returns those that moved. Reads one row where people said nothing.
  ///
  /// A subject is found by the number of its item, then by that of the one that was shown last: at the row itself, or
  /// at the one that took over. Where there is neither, an album is found at the one that has at least half of its
  /// tracks, at the one that its last track was moved to, or at that with its merge key and place; an artist at half of
  /// the albums, or by name, and a track by its identity.
  ///
  /// - Parameter successors: the album that the last track of an album was moved to, by the number of the latter.
  func settle(_ changes: CatalogueWriter.Changes, successors: [Int64: Int64]) throws -> [SubjectMove] {
    let count: Int = try transaction.value("SELECT count(*) FROM subjects") ?? 0
    guard count > 0 else { return [] }
    let subjects = try subjects(affectedBy: changes, of: count)
    let moves = try [Kind.artist, .album, .track].flatMap { try move($0, subjects, successors) }
    let here = "shown IS NOT NULL AND id IN (SELECT value FROM json_each(?))"
    for kind in [Kind.artist, .album, .track] {
      try transaction.execute("\(Self.updateOfNames(of: kind)) AND \(here)", subjects)
      let rows = try transaction.rows(
        "SELECT id, shown FROM subjects WHERE +kind = \(kind.sql) AND \(here)", subjects
      ) { (subject: try $0.value(0) as Int64, number: try $0.value(1) as Int64) }
      for row in rows where kind != .track { try keepWitnesses(of: row.subject, CatalogueID(kind, row.number)) }
    }
    return moves
  }

  /// Returns the subjects that a change may move, as a JSON array: all where more albums changed than there are
  /// subjects, else those of the albums that changed, those that are away, and all tracks and artists.
  private func subjects(affectedBy changes: CatalogueWriter.Changes, of count: Int) throws -> String {
    let albums = changes.albums.union(changes.removed).compactMap { CatalogueID.number(of: $0, .album) }
    guard albums.count < count else {
      return try transaction.value("SELECT json_group_array(id) FROM subjects") ?? "[]"
    }
    let numbers = "[\(albums.map(String.init).joined(separator: ","))]"
    return try transaction.value("SELECT json_group_array(id) FROM (\(Self.ofAlbums))", numbers) ?? "[]"
  }

  /// SQL for the subjects that a change of the albums `?1`, a JSON array of their numbers, may move.
  static let ofAlbums = """
    SELECT id FROM subjects WHERE kind IN (\(Kind.artist.sql), \(Kind.track.sql))
    UNION SELECT id FROM subjects WHERE kind = \(Kind.album.sql) AND shown IS NULL
    UNION SELECT s.id FROM json_each(?1) c
      CROSS JOIN subjects s INDEXED BY subjects_shown ON s.kind = \(Kind.album.sql) AND s.shown = c.value
    UNION SELECT s.id FROM json_each(?1) c CROSS JOIN albums m INDEXED BY albums_of_shelf ON m.shelf = c.value
      CROSS JOIN subjects s INDEXED BY subjects_of_item ON s.kind = \(Kind.album.sql) AND s.item = m.id
    """

  private struct Candidate {
    var subject: Int64
    var item: Int64
    var last: Int64
    var key: String?
    var place: Int
    var identity: Int64?
  }

  /// Shows each subject of a kind at the item where it is now. The plus has SQLite find the rows by their numbers.
  private func move(_ kind: Kind, _ subjects: String, _ successors: [Int64: Int64]) throws -> [SubjectMove] {
    let rows = try transaction.rows(
      """
      SELECT * FROM (SELECT id, item, last_shown, key, place, identity, shown, \(SubjectNames.columns),
          \(Successors.shown(kind, "item")) AS found, \(Successors.shown(kind, "last_shown")) AS found_last
        FROM subjects s WHERE id IN (SELECT value FROM json_each(?)) AND +kind = \(kind.sql))
      WHERE found IS NULL OR shown IS NOT found ORDER BY id
      """, subjects
    ) { row in
      (
        lost: Candidate(
          subject: try row.value(0), item: try row.value(1), last: try row.value(2), key: try row.value(3),
          place: try row.value(4), identity: try row.value(5)),
        shown: try row.value(6) as Int64?, names: try SubjectNames(row, from: 7),
        found: try row.value(11) as Int64?, last: try row.value(12) as Int64?
      )
    }
    return try rows.compactMap { row in
      let (lost, found) = (row.lost, try row.found ?? row.last ?? find(row.lost, kind, successors))
      let item = row.found != nil ? lost.item : row.last != nil ? lost.last : found ?? lost.item
      guard found != row.shown || item != lost.item else { return nil }
      try transaction.execute(
        "UPDATE subjects SET item = ?2, shown = ?3, last_shown = ifnull(?3, last_shown) WHERE id = ?1", lost.subject,
        item, found)
      guard found != row.shown else { return nil }
      return SubjectMove(subject: lost.subject, kind: kind, before: lost.last, former: row.names, after: found)
    }
  }

  /// Returns the item that is shown for a subject whose numbers lead nowhere; nil if there is none.
  private func find(_ lost: Candidate, _ kind: Kind, _ successors: [Int64: Int64]) throws -> Int64? {
    switch kind {
    case .album:
      try majority(of: lost.subject, Self.albumsOfTracks) ?? successor(of: lost.item, successors)
        ?? successor(of: lost.last, successors)
        ?? transaction.value(
          "SELECT id FROM albums WHERE merge_key = ? AND shelf = id ORDER BY id LIMIT 1 OFFSET ?", lost.key, lost.place)
    case .artist:
      try majority(of: lost.subject, Self.artistsOfAlbums)
        ?? transaction.value("SELECT artist FROM artist_names WHERE key = ?", lost.key)
    default:
      try transaction.value(
        "SELECT shown FROM tracks WHERE identity = ? AND identity <> 0 ORDER BY id LIMIT 1", lost.identity)
    }
  }

  /// Returns the album that is shown for the one that the last track of an album was moved to.
  private func successor(of album: Int64, _ successors: [Int64: Int64]) throws -> Int64? {
    var (album, seen): (Int64, Set<Int64>) = (album, [album])
    while let next = successors[album], seen.insert(next).inserted {
      if let shown: Int64 = try transaction.value("SELECT \(Successors.shown(.album, "?1"))", next) { return shown }
      album = next
    }
    return nil
  }

  /// The albums on which the witnesses of an album are now, a copy that stands for a removed one included.
  private static let albumsOfTracks = """
    SELECT a.shelf AS found FROM subject_witnesses w
    \(Successors.join(.track, "w.item", as: "h"))
    JOIN tracks t ON t.id = ifnull((SELECT id FROM tracks WHERE id = w.item), h.heir)
    JOIN albums a ON a.id = t.album WHERE w.subject = ?1
    """

  private static let artistsOfAlbums = """
    SELECT a.artist_id AS found FROM subject_witnesses w
    \(Successors.join(.album, "w.item", as: "h"))
    JOIN albums a ON a.id = ifnull((SELECT id FROM albums WHERE id = w.item), h.heir) WHERE w.subject = ?1
    """

  /// Returns the item that at least half of the witnesses have; nil if there is none.
  private func majority(of subject: Int64, _ query: String) throws -> Int64? {
    try transaction.value(
      """
      SELECT found FROM (\(query)) GROUP BY found
      HAVING 2 * count(*) >= (SELECT count(*) FROM subject_witnesses WHERE subject = ?1)
      ORDER BY count(*) DESC, found LIMIT 1
      """, subject)
  }

  /// Returns the statement that updates the names of the subjects of a kind that are in the library.
  static func updateOfNames(of kind: Kind) -> String {
    let now = namesOf(kind, "subjects.shown", releaseGroup: "subjects.release_group")
    return """
      UPDATE OR IGNORE subjects SET (\(names)) = (SELECT \(now))
      WHERE +kind = \(kind.sql) AND shown IS NOT NULL AND (\(names)) IS NOT (SELECT \(now))
      """
  }

  /// Updates the witnesses of a subject: the tracks of an album and the albums of an artist, the first 100 of them.
  func keepWitnesses(of subject: Int64, _ item: CatalogueID) throws {
    let items: String
    switch item.kind {
    case .album:
      items = "SELECT t.id FROM albums a JOIN tracks t ON t.album = a.id WHERE a.shelf = ?2 ORDER BY t.id LIMIT 100"
    case .artist: items = "SELECT id FROM albums WHERE artist_id = ?2 ORDER BY id LIMIT 100"
    default: return
    }
    try transaction.execute(
      "DELETE FROM subject_witnesses WHERE subject = ?1 AND item NOT IN (\(items))", subject, item.number)
    try transaction.execute(
      "INSERT OR IGNORE INTO subject_witnesses SELECT ?1, * FROM (\(items))", subject, item.number)
  }
}
