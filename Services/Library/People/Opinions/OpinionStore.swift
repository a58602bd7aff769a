import Bus
import Catalogue
import Messages
import Model
import Records
import Storage

/// The opinions that people have of albums.
///
/// An opinion is kept with the subject of the album at which it was given. Where albums that are shown as one have
/// several opinions, the latest stands; the others are kept, so that albums that are separated again have their own. An
/// album that is removed keeps its opinion, which returns with it.
enum OpinionStore {
  /// An album that has or may have an opinion.
  struct Album: Hashable, Sendable {
    /// The number of the album that is shown, or that was shown last.
    var number: Int64
    var names: SubjectNames
    /// The subject of an album that is not in the library.
    var absent: Int64?
  }

  /// The opinion that stands for an album.
  struct Standing: Hashable, Sendable {
    var names: SubjectNames
    var opinion: Library.Opinion
  }

  /// SQL for the opinions `o` with their subjects `s`.
  static let rows = "album_opinions o CROSS JOIN subjects s ON s.id = o.subject"

  /// SQL for the subjects of the albums that are shown, or were shown last, as `?1`.
  static let subjectsOfAlbum = "SELECT id FROM subjects WHERE kind = \(CatalogueID.Kind.album.sql) AND last_shown = ?1"

  /// Stores an opinion, or takes it back, and queues it for servers. Returns the opinion before, and true if that was
  /// another one. Throws `library.unknownID`, `library.unknownOpinion`.
  static func set(
    _ request: Library.SetOpinion, at now: Timestamp, _ kinds: SourceKinds, _ journal: Journal?,
    _ transaction: Transaction
  ) throws -> (before: Library.Opinion?, isChanged: Bool) {
    guard request.opinion != .unknown else {
      throw LunaraError("library.unknownOpinion", "An opinion is a like or a dislike. Nothing was changed.")
    }
    let album = try album(request.id, transaction)
    let before = try standing(at: album.number, transaction)?.opinion
    guard before != request.opinion else { return (before, false) }
    try OpinionOutbox.cancel(at: album.number, transaction)
    try transaction.execute("DELETE FROM album_opinions WHERE subject IN (\(subjectsOfAlbum))", album.number)
    if let opinion = request.opinion {
      let subject = try album.absent ?? Subjects(transaction).subject(for: CatalogueID(.album, album.number))
      try insert(opinion, of: subject, at: now, transaction)
      try OpinionOutbox.enqueue(opinion, of: album.number, subject, kinds, transaction)
    } else {
      try keepFormer(album, at: now, transaction)
    }
    try Subjects(transaction).prune()
    try advanceRevision(at: now, transaction)
    try journal?.append(Library.OpinionChanged(album.names, request.opinion), in: transaction)
    return (before, true)
  }

  /// Stores an opinion that stands for the album of a subject.
  static func insert(_ opinion: Library.Opinion, of subject: Int64, at time: Timestamp, _ transaction: Transaction)
    throws
  {
    try transaction.execute(
      "INSERT OR REPLACE INTO album_opinions (subject, stands, opinion, given_at) VALUES (?, 1, ?, ?)", subject,
      opinion.rawValue, time)
  }

  /// Returns the opinion that stands for an album that is shown, or was shown last, apart from those of some subjects.
  static func standing(
    at album: Int64, without moved: Set<Int64> = [], _ transaction: ReadTransaction
  ) throws -> Standing? {
    let all = try transaction.rows(
      """
      SELECT o.subject, o.opinion, \(SubjectNames.columns) FROM subjects s JOIN album_opinions o ON o.subject = s.id
      WHERE s.id IN (\(subjectsOfAlbum)) AND o.stands = 1
      """, album
    ) { row in
      (
        subject: try row.value(0) as Int64,
        standing: Standing(
          names: try SubjectNames(row, from: 2), opinion: Library.Opinion(rawValue: try row.value(1)) ?? .unknown)
      )
    }
    return all.first { !moved.contains($0.subject) }?.standing
  }

  /// The most albums outside the library whose withdrawn opinions are remembered.
  private static let mostFormer = 500

  /// Keeps which album is meant by the id of one that is not in the library, so that an opinion can be given back to
  /// it.
  private static func keepFormer(_ album: Album, at now: Timestamp, _ transaction: Transaction) throws {
    guard let subject = album.absent else { return }
    try transaction.execute(
      "INSERT OR REPLACE INTO taken_back_opinions (id, subject, taken_back_at) VALUES (?, ?, ?)", album.names.id,
      subject, now)
    try transaction.execute(
      """
      DELETE FROM taken_back_opinions WHERE id NOT IN
        (SELECT id FROM taken_back_opinions ORDER BY taken_back_at DESC, id LIMIT ?)
      """, mostFormer)
  }

  /// Returns the album that is shown for an id: one of the library, or one that was removed and has an opinion, or had
  /// one that was taken back. If the latter has come back under another number, that is the album. Throws
  /// `library.unknownID`.
  private static func album(_ id: AlbumID, _ transaction: ReadTransaction) throws -> Album {
    if let number = try Catalogue.find(.album, id, transaction), let here = try album(number, transaction) {
      return here
    }
    let known = try transaction.row(
      """
      SELECT s.id, s.shown, s.last_shown, \(SubjectNames.columns) FROM subjects s WHERE s.id = ifnull(
        (SELECT o.subject FROM \(rows) WHERE s.reference = ?1 AND o.stands = 1),
        (SELECT subject FROM taken_back_opinions WHERE id = ?1))
      """, id
    ) { row in
      (
        shown: try row.value(1) as Int64?,
        album: Album(number: try row.value(2), names: try SubjectNames(row, from: 3), absent: try row.value(0))
      )
    }
    guard let known else { throw CatalogueID.unknown(id) }
    return try known.shown.flatMap { try album($0, transaction) } ?? known.album
  }

  /// Returns a shown album; nil if there is none with this number.
  private static func album(_ number: Int64, _ transaction: ReadTransaction) throws -> Album? {
    try transaction.row(
      """
      SELECT source || ':a' || id, title, artist, release_group FROM albums WHERE id = ? AND shelf = id
      """, number
    ) { Album(number: number, names: try SubjectNames($0)) }
  }

  /// Gives the opinions a higher revision. It is at least the time in milliseconds, so that it is new even where a
  /// backup was restored.
  static func advanceRevision(at now: Timestamp, _ transaction: Transaction) throws {
    try transaction.execute(
      "UPDATE catalogue SET opinions_revision = max(opinions_revision + 1, ?)", now.microseconds / 1000)
  }
}

extension Library.OpinionChanged {
  init(_ names: SubjectNames, _ opinion: Library.Opinion?) {
    self.init(
      id: AlbumID(source: names.id.source, native: names.id.native), opinion: opinion, title: names.title,
      artist: names.artist, releaseGroup: names.releaseGroup)
  }
}
