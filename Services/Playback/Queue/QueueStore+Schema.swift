import Storage

extension QueueStore {
  /// All tables; they are saved from a damaged database.
  static let savedTables = [
    "queue_items", "queue_places", "queue_names", "staged_items", "loads", "room", "progress", "open_listen", "output",
    "played", "move_held", "move_ended", "former_items", "former_queue", "left_tracks",
  ]

  /// The statements that repair the saved tables. They remove items of which a part is lost, and raise the revision, so
  /// that every reader reads the queue again.
  static let repairs = [
    "DELETE FROM queue_places WHERE row NOT IN (SELECT row FROM queue_items) OR row NOT IN (SELECT row FROM queue_names)",
    "DELETE FROM queue_items WHERE row NOT IN (SELECT row FROM queue_places)",
    "DELETE FROM queue_names WHERE row NOT IN (SELECT row FROM queue_places)",
    // The senders of unfinished loads start them again.
    "DELETE FROM staged_items", "DELETE FROM loads WHERE answer IS NULL",
    "UPDATE room SET revision = revision + 1000, continuation = NULL",
    "UPDATE room SET current = NULL WHERE current NOT IN (SELECT row FROM queue_items)",
  ]

  /// The tables, created after those of the journal. They contain no URL and no secret.
  static let migrations =
    [
      Migration(
        "playback-1",
        "CREATE TABLE queue_items (row INTEGER PRIMARY KEY, place INTEGER NOT NULL, item BLOB NOT NULL)",
        """
        CREATE TABLE staged_items (load TEXT NOT NULL, number INTEGER NOT NULL, item BLOB NOT NULL,
          PRIMARY KEY (load, number)) WITHOUT ROWID
        """,
        """
        CREATE TABLE loads (load TEXT PRIMARY KEY, parts INTEGER NOT NULL, items INTEGER NOT NULL, answer BLOB,
          moved INTEGER NOT NULL) WITHOUT ROWID
        """,
        """
        CREATE TABLE room (one INTEGER PRIMARY KEY CHECK (one = 1), revision INTEGER NOT NULL, current INTEGER,
          position INTEGER NOT NULL, volume INTEGER NOT NULL)
        """,
        "INSERT INTO room (one, revision, position, volume) VALUES (1, 0, 0, 100)",
        """
        CREATE TABLE open_listen (one INTEGER PRIMARY KEY CHECK (one = 1), listen TEXT NOT NULL, subject BLOB NOT NULL,
          heard INTEGER NOT NULL)
        """),
      // The columns for the order of the queue and for finding items are in separate tables, as an item is a hundred
      // times as long: shuffling 100,000 items writes only these few bytes for each, and a start reads only them.
      Migration(
        "playback-2",
        "CREATE TABLE queue_places (row INTEGER PRIMARY KEY, place INTEGER NOT NULL, home INTEGER NOT NULL DEFAULT 0)",
        "INSERT INTO queue_places (row, place) SELECT row, place FROM queue_items",
        """
        CREATE TABLE queue_names (row INTEGER PRIMARY KEY, entry TEXT NOT NULL, track TEXT NOT NULL,
          album TEXT NOT NULL)
        """,
        """
        INSERT INTO queue_names (row, entry, track, album) SELECT row, json_extract(text, '$.entry'),
          json_extract(text, '$.track.id'), json_extract(text, '$.track.albumID')
          FROM (SELECT row, CAST(item AS TEXT) AS text FROM queue_items)
        """,
        "ALTER TABLE queue_items DROP COLUMN place",
        "DELETE FROM staged_items",
        "DELETE FROM loads WHERE answer IS NULL",
        "ALTER TABLE staged_items ADD COLUMN entry TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE staged_items ADD COLUMN track TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE staged_items ADD COLUMN album TEXT NOT NULL DEFAULT ''",
        // The position, which changes every second, has its own table, and so its own page.
        """
        CREATE TABLE progress (one INTEGER PRIMARY KEY CHECK (one = 1), position INTEGER NOT NULL,
          heard INTEGER NOT NULL, taken_at INTEGER NOT NULL)
        """,
        """
        INSERT INTO progress (one, position, heard, taken_at)
          SELECT 1, position, coalesce((SELECT heard FROM open_listen), 0), 0 FROM room
        """,
        "ALTER TABLE room DROP COLUMN position",
        "ALTER TABLE open_listen DROP COLUMN heard",
        "ALTER TABLE room ADD COLUMN ordering TEXT NOT NULL DEFAULT 'queued'",
        "ALTER TABLE room ADD COLUMN seed INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE room ADD COLUMN repeats TEXT NOT NULL DEFAULT 'off'",
        "ALTER TABLE room ADD COLUMN continuation BLOB",
        "ALTER TABLE room ADD COLUMN stops_after INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE room ADD COLUMN sleeps_at INTEGER",
        "ALTER TABLE room ADD COLUMN muted INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE room ADD COLUMN playing INTEGER NOT NULL DEFAULT 0",
        """
        CREATE TABLE output (one INTEGER PRIMARY KEY CHECK (one = 1), device TEXT, levelling TEXT NOT NULL,
          preamp REAL NOT NULL, start_volume INTEGER, maximum_volume INTEGER NOT NULL, resumes INTEGER NOT NULL)
        """,
        """
        CREATE TABLE played (number INTEGER PRIMARY KEY, item BLOB NOT NULL, started_at INTEGER NOT NULL,
          heard INTEGER NOT NULL, reason TEXT NOT NULL)
        """),
    ] + MoveStore.migrations + [
      Migration("playback-title", "ALTER TABLE room ADD COLUMN title TEXT"),
      Migration(
        "playback-crash",
        // The host's boot in which the row was stored, and when and where the room resumed after a crash.
        "ALTER TABLE room ADD COLUMN boot TEXT",
        "ALTER TABLE room ADD COLUMN resumed_row INTEGER",
        "ALTER TABLE room ADD COLUMN resumed_at INTEGER",
        // Replaces `resumes`, which was 0 unless a person had switched it on. Earlier versions still read that column.
        "ALTER TABLE output ADD COLUMN resumes_after_crash INTEGER NOT NULL DEFAULT 1"),
      formerMigration, formerOrderMigration,
      Migration(
        "playback-left-tracks",
        "ALTER TABLE output ADD COLUMN resumes_long_tracks INTEGER NOT NULL DEFAULT 0",
        // The position is in milliseconds; the track that was left last has the highest number.
        """
        CREATE TABLE left_tracks (track TEXT PRIMARY KEY, position INTEGER NOT NULL, number INTEGER NOT NULL)
          WITHOUT ROWID
        """),
    ]
}
