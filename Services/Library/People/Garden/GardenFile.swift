import Bus
import Catalogue
import Messages
import Model
import Records
import Storage
import Text

extension Library.GardenRecord: SizedItem {
  var size: Int {
    let listens = (session?.listens ?? []).reduce(0) { $0 + $1.rawValue.utf8.count + 4 }
    return 460 + PageBudget.size([text, uid, on.title, on.artist, on.id.description, album ?? ""]) + listens
  }
}

/// Reading everything for a file.
extension Catalogue {
  /// The most records of a page, and of an import.
  static let mostRecords = 500
  private static let forms: [(form: Library.GardenRecord.Form, columns: String, table: String)] = [
    (
      .note, "x.text, x.written_at, x.room, x.heard_from, x.heard_to, x.position, NULL, NULL, x.edited_at",
      "garden_notes"
    ),
    (.mark, "x.reason, x.marked_at, NULL, NULL, NULL, NULL, x.state, NULL, x.decided_at", "garden_marks"),
    (.todo, "x.text, x.added_at, NULL, NULL, NULL, NULL, x.state, x.about, x.done_at", "garden_todos"),
  ]

  /// A record with the place at which it is in its list.
  typealias PlacedRecord = (place: [Int64], record: Library.GardenRecord)

  /// Returns a page: notes, then marks, todos and opinions, the oldest first, then themes. Throws `library.badCursor`.
  static func exportGarden(
    _ request: Library.ExportGarden, _ transaction: ReadTransaction
  ) throws -> Library.GardenRecords {
    let cursor = try Cursor(request.after, of: "garden", count: 3)
    let first = Int(try cursor?.number(0) ?? 0)
    let (opinions, themes) = (forms.count, forms.count + 1)
    guard (0...themes).contains(first) else { return Library.GardenRecords(items: []) }
    var budget = PageBudget(items: mostRecords)
    var items: [Library.GardenRecord] = []
    func start(of list: Int) throws -> [Int64] {
      guard list == first, let cursor else { return [.min, .min] }
      return [try cursor.number(1), try cursor.number(2)]
    }
    func next(_ list: Int, _ place: [Int64]) -> String { Cursor("garden", [Int64(list)] + place).text }
    for list in first..<max(first, themes) {
      var last = try start(of: list)
      let rows =
        list == opinions
        ? try OpinionStore.records(after: last, atMost: mostRecords + 1, transaction)
        : try records(forms[list], after: last[0], transaction)
      for (place, record) in rows {
        guard budget.admits(record.size) else { return Library.GardenRecords(items: items, next: next(list, last)) }
        items.append(record)
        last = place
      }
    }
    var (last, records) = (try start(of: themes), [Library.ThemeRecord]())
    for number in try ThemeStore.numbers(after: last[0], transaction) {
      guard let record = try ThemeStore.record(number, transaction) else { continue }
      guard budget.admits(record.size) else {
        return Library.GardenRecords(
          items: items, themes: records.isEmpty ? nil : records, next: next(themes, last))
      }
      records.append(record)
      last[0] = number
    }
    return Library.GardenRecords(items: items, themes: records.isEmpty ? nil : records)
  }

  /// Returns the records of a form after the row of a number.
  private static func records(
    _ list: (form: Library.GardenRecord.Form, columns: String, table: String), after last: Int64,
    _ transaction: ReadTransaction
  ) throws -> [PlacedRecord] {
    let rows = try transaction.rows(
      """
      SELECT x.id, x.uid, \(list.columns), s.album, s.disc, s.number, s.year, \(GardenSubjects.columns)
      FROM \(list.table) x JOIN subjects s ON s.id = x.subject
      WHERE x.id > ? \(list.form == .note ? "AND x.deleted_at IS NULL" : "") ORDER BY x.id LIMIT \(mostRecords + 1)
      """, last
    ) { (place: [try $0.value(0), .min] as [Int64], record: try record(list.form, $0)) }
    return try rows.map { row in
      var record = row.record
      if record.session != nil {
        record.session?.listens = try transaction.values(
          "SELECT listen FROM garden_note_listens WHERE note = ? ORDER BY place", row.place[0])
      }
      return (row.place, record)
    }
  }

  private static func record(_ form: Library.GardenRecord.Form, _ row: borrowing Row) throws -> Library.GardenRecord {
    let room: RoomName? = try row.value(4)
    var session: Library.NoteSession?
    if let room, let from: Timestamp = try row.value(5), let to: Timestamp = try row.value(6) {
      session = Library.NoteSession(room: room, from: from, to: to, listens: [])
    }
    let about: String? = try row.value(9)
    return Library.GardenRecord(
      form: form, uid: try row.value(1), on: try GardenSubjects.read(row, from: 15, isSession: session != nil),
      album: try row.value(11), disc: try row.value(12), number: try row.value(13), year: try row.value(14),
      text: try row.value(2), at: try row.value(3), session: session, position: try row.value(7),
      state: try row.value(8), about: about.map { Library.TodoKind(rawValue: $0) ?? .other },
      changedAt: try row.value(10))
  }
}

