import Messages
import Model
import Storage
import Text

extension Library.GardenRecord: SizedItem {
  var size: Int {
    420 + PageBudget.size([text, uid, on.title, on.artist, on.id.description, album ?? ""])
      + 24 * (session?.listens.count ?? 0)
  }
}

/// Reading everything for a file.
extension Catalogue {
  private static let forms: [(form: Library.GardenRecord.Form, columns: String, table: String)] = [
    (.note, "x.text, x.written_at, x.room, x.heard_from, x.heard_to, x.position, NULL, NULL", "garden_notes"),
    (.mark, "x.reason, x.marked_at, NULL, NULL, NULL, NULL, x.state, NULL", "garden_marks"),
    (.todo, "x.text, x.added_at, NULL, NULL, NULL, NULL, x.state, x.about", "garden_todos"),
  ]

  /// Returns a page of records: notes, then marks, then todos. Throws `library.badCursor`.
  static func exportGarden(
    _ request: Library.ExportGarden, _ transaction: ReadTransaction
  ) throws -> Library.GardenRecords {
    let cursor = try Cursor(request.after, of: "garden", count: 2)
    let first = Int(try cursor?.number(0) ?? 0)
    guard forms.indices.contains(first) else { return Library.GardenRecords(items: []) }
    var budget = PageBudget(items: 500)
    var items: [Library.GardenRecord] = []
    for place in first..<forms.count {
      let (form, columns, table) = forms[place]
      let start = place == first ? try cursor?.number(1) ?? 0 : 0
      let rows = try transaction.rows(
        """
        SELECT x.id, x.uid, \(columns), s.album, s.disc, s.number, s.year, \(GardenSubjects.columns)
        FROM \(table) x JOIN garden_subjects s ON s.id = x.subject
        WHERE x.id > ? \(form == .note ? "AND x.deleted_at IS NULL" : "") ORDER BY x.id LIMIT 501
        """, start
      ) { (id: try $0.value(0) as Int64, record: try record(form, $0)) }
      var last = start
      for (id, record) in rows {
        var record = record
        if record.session != nil {
          record.session?.listens = try transaction.values(
            "SELECT listen FROM garden_note_listens WHERE note = ? ORDER BY place", id)
        }
        guard budget.admits(record.size) else {
          return Library.GardenRecords(items: items, next: Cursor("garden", [Int64(place), last]).text)
        }
        items.append(record)
        last = id
      }
    }
    return Library.GardenRecords(items: items)
  }

  private static func record(_ form: Library.GardenRecord.Form, _ row: borrowing Row) throws -> Library.GardenRecord {
    let room: RoomName? = try row.value(4)
    var session: Library.NoteSession?
    if let room, let from: Timestamp = try row.value(5), let to: Timestamp = try row.value(6) {
      session = Library.NoteSession(room: room, from: from, to: to, listens: [])
    }
    let about: String? = try row.value(9)
    return Library.GardenRecord(
      form: form, uid: try row.value(1), on: try GardenSubjects.read(row, from: 14, isSession: session != nil),
      album: try row.value(10), disc: try row.value(11), number: try row.value(12), year: try row.value(13),
      text: try row.value(2), at: try row.value(3), session: session, position: try row.value(7),
      state: try row.value(8), about: about.map { Library.TodoKind(rawValue: $0) ?? .other })
  }
}

/// Adds the records of a file.
struct GardenImport {
  private static let most = 500

  let transaction: Transaction
  let now: Timestamp

  /// Adds records; one that is there already is left as it is. No todo of a file is sent anywhere.
  ///
  /// - Throws: `library.badNote`, `library.badTodo`.
  func add(_ records: [Library.GardenRecord]) throws -> Library.ImportedGarden {
    guard records.count <= Self.most else {
      throw LunaraError("library.badNote", "At most \(Self.most) records can be added at once.")
    }
    var result = Library.ImportedGarden()
    for record in records {
      guard record.form != .unknown, !record.uid.isEmpty, record.uid.utf8.count <= 64 else {
        throw LunaraError("library.badNote", "A record of the file has no name, or a form that is not known.")
      }
      if record.form == .note, try bringBack(record) {
        result.added += 1
        continue
      }
      let table = "garden_\(record.form.rawValue)s"
      guard try transaction.value("SELECT 1 FROM \(table) WHERE uid = ?", record.uid) as Int? == nil else {
        result.known += 1
        continue
      }
      let subject = try subject(of: record)
      try insert(record, subject.number)
      result.added += 1
      if !subject.isHere { result.notHere += 1 }
    }
    return result
  }

  /// Brings a note back that was deleted here; false if there is none.
  private func bringBack(_ record: Library.GardenRecord) throws -> Bool {
    let found = try transaction.execute(
      "UPDATE garden_notes SET deleted_at = NULL WHERE uid = ? AND deleted_at IS NOT NULL", record.uid)
    guard found > 0 else { return false }
    try transaction.execute(
      "INSERT OR IGNORE INTO garden_pending SELECT id FROM garden_notes WHERE uid = ?", record.uid)
    try NoteStore.indexPending(transaction)
    return true
  }

