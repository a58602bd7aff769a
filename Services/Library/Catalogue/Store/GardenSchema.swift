import Storage

/// The tables of the garden: what people note, mark and have to do. They are data of people, which no refresh changes
/// except that it finds again what they are about.
enum GardenSchema {
  /// `SubjectSchema` has replaced `garden_subjects` and `garden_witnesses`, read by the repair of earlier ones.
  ///
  /// `garden_notes.shown_at` is the time when a note last came back. `garden_note_texts` has former texts and refused
  /// ones. `garden_pending` has the notes that must be indexed; row ids of `garden_search` are the numbers of notes.
  ///
  /// `garden_todos.sign` is a `TodoSigns` text: what the library saw when the todo was added; NULL if it sees
  /// nothing. `delivery` is 0 for todos that are not sent, 1 for those that wait, 2 for sent and 3 for refused ones.
  static let migrations = [
    Migration(
      "garden-1",
      """
      CREATE TABLE garden_subjects (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, item INTEGER NOT NULL, shown INTEGER,
        reference TEXT NOT NULL, key TEXT, identity INTEGER, title TEXT NOT NULL, artist TEXT NOT NULL, album TEXT,
        disc INTEGER, number INTEGER, year INTEGER)
      """,
      "CREATE INDEX garden_subjects_shown ON garden_subjects (kind, shown)",
      """
      CREATE TABLE garden_witnesses (subject INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY (subject, item))
        WITHOUT ROWID
      """,
      """
      CREATE TABLE garden_notes (id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE,
        subject INTEGER NOT NULL, text TEXT NOT NULL, written_at INTEGER NOT NULL, version INTEGER NOT NULL DEFAULT 1,
        edited_at INTEGER, room TEXT, heard_from INTEGER, heard_to INTEGER, position INTEGER, shown_at INTEGER,
        deleted_at INTEGER)
      """,
      "CREATE INDEX garden_notes_of ON garden_notes (subject)",
      "CREATE INDEX garden_notes_by_time ON garden_notes (written_at, id) WHERE deleted_at IS NULL",
      """
      CREATE TABLE garden_note_texts (id INTEGER PRIMARY KEY AUTOINCREMENT, note INTEGER NOT NULL,
        version INTEGER NOT NULL, text TEXT NOT NULL, written_at INTEGER NOT NULL, is_refused INTEGER NOT NULL)
      """,
      "CREATE INDEX garden_texts_of ON garden_note_texts (note)",
      """
      CREATE TABLE garden_note_listens (note INTEGER NOT NULL, place INTEGER NOT NULL, listen TEXT NOT NULL,
        PRIMARY KEY (note, place)) WITHOUT ROWID
      """,
      "CREATE TABLE garden_pending (note INTEGER PRIMARY KEY)",
      """
      CREATE VIRTUAL TABLE garden_search USING fts5 (words, tokenize = 'ascii', detail = none, columnsize = 0,
        prefix = '1 2 3 4 5 6 7 8')
      """,
      """
      CREATE TABLE garden_marks (id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE,
        subject INTEGER NOT NULL, reason TEXT NOT NULL, marked_at INTEGER NOT NULL, state TEXT NOT NULL,
        decided_at INTEGER)
      """,
      "CREATE INDEX garden_marks_of ON garden_marks (subject)",
      """
      CREATE TABLE garden_todos (id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE,
        subject INTEGER NOT NULL, about TEXT NOT NULL, text TEXT NOT NULL, added_at INTEGER NOT NULL,
        state TEXT NOT NULL, evidence TEXT, sign TEXT, done_at INTEGER, is_noticed INTEGER NOT NULL DEFAULT 0,
        delivery INTEGER NOT NULL DEFAULT 0, problem TEXT)
      """,
      "CREATE INDEX garden_todos_of ON garden_todos (subject)",
      "CREATE INDEX garden_todos_to_send ON garden_todos (id) WHERE delivery = 1",
      """
      CREATE TABLE garden_webhook (one INTEGER PRIMARY KEY CHECK (one = 1), address TEXT NOT NULL, problem TEXT)
      """)
  ]

  /// The tables whose readable rows are saved from a damaged database. The index is made again.
  static let savedTables = [
    "garden_notes", "garden_note_texts", "garden_note_listens", "garden_marks", "garden_todos", "garden_webhook",
  ]

  /// The statements that make the saved rows consistent.
  static let repairs = [
    "DELETE FROM garden_note_texts WHERE note NOT IN (SELECT id FROM garden_notes)",
    "DELETE FROM garden_note_listens WHERE note NOT IN (SELECT id FROM garden_notes)",
    "INSERT OR IGNORE INTO garden_pending SELECT id FROM garden_notes WHERE deleted_at IS NULL",
  ]
}

extension Catalogue {
  /// The tables whose readable rows are saved, those of the garden included.
  static let savedTables = tablesOfCatalogue + GardenSchema.savedTables + SubjectSchema.savedTables

  /// The statements that make the saved rows consistent, those of the garden included.
  static let repairs = repairsOfCatalogue + GardenSchema.repairs + SubjectSchema.repairs
}