extension Library.ImportedGarden {
  /// Counts a record of a file.
  fileprivate mutating func count(isAdded: Bool, isHere: Bool) {
    guard isAdded else { return known += 1 }
    added += 1
    if !isHere { notHere += 1 }
  }
}

/// Adds the records of a file.
struct GardenImport {
  let transaction: Transaction
  let now: Timestamp
  var journal: Journal?

  /// Adds records and themes; what is there already is left as it is. Nothing of a file is sent to other services.
  ///
  /// - Throws: `library.badNote`, `library.badTodo`, `library.badTheme`, `library.badRules`,
  ///   `library.tooManyThemes`.
  func add(_ records: [Library.GardenRecord], themes: [Library.ThemeRecord] = []) throws -> Library.ImportedGarden {
    guard records.count <= Catalogue.mostRecords else {
      throw LunaraError("library.badNote", "At most \(Catalogue.mostRecords) records can be added at once.")
    }
    var result = Library.ImportedGarden()
    // A file may have two themes of one title, as the library may. The second is known where there are two, whether the
    // first came in this request or in one before.
    var here: [String: Int] = themes.isEmpty ? [:] : try ThemeStore.titles(transaction)
    var before: [String: Int] = [:]
    for theme in themes {
      let namesakes = max(theme.namesakes ?? 0, before[theme.title] ?? 0)
      before[theme.title] = namesakes + 1
      guard (here[theme.title] ?? 0) <= namesakes else {
        try ThemeStore.check(theme)
        result.known += 1
        continue
      }
      let isWhole = try ThemeStore.add(theme, at: now, journal, transaction) { try albumNumber(named: $0) }
      here[theme.title, default: 0] += 1
      result.count(isAdded: true, isHere: isWhole)
    }
    for record in records {
      guard record.form != .unknown, !record.uid.isEmpty, record.uid.utf8.count <= 64 else {
        throw LunaraError("library.badNote", "A record of the file has no name, or a form that is not known.")
      }
      try checkNames(of: record)
      if record.form == .note, try bringBack(record) {
        result.added += 1
        continue
      }
      if record.form == .opinion {
        let album = try item(of: record).flatMap { $0.kind == .album ? $0 : nil }
        let isAdded = try OpinionStore.add(record, to: album?.number, at: now, journal, transaction)
        result.count(isAdded: isAdded, isHere: album != nil)
        continue
      }
      let table = "garden_\(record.form.rawValue)s"
      guard try transaction.value("SELECT 1 FROM \(table) WHERE uid = ?", record.uid) as Int? == nil else {
        result.known += 1
        continue
      }
      let subject = try subject(of: record)
      try insert(record, subject.number)
      result.count(isAdded: true, isHere: subject.isHere)
    }
    return result
  }

  /// Refuses names that are longer than those of any library, and sessions of more listens than any has. Throws
  /// `library.badNote`.
  private func checkNames(of record: Library.GardenRecord) throws {
    let names = [record.on.title, record.on.artist, record.album ?? "", record.on.id.description]
    guard names.allSatisfy({ $0.utf8.count <= GardenText.longestName }) else {
      throw LunaraError(
        "library.badNote", "A record of the file has a name of more than \(GardenText.longestName >> 10) KiB.")
    }
    let listens = record.session?.listens ?? []
    guard listens.count <= NoteSessions.mostListens, listens.allSatisfy({ $0.rawValue.utf8.count <= 64 }) else {
      throw LunaraError(
        "library.badNote",
        "A session of the file has more than \(NoteSessions.mostListens) listens, or one with a name of over 64 bytes.")
    }
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
    let changed = record.changedAt.map { min($0, now) }
    switch record.form {
    case .note:
      let notes = NoteStore(now: now, journal: nil, transaction: transaction)
      _ = try notes.insert(
        uid: record.uid, subject, try GardenText.checked(record.text), at: time, record.session,
        position: record.position, editedAt: changed)
    case .mark:
      let marks = MarkStore(now: now, journal: nil, transaction: transaction)
      let reason = record.text.isEmpty ? "" : try GardenText.checked(record.text, "A reason")
      let state = record.state.flatMap { Library.MarkState(word: $0) } ?? .marked
      _ = try marks.insert(
        uid: record.uid, subject, reason, at: time, state, decidedAt: state == .marked ? nil : changed)
    default:
      let todos = TodoStore(now: now, journal: nil, transaction: transaction)
      let text = GardenText.cleaned(record.text)
      guard text.utf8.count <= 4096 else {
        throw LunaraError("library.badTodo", "A todo of the file has a text of more than 4 KiB.")
      }
      let state = record.state.flatMap { Library.TodoState(word: $0) } ?? .open
      let about = record.about.flatMap { $0 == .unknown ? nil : $0 } ?? .other
      let sign = state == .open ? try sign(of: about, subject) : nil
      _ = try todos.insert(
        uid: record.uid, subject, about, text, at: time, state, sign: sign?.sign, evidence: sign?.evidence,
        isSent: false, doneAt: state == .done ? changed : nil)
    }
  }