  private func insert(_ record: Library.GardenRecord, _ subject: Int64) throws {
    // A time in the future would keep a note at the head of every list.
    let time = min(record.at, now)
    switch record.form {
    case .note:
      let notes = NoteStore(now: now, journal: nil, transaction: transaction)
      _ = try notes.insert(
        uid: record.uid, subject, try GardenText.checked(record.text), at: time, record.session,
        position: record.position)
    case .mark:
      let marks = MarkStore(now: now, journal: nil, transaction: transaction)
      let reason = record.text.isEmpty ? "" : try GardenText.checked(record.text, "A reason")
      _ = try marks.insert(
        uid: record.uid, subject, reason, at: time, record.state.flatMap { Library.MarkState(word: $0) } ?? .marked)
    default:
      let todos = TodoStore(now: now, journal: nil, transaction: transaction)
      let text = GardenText.cleaned(record.text)
      guard text.utf8.count <= 4096 else {
        throw LunaraError("library.badTodo", "A todo of the file has a text of more than 4 KiB.")
      }
      let state = record.state.flatMap { Library.TodoState(word: $0) } ?? .open
      let about = record.about.flatMap { $0 == .unknown ? nil : $0 } ?? .other
      _ = try todos.insert(uid: record.uid, subject, about, text, at: time, state, isSent: false)
    }
  }

  /// Returns the subject for a record: the thing with its id if it has the same names, else the thing with its names,
  /// else one that is not in the library.
  private func subject(of record: Library.GardenRecord) throws -> (number: Int64, isHere: Bool) {
    if let item = try item(of: record) { return (try GardenSubjects.subject(for: item, transaction), true) }
    let kind: CatalogueID.Kind =
      switch record.on.kind {
      case .track: .track
      case .artist: .artist
      default: .album
      }
    let (title, artist) = (GardenText.cleaned(record.on.title), GardenText.cleaned(record.on.artist))
    let known: Int64? = try transaction.value(
      """
      SELECT id FROM garden_subjects WHERE kind = ? AND shown IS NULL AND title = ? AND artist = ?
        AND album IS ? AND disc IS ? AND number IS ? LIMIT 1
      """, kind, title, artist, record.album, record.disc, record.number)
    if let known { return (known, false) }
    let key: String? =
      switch kind {
      case .album: CatalogueWriter.mergeKey(artist: artist, title: title, year: record.year)
      case .artist: ArtistRows.key(of: title)
      default: nil
      }
    let identity: Int64? =
      kind == .track
      ? TrackIdentity(
        artist: artist, album: record.album ?? "", disc: record.disc ?? 1, number: record.number, title: title
      ).hash64 : nil
    try transaction.execute(
      """
      INSERT INTO garden_subjects (kind, item, reference, key, identity, title, artist, album, disc, number, year)
      VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, kind, record.on.id, key, identity, title, artist, record.album, record.disc, record.number, record.year)
    return (transaction.lastInsertedRowID, false)
  }

  private func item(of record: Library.GardenRecord) throws -> CatalogueID? {
    let on = record.on
    if let item = try Catalogue.resolve(on.id, transaction), try names(of: item) == Self.names(on.title, on.artist) {
      return item
    }
    switch on.kind {
    case .artist:
      let key = ArtistRows.key(of: on.title)
      return try transaction.value("SELECT artist FROM artist_names WHERE key = ?", key).map {
        CatalogueID(.artist, $0)
      }
    case .track:
      let number: Int64? = try transaction.value(
        """
        SELECT t.id FROM tracks t JOIN albums a ON a.id = t.shelf WHERE t.title = ?1 AND t.artist = ?2 AND a.title = ?3
        ORDER BY t.number IS NOT ?4, t.id LIMIT 1
        """, on.title, on.artist, record.album, record.number)
      return number.map { CatalogueID(.track, $0) }
    default:
      let exact: Int64? = try transaction.value(
        "SELECT shelf FROM albums WHERE merge_key = ? ORDER BY id LIMIT 1",
        CatalogueWriter.mergeKey(artist: on.artist, title: on.title, year: record.year))
      let number: Int64? =
        try exact
        ?? transaction.value(
          "SELECT id FROM albums WHERE title = ? AND artist = ? AND shelf = id ORDER BY id LIMIT 1", on.title,
          on.artist)
      return number.map { CatalogueID(.album, $0) }
    }
  }

  private static func names(_ title: String, _ artist: String) -> String {
    "\(title.trimmed.folded)\u{1F}\(artist.trimmed.folded)"
  }

  private func names(of item: CatalogueID) throws -> String? {
    let query: String? =
      switch item.kind {
      case .album: "SELECT title, artist FROM albums WHERE id = ?"
      case .track: "SELECT title, artist FROM tracks WHERE id = ?"
      case .artist: "SELECT name, name FROM artists WHERE id = ?"
      default: nil
      }
    return try query.flatMap {
      try transaction.row($0, item.number) { Self.names(try $0.value(0), try $0.value(1)) }
    }
  }
}
