import Catalogue
import Messages
import Model
import Storage
import Text

/// Reading notes.
extension Catalogue {
  static func unknownNote(_ note: Int64) -> LunaraError {
    LunaraError("library.unknownNote", "There is no note \(note). `lunara notes` lists them.")
  }

  private static let noteColumns = """
    n.id, n.text, n.written_at, n.version, n.edited_at, n.room, n.heard_from, n.heard_to, n.position,
    \(GardenSubjects.columns)
    """
  private static let notes = "FROM garden_notes n JOIN subjects s ON s.id = n.subject WHERE n.deleted_at IS NULL"

  /// Reads a note without the listens of its session.
  private static func note(_ row: borrowing Row) throws -> Library.Note {
    let room: RoomName? = try row.value(5)
    return Library.Note(
      note: try row.value(0), on: try GardenSubjects.read(row, from: 9, isSession: room != nil), text: try row.value(1),
      at: try row.value(2), version: try row.value(3), editedAt: try row.value(4),
      session: try room.map {
        Library.NoteSession(
          room: $0, from: try row.value(6) ?? Timestamp(microseconds: 0),
          to: try row.value(7) ?? Timestamp(microseconds: 0), listens: [])
      }, position: try row.value(8))
  }

  private static func addListens(to note: inout Library.Note, _ transaction: ReadTransaction) throws {
    guard note.session != nil else { return }
    note.session?.listens = try transaction.values(
      "SELECT listen FROM garden_note_listens WHERE note = ? ORDER BY place", note.note)
  }

  /// Returns a note. Throws `library.unknownNote`.
  static func note(_ number: Int64, _ transaction: ReadTransaction) throws -> Library.Note {
    let found = try transaction.row("SELECT \(noteColumns) \(notes) AND n.id = ?", number, as: note)
    guard var note = found else { throw unknownNote(number) }
    try addListens(to: &note, transaction)
    return note
  }

  /// Returns a page of notes, the latest first; those with some words in the order in which they were stored.
  ///
  /// - Throws: `library.badCursor`, `library.unknownID`.
  static func notes(_ request: Library.ListNotes, _ transaction: ReadTransaction) throws -> Library.NotePage {
    var (source, values): (String, [(any SQLBindable)?]) = (notes, [])
    var order = ListOrder("notes", .number("n.written_at"), .number("n.id"), isDescending: true)
    if let words = request.words {
      guard let query = SearchText.query(words) else { return Library.NotePage(items: []) }
      // Row ids are numbers of notes, so the index gives the latest ones first.
      order = ListOrder("found-notes", .number("garden_search.rowid"), isDescending: true)
      source = """
        FROM garden_search CROSS JOIN garden_notes n ON n.id = garden_search.rowid
        JOIN subjects s ON s.id = n.subject
        WHERE garden_search.garden_search MATCH ? AND n.deleted_at IS NULL
        """
      values = [query]
    }
    if let id = request.id {
      let condition = try GardenSubjects.condition(id, transaction)
      source += " AND \(condition.sql)"
      values += condition.values
    }
    var page = try transaction.page(
      order, after: request.after, PageBudget(items: limit(request.limit)), noteColumns, source, values, as: note)
    for index in page.items.indices { try addListens(to: &page.items[index], transaction) }
    return Library.NotePage(items: page.items, next: page.next)
  }

  /// Returns a note with its former and refused texts. Throws `library.unknownNote`.
  static func note(_ request: Library.ReadNote, _ transaction: ReadTransaction) throws -> Library.NoteHistory {
    let note = try note(request.note, transaction)
    var budget = PageBudget(items: 20, reserved: note.size)
    let texts = try transaction.rows(
      "SELECT version, text, written_at, is_refused FROM garden_note_texts WHERE note = ? ORDER BY id DESC",
      request.note
    ) { row in
      Library.NoteText(
        version: try row.value(0), text: try row.value(1), at: try row.value(2),
        isRefused: try row.value(3) ? true : nil)
    }
    return Library.NoteHistory(
      note: note,
      texts: note.size > 150_000 ? [] : Array(texts.prefix { budget.admits(80 + PageBudget.size($0.text)) }))
  }

  /// The time within which a note does not come back twice.
  static let restOfNotes = Milliseconds(14 * 86_400_000)

  /// Returns the notes that come back: those of an album that plays, the latest first, or those whose anniversary is
  /// within three days, the oldest first. Notes of the last 30 days are too new for either.
  ///
  /// - Throws: `library.unknownID`.
  static func dueNotes(
    _ request: Library.ListDueNotes, now: Timestamp, _ transaction: ReadTransaction
  ) throws -> Library.DueNotes {
    let limit = min(max(1, request.limit), 50)
    let rested = Timestamp(microseconds: now.microseconds - restOfNotes.rawValue * 1000)
    let rest = "AND (n.shown_at IS NULL OR n.shown_at <= ?2 OR n.shown_at > ?1)"
    var items: [Library.DueNote]
    if let album = request.album {
      let condition = try GardenSubjects.condition(album.playable, transaction)
      items = try transaction.rows(
        """
        SELECT \(noteColumns) \(notes) \(rest) AND n.written_at < ?3 AND \(condition.sql)
        ORDER BY n.written_at DESC, n.id DESC LIMIT \(limit)
        """,
        values: [now, rested, Timestamp(microseconds: now.microseconds - 30 * day)] + condition.values
      ) { Library.DueNote(note: try note($0), reason: "You wrote this about it \(ago(try $0.value(2), now)).") }
    } else {
      // An anniversary is 365.2425 days, in microseconds; the window around it is three days on each side.
      items = try transaction.rows(
        """
        SELECT \(noteColumns), (?1 - n.written_at + \(3 * day)) / \(year) AS years \(notes) \(rest)
          AND (?1 - n.written_at + \(3 * day)) >= \(year)
          AND (?1 - n.written_at + \(3 * day)) % \(year) <= \(6 * day)
        ORDER BY n.written_at, n.id LIMIT \(limit)
        """, now, rested
      ) { row in
        let years: Int = try row.value(14)
        return Library.DueNote(
          note: try note(row), reason: years == 1 ? "A year ago you wrote this." : "\(years) years ago you wrote this.",
          years: years)
      }
    }
    var budget = PageBudget(items: limit)
    items = items.filter { budget.admits($0.note.size + 120) }
    for index in items.indices { try addListens(to: &items[index].note, transaction) }
    return Library.DueNotes(items: items)
  }

  private static let day: Int64 = 86_400_000_000
  private static let year: Int64 = 31_556_952_000_000

  private static func ago(_ time: Timestamp, _ now: Timestamp) -> String {
    let days = (now.microseconds - time.microseconds) / day
    func words(_ count: Int64, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s") ago" }
    if days >= 350 { return words(max(1, (days + 15) / 365), "year") }
    return days >= 60 ? words(days / 30, "month") : words(days, "day")
  }
}
