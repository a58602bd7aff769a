import Records
import Storage

/// The tables of subjects, and of the opinions and picked albums that refer to them.
enum SubjectSchema {
  /// `Subjects` explains `subjects`. `reference` is the id of the item that is or was shown last, `key` the merge key
  /// of an album or the key of an artist, `place` the position among the shown albums of the merge key, and `identity`
  /// the hash of a `TrackIdentity`. `subject_witnesses` has the tracks of an album and the albums of an artist as they
  /// were last.
  ///
  /// `album_opinions.opinion` is a `Library.Opinion`; of several at one album the latest `stands`.
  /// `taken_back_opinions` has the albums whose opinion was taken back while they were away, by the id that they had
  /// then. `opinion_outbox.opinion` is the subject of the opinion.
  ///
  /// The tables that had this before stay as they were for one release: `garden_subjects`, `garden_witnesses`,
  /// `opinions`, `former_opinions` and `theme_albums`. A later migration drops them, and `repairs` and `savedTables`
  /// lose what they say of them.
  static let migration = Migration(
    "subjects-1",
    running: [
      "ALTER TABLE catalogue ADD COLUMN has_subjects INTEGER NOT NULL DEFAULT 0",
      """
      CREATE TABLE subjects (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, item INTEGER NOT NULL, shown INTEGER,
        last_shown INTEGER NOT NULL, reference TEXT NOT NULL, key TEXT, place INTEGER NOT NULL DEFAULT 0, name_key TEXT,
        release_group TEXT, identity INTEGER, title TEXT NOT NULL, artist TEXT NOT NULL, album TEXT, disc INTEGER,
        number INTEGER, year INTEGER)
      """,
      "CREATE INDEX subjects_shown ON subjects (kind, shown)", "CREATE INDEX subjects_of_item ON subjects (kind, item)",
      "CREATE INDEX subjects_shown_last ON subjects (kind, last_shown)",
      "CREATE INDEX subjects_away ON subjects (kind, key) WHERE shown IS NULL",
      """
      CREATE TABLE subject_witnesses (subject INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY (subject, item))
        WITHOUT ROWID
      """,
      """
      CREATE TABLE album_opinions (subject INTEGER PRIMARY KEY, stands INTEGER NOT NULL, opinion TEXT NOT NULL,
        given_at INTEGER NOT NULL)
      """,
      "CREATE INDEX album_opinions_by_time ON album_opinions (given_at, subject) WHERE stands = 1",
      """
      CREATE TABLE taken_back_opinions (id TEXT PRIMARY KEY, subject INTEGER NOT NULL, taken_back_at INTEGER NOT NULL)
        WITHOUT ROWID
      """,
      "CREATE INDEX taken_back_opinions_of ON taken_back_opinions (subject)",
      """
      CREATE TABLE theme_picks (theme INTEGER NOT NULL, place INTEGER NOT NULL, subject INTEGER NOT NULL,
        PRIMARY KEY (theme, place)) WITHOUT ROWID
      """,
      "CREATE INDEX theme_picks_of ON theme_picks (subject)",
    ] + conversion)

  /// The columns of albums that are converted, each of which gets a subject of its own.
  private static let albums =
    "kind, item, last_shown, reference, key, place, name_key, release_group, title, artist, year"

  /// Fills the tables from those of earlier versions, once: also in the repair of a damaged database of such a version.
  /// Then shows the subjects at the items that are left; the next change finds those that are elsewhere. If a later
  /// migration changes the tables of which `Successors` and `Subjects` give the SQL, this one gets a copy of it.
  private static let conversion = rowsOfBefore + numbersOfImported + itemsNow

  private static let rowsOfBefore = [
    """
    INSERT INTO subjects (id, kind, item, last_shown, reference, key, identity, title, artist, album, disc, number, year)
    SELECT id, kind, item, ifnull(shown, item), reference, key, identity, title, artist, album, disc, number, year
    FROM garden_subjects WHERE \(isDue)
    """,
    "INSERT INTO subject_witnesses SELECT subject, item FROM garden_witnesses WHERE \(isDue)",
    """
    INSERT INTO subjects (\(albums)) SELECT 2, album, shown, id, merge_key, place, NULL, release_group, title, artist, year
    FROM opinions WHERE \(isDue) ORDER BY album
    """,
    """
    INSERT INTO album_opinions (subject, stands, opinion, given_at)
    SELECT \(latest(of: "o.album")), o.stands, o.opinion, o.given_at FROM opinions o WHERE \(isDue)
    """,
    "DELETE FROM opinion_outbox WHERE opinion NOT IN (SELECT album FROM opinions) AND \(isDue)",
    "UPDATE opinion_outbox SET opinion = \(latest(of: "opinion_outbox.opinion")) WHERE \(isDue)",
    """
    INSERT INTO subjects (\(albums)) SELECT 2, album, album, 'files:a' || album, NULL, 0, name_key, NULL, title, artist,
      iif(name_key LIKE 'folder|%' OR name_key LIKE 'untitled|%' OR name_key NOT GLOB '*[0-9]', NULL,
        CAST(replace(name_key, rtrim(name_key, '0123456789'), '') AS INTEGER))
    FROM theme_albums WHERE \(isDue) GROUP BY album, name_key
    """,
    """
    INSERT INTO theme_picks SELECT e.theme, e.place, \(latest(of: "e.album", "AND name_key = e.name_key"))
    FROM theme_albums e WHERE \(isDue)
    """,
    """
    INSERT INTO subjects (\(albums)) SELECT 2, shown, shown, id, merge_key, place, NULL, release_group, title, artist, year
    FROM former_opinions WHERE \(isDue)
    """,
    """
    INSERT INTO taken_back_opinions SELECT f.id, \(latest(of: "f.shown")), f.taken_back_at FROM former_opinions f
    WHERE \(isDue)
    """,
  ]

