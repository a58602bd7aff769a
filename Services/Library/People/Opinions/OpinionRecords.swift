import Bus
import Catalogue
import Messages
import Model
import Records
import Storage

/// Opinions in the file of an export.
extension OpinionStore {
  /// Returns the opinions that stand after a place, the oldest first. A place is the time and the subject.
  static func records(
    after last: [Int64], atMost most: Int, _ transaction: ReadTransaction
  ) throws -> [Catalogue.PlacedRecord] {
    try transaction.rows(
      """
      SELECT o.given_at, o.subject, s.reference, s.title, s.artist, s.year, o.opinion, s.shown IS NOT NULL
      FROM \(rows) WHERE o.stands = 1 AND (o.given_at, o.subject) > (?, ?) ORDER BY o.given_at, o.subject LIMIT ?
      """, last[0], last[1], most
    ) { row in
      let (id, isHere): (PlayableID, Bool) = (try row.value(2), try row.value(7))
      let on = Library.GardenSubject(
        kind: .album, id: id, title: try row.value(3), artist: try row.value(4), isHere: isHere ? nil : false)
      let year: Int? = try row.value(5)
      let key = CatalogueWriter.mergeKey(artist: on.artist, title: on.title, year: year)
      let name = String(UInt64(bitPattern: contentHash(of: key.utf8)), radix: 16)
      let record = Library.GardenRecord(
        form: .opinion, uid: "opinion-\(name)", on: on, year: year, text: "", at: try row.value(0),
        state: try row.value(6))
      return ([try row.value(0), try row.value(1)], record)
    }
  }

  /// Adds an opinion of a file where there is none. Services are not told of it.
  ///
  /// - Parameter album: the number of the shown album; nil if it is not in the library, which finds the opinion then by
  ///   the names of the album when it comes.
  /// - Returns: false if there is an opinion already.
  /// - Throws: `library.badNote`.
  static func add(
    _ record: Library.GardenRecord, to album: Int64?, at now: Timestamp, _ journal: Journal?, _ transaction: Transaction
  ) throws -> Bool {
    guard let opinion = record.state.flatMap({ Library.Opinion(word: $0) }), record.on.kind == .album else {
      throw LunaraError("library.badNote", "An opinion of the file is no like or dislike of an album.")
    }
    let subjects = Subjects(transaction)
    let subject: Int64
    if let album {
      guard try standing(at: album, transaction) == nil else { return false }
      subject = try subjects.subject(for: CatalogueID(.album, album))
    } else {
      subject = try subjects.subject(ofAbsent: record)
      let isKnown: Bool? = try transaction.value(
        """
        SELECT EXISTS (SELECT 1 FROM subjects s JOIN subjects l ON l.kind = s.kind AND l.key = s.key
          JOIN album_opinions o ON o.subject = l.id WHERE s.id = ? AND l.shown IS NULL)
        """, subject)
      guard isKnown != true else { return false }
    }
    try insert(opinion, of: subject, at: min(record.at, now), transaction)
    try advanceRevision(at: now, transaction)
    if let names = try transaction.row(
      "SELECT \(SubjectNames.columns) FROM subjects s WHERE id = ?", subject, as: { try SubjectNames($0) })
    {
      try journal?.append(Library.OpinionChanged(names, opinion), in: transaction)
    }
    return true
  }
}
