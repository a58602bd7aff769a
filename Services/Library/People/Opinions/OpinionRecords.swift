import Bus
import Catalogue
import Messages
import Model
import Records
import Storage

/// Opinions in the file of an export.
extension OpinionStore {
  /// Returns the opinions that stand after a place, the oldest first. A place is the time and the number of an album.
  static func records(
    after last: [Int64], atMost most: Int, _ transaction: ReadTransaction
  ) throws -> [Catalogue.PlacedRecord] {
    try transaction.rows(
      """
      SELECT o.given_at, o.album, o.id, ifnull(a.title, o.title), ifnull(a.artist, o.artist),
        iif(a.id IS NULL, o.year, a.year), o.opinion, a.id IS NOT NULL
      FROM opinions o LEFT JOIN albums a ON a.id = o.shown AND a.shelf = a.id
      WHERE o.stands = 1 AND (o.given_at, o.album) > (?, ?) ORDER BY o.given_at, o.album LIMIT ?
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
    let here = try album.flatMap { try subject($0, transaction) }
    let on = record.on
    let key = CatalogueWriter.mergeKey(artist: on.artist, title: on.title, year: record.year)
    let isKnown: Bool? =
      if let here {
        try transaction.value("SELECT count(*) > 0 FROM opinions WHERE album = ?1 OR shown = ?1", here.number)
      } else {
        try transaction.value("SELECT count(*) > 0 FROM opinions WHERE merge_key = ?", key)
      }
    guard isKnown != true else { return false }
    let target = try here ?? subject(of: record, key, transaction)
    try insert(opinion, of: target, at: min(record.at, now), transaction)
    try advanceRevision(at: now, transaction)
    try journal?.append(
      Library.OpinionChanged(
        id: target.id, opinion: opinion, title: target.title, artist: target.artist,
        releaseGroup: target.releaseGroup), in: transaction)
    return true
  }

  /// Returns the subject of an album that is not in the library, under a number that no album ever had.
  private static func subject(
    of record: Library.GardenRecord, _ key: String, _ transaction: Transaction
  ) throws -> Subject {
    try transaction.execute("UPDATE catalogue SET next_album = next_album + 1")
    let number: Int64 = try transaction.value("SELECT next_album - 1 FROM catalogue") ?? 0
    return Subject(
      number: number, id: AlbumID(source: record.on.id.source, native: "a\(number)"), mergeKey: key, place: 0,
      title: GardenText.cleaned(record.on.title), artist: GardenText.cleaned(record.on.artist), year: record.year)
  }
}
