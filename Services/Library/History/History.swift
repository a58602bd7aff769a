import Storage

/// The listens of the household, kept for good: they can be read from nowhere else.
enum History {
  /// The tables.
  ///
  /// A listen refers to its track as it was known then, which is stored once however often it is heard. `number` is that
  /// of the catalogue's row, NULL where there was none; `album` likewise. `outcome` is a `ListenOutcome`. `day` is the
  /// day in the library's time zone, as 20261120.
  static let migration = Migration(
    "history-2",
    """
    CREATE TABLE listen_tracks (id INTEGER PRIMARY KEY, track TEXT NOT NULL, number INTEGER, album INTEGER,
      identity INTEGER NOT NULL, body TEXT NOT NULL)
    """,
    "CREATE INDEX listen_tracks_by_id ON listen_tracks (track)",
    "CREATE INDEX listen_tracks_by_number ON listen_tracks (number)",
    "CREATE INDEX listen_tracks_by_album ON listen_tracks (album)",
    """
    CREATE TABLE listens (id INTEGER PRIMARY KEY, listen TEXT NOT NULL UNIQUE,
      track INTEGER NOT NULL REFERENCES listen_tracks (id), room TEXT NOT NULL, started_at INTEGER NOT NULL,
      day INTEGER NOT NULL, heard INTEGER NOT NULL, outcome INTEGER NOT NULL, counted_at INTEGER)
    """,
    // Earlier versions kept only listens that counted, and of the track only its names.
    """
    INSERT INTO listen_tracks (track, number, album, identity, body)
    SELECT DISTINCT track, \(number("track", "t")), \(number("album_id", "a")), 0,
      json_object('album', album, 'albumArtist', artist, 'albumID', album_id, 'artist', artist, 'disc', 1, 'duration', 0,
        'genres', json('[]'), 'id', track, 'title', title)
    FROM plays
    """,
    """
    INSERT INTO listens (listen, track, room, started_at, day, heard, outcome, counted_at)
    SELECT p.listen, min(h.id), p.room, p.started_at, \(day("p.started_at")), p.heard, 1, p.counted_at FROM plays p
    JOIN listen_tracks h ON h.track = p.track AND h.body ->> 'title' = p.title AND h.body ->> 'artist' = p.artist
      AND h.body ->> 'album' = p.album AND h.body ->> 'albumID' = p.album_id GROUP BY p.listen
    """,
    "DROP TABLE plays",
    // Each index holds all columns that counting needs, so that the rows are not read for it.
    "CREATE INDEX listens_by_time ON listens (started_at, id, track, room, day, outcome)",
    "CREATE INDEX listens_of_track ON listens (track, started_at, id, outcome)",
    "CREATE INDEX listens_of_room ON listens (room, started_at, id)",
    // Facts that this version cannot read are kept for one that can.
    """
    CREATE TABLE unreadable_facts (journal TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
      node TEXT NOT NULL, kind TEXT NOT NULL, payload BLOB NOT NULL, problem TEXT NOT NULL,
      PRIMARY KEY (journal, epoch, seq)) WITHOUT ROWID
    """)

  /// Returns SQL for the day of a moment in the library's time zone.
  static func day(_ moment: String) -> String {
    "CAST(strftime('%Y%m%d', \(moment) / 1000000, 'unixepoch', 'localtime') AS INTEGER)"
  }

  private static func number(_ id: String, _ letter: String) -> String {
    """
    CASE WHEN \(id) GLOB '*:\(letter)[0-9]*' THEN CAST(substr(\(id), instr(\(id), ':\(letter)') + 2) AS INTEGER) END
    """
  }
}

/// The outcome of a listen.
enum ListenOutcome: Int {
  /// It neither counted nor was skipped: it was too short, failed, or has not ended.
  case heard = 0
  /// Enough of it was heard.
  case counted = 1
  /// A person left it early.
  case skipped = 2
}