  /// Returns the sign by which an open todo is noticed as done; nil if its subject is no album of the library.
  private func sign(of about: Library.TodoKind, _ subject: Int64) throws -> (sign: String, evidence: String?)? {
    let album: Int64? = try transaction.value(
      "SELECT shown FROM subjects WHERE id = ? AND kind = ? AND shown IS NOT NULL", subject,
      CatalogueID.Kind.album)
    guard let album else { return nil }
    return try TodoSigns(transaction: transaction).sign(about, of: album)
  }

  /// Returns the subject for a record: the thing with its id if it has the same names, else the thing with its names,
  /// else one that is not in the library.
  private func subject(of record: Library.GardenRecord) throws -> (number: Int64, isHere: Bool) {
    if let item = try item(of: record) { return (try Subjects(transaction).subject(for: item), true) }
    return (try Subjects(transaction).subject(ofAbsent: record), false)
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
      return try trackNumber(of: record).map { CatalogueID(.track, $0) }
    default:
      return try albumNumber(named: Library.ThemeAlbum(title: on.title, artist: on.artist, year: record.year)).map {
        CatalogueID(.album, $0)
      }
    }
  }

  /// Returns the number of the shown album with these names and this year, else of one with the names; nil for none.
  private func albumNumber(named album: Library.ThemeAlbum) throws -> Int64? {
    let merged: Int64? = try transaction.value(
      "SELECT shelf FROM albums WHERE merge_key = ? ORDER BY id LIMIT 1",
      CatalogueWriter.mergeKey(artist: album.artist, title: album.title, year: album.year))
    if let merged { return merged }
    let named: Int64? = try transaction.value(
      """
      SELECT id FROM albums INDEXED BY albums_of_artist
      WHERE artist_id IN (SELECT artist FROM artist_names WHERE key = ?) AND title = ? AND artist = ? AND shelf = id
      ORDER BY id LIMIT 1
      """, ArtistRows.key(of: album.artist), album.title, album.artist)
    return try named ?? albumOfSeveralArtists(named: album)
  }

  /// Returns the number of a shown album whose artist is written as several names, which no single artist has; nil for
  /// none. The key of its names is the same for every year but for its end.
  private func albumOfSeveralArtists(named album: Library.ThemeAlbum) throws -> Int64? {
    let key = AlbumMerger.nameKey(
      artist: album.artist, title: EditionTitle.split(album.title).title, year: nil, "")
    // The key ends with a bar, and the brace follows the bar in the order of bytes.
    return try transaction.value(
      """
      SELECT id FROM albums INDEXED BY albums_of_name
      WHERE name_key >= ? AND name_key < ? AND shelf = id AND title = ? AND artist = ? ORDER BY id LIMIT 1
      """, key, "\(key.dropLast())}", album.title, album.artist)
  }

  /// Returns the number of the shown track with the names of a record, sooner one with its number on the album; nil for
  /// none. A track with a sort title of its own is found among the albums of its artist.
  private func trackNumber(of record: Library.GardenRecord) throws -> Int64? {
    let on = record.on
    let number: Int64? = try transaction.value(
      """
      SELECT t.id FROM tracks t INDEXED BY tracks_by_title CROSS JOIN albums a ON a.id = t.shelf
      WHERE t.title_sort = ?5 AND t.shelf IS NOT NULL AND t.title = ?1 AND t.artist = ?2 AND a.title = ?3
      ORDER BY t.number IS NOT ?4, t.id LIMIT 1
      """, on.title, on.artist, record.album, record.number, SortKey.of(on.title))
    if let number { return number }
    return try transaction.value(
      """
      SELECT t.id FROM albums a INDEXED BY albums_of_artist CROSS JOIN tracks t ON t.shelf = a.id
      WHERE a.artist_id IN (SELECT artist FROM artist_names WHERE key = ?5) AND a.title = ?3 AND t.title = ?1
        AND t.artist = ?2
      ORDER BY t.number IS NOT ?4, t.id LIMIT 1
      """, on.title, on.artist, record.album, record.number, ArtistRows.key(of: on.artist))
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
