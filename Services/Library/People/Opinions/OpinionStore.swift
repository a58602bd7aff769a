import Bus
import Catalogue
import Messages
import Model
import Records
import Storage

/// The opinions that people have of albums.
///
/// An opinion is kept under the number of the album at which it was given (`album`), and shown at the album that stands
/// for that one now (`shown`). Where albums that are shown as one have several opinions, the latest stands; the others
/// are kept, so that albums that are separated again have their own. An album that is removed keeps its opinion, which
/// returns with it.
enum OpinionStore {
  /// An album of which there is an opinion.
  struct Subject: Hashable, Sendable {
    /// The number of the album that is shown, or that was shown last.
    var number: Int64
    var id: AlbumID
    var mergeKey: String
    /// The position among the shown albums of the merge key.
    var place: Int
    var title: String
    var artist: String
    var year: Int?
    var releaseGroup: String?
  }

  /// The opinion that stands for an album.
  struct Standing: Hashable, Sendable {
    var id: AlbumID
    var opinion: Library.Opinion
    var title: String
    var artist: String
    var releaseGroup: String?
  }

  /// Stores an opinion, or takes it back, and has servers told of it. Returns the opinion before, and true if that was
  /// another one. Throws `library.unknownID`, `library.unknownOpinion`.
  static func set(
    _ request: Library.SetOpinion, at now: Timestamp, _ kinds: SourceKinds, _ journal: Journal?,
    _ transaction: Transaction
  ) throws -> (before: Library.Opinion?, isChanged: Bool) {
    guard request.opinion != .unknown else {
      throw LunaraError("library.unknownOpinion", "An opinion is a like or a dislike. Nothing was changed.")
    }
    let subject = try subject(request.id, transaction)
    let before = try standing(at: subject.number, transaction)?.opinion
    guard before != request.opinion else { return (before, false) }
    try OpinionOutbox.cancel(at: subject.number, transaction)
    try transaction.execute("DELETE FROM opinions WHERE shown = ?", subject.number)
    if request.opinion == nil { try keepFormer(subject, at: now, transaction) }
    if let opinion = request.opinion {
      try insert(opinion, of: subject, at: now, transaction)
      try OpinionOutbox.enqueue(opinion, of: subject.number, kinds, transaction)
    }
    try advanceRevision(at: now, transaction)
    try journal?.append(
      Library.OpinionChanged(
        id: subject.id, opinion: request.opinion, title: subject.title, artist: subject.artist,
        releaseGroup: subject.releaseGroup), in: transaction)
    return (before, true)
  }

  /// Stores an opinion that stands for a shown album.
  static func insert(_ opinion: Library.Opinion, of subject: Subject, at time: Timestamp, _ transaction: Transaction)
    throws
  {
    // The number may be that of an album that is shown elsewhere, and has an opinion there.
    try transaction.execute(
      """
      INSERT OR REPLACE INTO opinions (album, shown, stands, opinion, given_at, id, merge_key, place, title, artist,
        year, release_group)
      VALUES (?1, ?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """, subject.number, opinion.rawValue, time, subject.id, subject.mergeKey, subject.place, subject.title,
      subject.artist, subject.year, subject.releaseGroup)
  }

  /// Returns the opinion that stands for a shown album.
  static func standing(at shown: Int64, _ transaction: ReadTransaction) throws -> Standing? {
    try transaction.row(
      """
      SELECT id, opinion, title, artist, release_group FROM opinions WHERE shown = ? AND stands = 1
      """, shown
    ) { row in
      Standing(
        id: try row.value(0), opinion: Library.Opinion(rawValue: try row.value(1)) ?? .unknown,
        title: try row.value(2), artist: try row.value(3), releaseGroup: try row.value(4))
    }
  }

  /// The most albums of which it is kept that their opinion was taken back while they were not here.
  private static let mostFormer = 500

  /// Keeps which album is meant by the id of one that is not in the library, so that an opinion can be given back to
  /// it.
  private static func keepFormer(_ subject: Subject, at now: Timestamp, _ transaction: Transaction) throws {
    guard try self.subject(subject.number, transaction) == nil else { return }
    try transaction.execute(
      """
      INSERT OR REPLACE INTO former_opinions (id, shown, merge_key, place, title, artist, year, release_group,
        taken_back_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, subject.id, subject.number, subject.mergeKey, subject.place, subject.title, subject.artist, subject.year,
      subject.releaseGroup, now)
    try transaction.execute(
      """
      DELETE FROM former_opinions WHERE id NOT IN
        (SELECT id FROM former_opinions ORDER BY taken_back_at DESC, id LIMIT ?)
      """, mostFormer)
  }

  /// Returns the album whose opinion was taken back while it was not here; nil if there is none with this id. If it has
  /// come back under another number, that is the album.
  private static func former(_ id: AlbumID, _ transaction: ReadTransaction) throws -> Subject? {
    let former = try transaction.row(
      """
      SELECT shown, id, merge_key, place, title, artist, year, release_group FROM former_opinions WHERE id = ?
      """, id, as: readSubject)
    guard let former else { return nil }
    let here: Int64? = try transaction.value(
      "SELECT id FROM albums WHERE merge_key = ? AND shelf = id ORDER BY id LIMIT 1 OFFSET ?", former.mergeKey,
      former.place)
    return try here.flatMap { try subject($0, transaction) } ?? former
  }

  /// Returns the album that is shown for an id: one of the library, or one that was removed and has an opinion, or had
  /// one that was taken back. Throws `library.unknownID`.
  private static func subject(_ id: AlbumID, _ transaction: ReadTransaction) throws -> Subject {
    if let number = try Catalogue.find(.album, id, transaction), let here = try subject(number, transaction) {
      return here
    }
    let removed = try transaction.row(
      """
      SELECT shown, id, merge_key, place, title, artist, year, release_group FROM opinions
      WHERE id = ? AND stands = 1
      """, id, as: readSubject)
    guard let removed = try removed ?? former(id, transaction) else { throw CatalogueID.unknown(id) }
    return removed
  }

  /// Returns a shown album; nil where there is none with this number.
  static func subject(_ number: Int64, _ transaction: ReadTransaction) throws -> Subject? {
    try transaction.row(
      """
      SELECT a.id, a.source || ':a' || a.id, a.merge_key, (SELECT count(*) FROM albums o
          WHERE o.merge_key = a.merge_key AND o.shelf = o.id AND o.id < a.id), a.title, a.artist, a.year,
        a.release_group
      FROM albums a WHERE a.id = ? AND a.shelf = a.id
      """, number, as: readSubject)
  }

  private static func readSubject(_ row: borrowing Row) throws -> Subject {
    Subject(
      number: try row.value(0), id: try row.value(1), mergeKey: try row.value(2), place: try row.value(3),
      title: try row.value(4), artist: try row.value(5), year: try row.value(6), releaseGroup: try row.value(7))
  }

  /// Gives the opinions a higher revision. It is at least the time in milliseconds, so that it is new even where a
  /// backup was restored.
  static func advanceRevision(at now: Timestamp, _ transaction: Transaction) throws {
    try transaction.execute(
      "UPDATE catalogue SET opinions_revision = max(opinions_revision + 1, ?)", now.microseconds / 1000)
  }
}
