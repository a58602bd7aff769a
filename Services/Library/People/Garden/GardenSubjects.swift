import Catalogue
import Messages
import Model
import Records
import Storage

/// The subjects of notes, marks and todos, as messages have them.
enum GardenSubjects {
  typealias Kind = CatalogueID.Kind

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
    let found = try transaction.row("SELECT \(columns) FROM subjects s WHERE s.id = ?", subject) {
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
        s.id IN (SELECT id FROM subjects WHERE kind = \(Kind.album.sql) AND shown = ? UNION ALL SELECT g.id
          FROM tracks t CROSS JOIN subjects g ON g.kind = \(Kind.track.sql) AND g.shown = t.id WHERE t.shelf = ?)
        """, [item.number, item.number]
      )
    }
    let isKnown: Int64? = try transaction.value("SELECT 1 FROM subjects WHERE reference = ?", id)
    guard isKnown != nil else { throw CatalogueID.unknown(id) }
    return ("s.reference = ?", [id])
  }
}

extension Subjects {
  /// Returns the subject of a record of a file whose music is not in the library.
  func subject(ofAbsent record: Library.GardenRecord) throws -> Int64 {
    let kind: Kind =
      switch record.on.kind {
      case .track: .track
      case .artist: .artist
      default: .album
      }
    return try subject(
      ofAbsent: kind, title: GardenText.cleaned(record.on.title), artist: GardenText.cleaned(record.on.artist),
      album: record.album, disc: record.disc, number: record.number, year: record.year)
  }
}
