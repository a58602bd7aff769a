package import Bus
import Catalogue
package import Messages
package import Model
import Records
package import Storage
import Text

/// Writes notes, each change in one transaction with its fact.
package struct NoteStore {
  /// The most former and refused texts that are kept of a note.
  private static let mostTexts = 20

  let now: Timestamp
  let journal: Journal?
  let transaction: Transaction

  package init(now: Timestamp, journal: Journal?, transaction: Transaction) {
    self.now = now
    self.journal = journal
    self.transaction = transaction
  }

  /// Throws `library.unknownID`, `library.badNote`, `library.noSession`.
  func write(_ request: Library.WriteNote) throws -> Library.Note {
    let text = try GardenText.checked(request.text)
    var item = try GardenSubjects.item(request.id, transaction)
    var session: Library.NoteSession?
    if request.isOfSession ?? false {
      item = try NoteSessions.album(of: item, request.id, transaction)
      session = try NoteSessions.last(of: item.number, in: request.room, before: now, transaction)
      guard session != nil else { throw NoteSessions.missing(request.id) }
    }
    let note = try insert(
      uid: UniqueID<Library.Note>.random().rawValue, try Subjects(transaction).subject(for: item), text, at: now,
      session, position: request.position.map { max(.zero, $0) })
    return try changed(note)
  }

  /// Adds the row of a note, and returns its number.
  package func insert(
    uid: String, _ subject: Int64, _ text: String, at time: Timestamp, _ session: Library.NoteSession?,
    position: Milliseconds?, editedAt: Timestamp? = nil
  ) throws -> Int64 {
    try transaction.execute(
      """
      INSERT INTO garden_notes (uid, subject, text, written_at, room, heard_from, heard_to, position, edited_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, uid, subject, text, time, session?.room, session?.from, session?.to, position, editedAt)
    let note = transaction.lastInsertedRowID
    for (place, listen) in (session?.listens ?? []).enumerated() {
      try transaction.execute(
        "INSERT INTO garden_note_listens (note, place, listen) VALUES (?, ?, ?)", note, place, listen)
    }
    try Self.index(note, text, transaction)
    return note
  }

  /// Replaces the text of a note, and keeps the former one. Where the note has another version, the text is kept as a
  /// refused one: the error is returned and not thrown, as that would undo the keeping. Throws `library.unknownNote`,
  /// `library.badNote`.
  func edit(_ request: Library.EditNote) throws -> Result<Library.Note, LunaraError> {
    let text = try GardenText.checked(request.text)
    let note = try Catalogue.note(request.note, transaction)
    if note.text == text { return .success(note) }
    guard note.version == request.version else {
      try keep(request.note, version: request.version, text, at: now, isRefused: true)
      return .failure(
        LunaraError(
          "library.noteChanged",
          """
          Note \(note.note) was changed meanwhile. It now says “\(GardenText.excerpt(note.text))”. Your text \
          “\(GardenText.excerpt(text))” is kept beside it: `lunara notes show \(note.note)` shows both. Edit the note \
          again to put them together.
          """))
    }
    try keep(note.note, version: note.version, note.text, at: note.editedAt ?? note.at, isRefused: false)
    try transaction.execute(
      "UPDATE garden_notes SET text = ?, version = version + 1, edited_at = ? WHERE id = ?", text, now, note.note)
    try Self.index(note.note, text, transaction)
    return .success(try changed(note.note))
  }

  private func keep(_ note: Int64, version: Int, _ text: String, at time: Timestamp, isRefused: Bool) throws {
    try transaction.execute(
      "INSERT INTO garden_note_texts (note, version, text, written_at, is_refused) VALUES (?, ?, ?, ?, ?)", note,
      version, text, time, isRefused)
    try transaction.execute(
      """
      DELETE FROM garden_note_texts WHERE note = ?1 AND id NOT IN
        (SELECT id FROM garden_note_texts WHERE note = ?1 ORDER BY id DESC LIMIT \(Self.mostTexts))
      """, note)
  }

  /// Deletes a note, or brings it back. Its row stays, so that a deletion can be taken back. Throws
  /// `library.unknownNote`.
  func delete(_ request: Library.DeleteNote) throws {
    let isDeleted = !(request.isTakenBack ?? false)
    let known = try transaction.execute(
      "UPDATE garden_notes SET deleted_at = ? WHERE id = ?", isDeleted ? now : nil, request.note)
    guard known > 0 else { throw Catalogue.unknownNote(request.note) }
    if isDeleted {
      try transaction.execute("DELETE FROM garden_search WHERE rowid = ?", request.note)
      let on: Int64 = try transaction.value("SELECT subject FROM garden_notes WHERE id = ?", request.note) ?? 0
      try journal?.append(
        Library.NoteChanged(note: request.note, on: try GardenSubjects.read(on, transaction), isDeleted: true),
        in: transaction)
    } else {
      let note = try changed(request.note)
      try Self.index(note.note, note.text, transaction)
    }
  }

  /// Stores that notes came back: these, and the last ones of some albums.
  func keepShown(_ notes: [Int64], lastOf albums: [AlbumID] = []) throws {
    var shown: [AlbumID] = []
    for note in try notes.prefix(200) + albums.prefix(200).compactMap(lastNote) {
      try transaction.execute("UPDATE garden_notes SET shown_at = ? WHERE id = ?", now, note)
      let album: AlbumID? = try transaction.value(
        """
        SELECT a.source || ':a' || a.id FROM garden_notes n JOIN subjects s ON s.id = n.subject
          LEFT JOIN tracks t ON s.kind = ?2 AND t.id = s.shown
          JOIN albums a ON a.id = CASE s.kind WHEN ?2 THEN t.shelf WHEN ?3 THEN s.shown END
        WHERE n.id = ?1
        """, note, CatalogueID.Kind.track, CatalogueID.Kind.album)
      if let album, !shown.contains(album) { shown.append(album) }
    }
    if !shown.isEmpty { try journal?.append(Library.NotesShown(albums: shown), in: transaction) }
  }

  /// Returns the last note about an album or its tracks.
  private func lastNote(of album: AlbumID) throws -> Int64? {
    guard let item = try Catalogue.resolve(album.playable, transaction), item.kind == .album else { return nil }
    let condition = try GardenSubjects.condition(album.playable, transaction)
    return try transaction.rows(
      """
      SELECT n.id FROM garden_notes n JOIN subjects s ON s.id = n.subject
      WHERE n.deleted_at IS NULL AND \(condition.sql) ORDER BY n.written_at DESC, n.id DESC LIMIT 1
      """, values: condition.values
    ) { try $0.value(0) as Int64 }.first
  }

  private func changed(_ number: Int64) throws -> Library.Note {
    let note = try Catalogue.note(number, transaction)
    try journal?.append(Library.NoteChanged(note: number, on: note.on), in: transaction)
    return note
  }

  /// Writes the entry of a note in the search index.
  private static func index(_ note: Int64, _ text: String, _ transaction: Transaction) throws {
    try transaction.execute("DELETE FROM garden_search WHERE rowid = ?", note)
    try transaction.execute(
      "INSERT INTO garden_search (rowid, words) VALUES (?, ?)", note, SearchText.indexed(text))
  }

  /// Indexes the notes that wait for it, as after the repair of a damaged database.
  package static func indexPending(_ transaction: Transaction) throws {
    guard try transaction.value("SELECT 1 FROM garden_pending LIMIT 1") as Int? != nil else { return }
    let notes = try transaction.rows(
      """
      SELECT n.id, n.text FROM garden_pending p JOIN garden_notes n ON n.id = p.note WHERE n.deleted_at IS NULL
      ORDER BY n.id
      """
    ) { (note: try $0.value(0) as Int64, text: try $0.value(1) as String) }
    for (note, text) in notes { try index(note, text, transaction) }
    try transaction.execute("DELETE FROM garden_pending")
  }
}