  private static let itemsNow = [
    shown(.artist), shown(.album), shown(.track), undecided,
    "UPDATE subjects SET last_shown = shown WHERE shown IS NOT NULL",
    Subjects.updateOfNames(of: .artist), Subjects.updateOfNames(of: .album), Subjects.updateOfNames(of: .track),
    """
    INSERT INTO subject_witnesses SELECT subject, track FROM (
      SELECT s.id AS subject, t.id AS track, row_number() OVER (PARTITION BY s.id ORDER BY t.id) AS place
      FROM subjects s JOIN albums a ON a.shelf = s.shown JOIN tracks t ON t.album = a.id
      WHERE s.kind = 2 AND s.id NOT IN (SELECT subject FROM subject_witnesses)) WHERE place <= 100 AND \(isDue)
    """,
    isDone,
  ]

  /// Gives what was imported without its music numbers of its own, as `Subjects.subject(ofAbsent:)` does: they had 0,
  /// and the ids of another library.
  private static let numbersOfImported = [
    """
    UPDATE subjects SET item = id + (SELECT CASE kind WHEN \(Subjects.Kind.album.sql) THEN next_album
      WHEN \(Subjects.Kind.artist.sql) THEN next_artist ELSE next_track END FROM catalogue)
    WHERE item = 0 AND \(isDue)
    """,
    """
    UPDATE catalogue SET (next_artist, next_album, next_track) = (SELECT next_artist + ids, next_album + ids,
      next_track + ids FROM (SELECT max(id) + 1 AS ids FROM subjects))
    WHERE has_subjects = 0 AND EXISTS (SELECT 1 FROM subjects WHERE last_shown = 0)
    """,
    """
    UPDATE subjects SET last_shown = item, reference = 'files:' || CASE kind WHEN \(Subjects.Kind.album.sql) THEN 'a'
      WHEN \(Subjects.Kind.artist.sql) THEN 'r' ELSE 't' END || item
    WHERE last_shown = 0 AND \(isDue)
    """,
  ]

  /// A deletion that was confirmed is to be confirmed again where the mark is now on other music.
  private static let undecided = """
    UPDATE garden_marks SET state = 'marked', decided_at = NULL WHERE state = 'confirmed'
      AND subject IN (SELECT id FROM subjects WHERE shown <> last_shown)
    """

  /// A database without subjects has nothing that was converted, so a repair, which begins with a new and empty one,
  /// converts what it saved.
  private static let isDone = "UPDATE catalogue SET has_subjects = 1 WHERE EXISTS (SELECT 1 FROM subjects)"

  private static let isDue = "(SELECT has_subjects FROM catalogue) = 0"

  /// SQL for the subject that the statement before made for an album.
  private static func latest(of album: String, _ condition: String = "") -> String {
    "(SELECT max(id) FROM subjects WHERE kind = 2 AND item = \(album) \(condition))"
  }

  private static func shown(_ kind: Subjects.Kind) -> String {
    """
    UPDATE subjects
    SET shown = ifnull(\(Successors.shown(kind, "subjects.item")), \(Successors.shown(kind, "subjects.last_shown")))
    WHERE kind = \(kind.sql)
    """
  }

  /// The tables whose readable rows are saved from a damaged database.
  static let savedTables = [
    "subjects", "subject_witnesses", "album_opinions", "taken_back_opinions", "theme_picks",
    "garden_subjects", "garden_witnesses", "opinions", "former_opinions", "theme_albums",
  ]

  /// The statements that make the saved rows consistent. What people said about a thing whose row was lost is kept
  /// under a name that says so; an album is found by its tracks at the next change. What is left of others may be about
  /// a track or an artist, so their witnesses are of no use.
  static let repairs =
    [isDone, lostBefore] + conversion + [
      lost(["album_opinions", "taken_back_opinions", "theme_picks"]),
      "DELETE FROM subject_witnesses WHERE subject NOT IN (SELECT id FROM subjects)",
      lost(["garden_notes", "garden_marks", "garden_todos"]),
      """
      UPDATE album_opinions SET stands = NOT EXISTS (SELECT 1 FROM subjects s JOIN subjects l
          ON l.kind = s.kind AND l.last_shown = s.last_shown JOIN album_opinions o ON o.subject = l.id
        WHERE s.id = album_opinions.subject
          AND (o.given_at, o.subject) > (album_opinions.given_at, album_opinions.subject))
      """,
      "DELETE FROM opinion_outbox WHERE opinion NOT IN (SELECT subject FROM album_opinions)",
      "UPDATE catalogue SET opinions_revision = opinions_revision + 1",
    ]

  /// Adds the lost subjects of notes, marks and todos of an earlier version, before others get their numbers.
  private static let lostBefore = """
    INSERT INTO garden_subjects (id, kind, item, reference, title, artist)
    SELECT subject, 2, 0, 'files:a0', 'Unknown', 'Unknown' FROM (SELECT subject FROM garden_notes
      UNION SELECT subject FROM garden_marks UNION SELECT subject FROM garden_todos)
    WHERE subject NOT IN (SELECT id FROM garden_subjects) AND \(isDue)
    """

  /// Returns the statement that adds the lost subjects to which some tables refer.
  private static func lost(_ tables: [String]) -> String {
    """
    INSERT INTO subjects (id, kind, item, last_shown, reference, title, artist)
    SELECT subject, 2, -subject, -subject, 'files:a0', 'Unknown', 'Unknown'
    FROM (\(tables.map { "SELECT subject FROM \($0)" }.joined(separator: " UNION ")))
    WHERE subject NOT IN (SELECT id FROM subjects)
    """
  }
}
