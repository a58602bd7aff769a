import Storage

/// The tables of the catalogue, and what is read from and written to them.
///
/// What sources say (artists, albums, tracks, folders, files) is kept apart from what people did (plays): the former
/// can be read again, the latter cannot.
enum Catalogue {
  /// The history of the tables.
  static let migrations = [
    Migration(
      "catalogue-1",
      """
      CREATE TABLE catalogue (one INTEGER PRIMARY KEY CHECK (one = 1), generation INTEGER NOT NULL,
        next_artist INTEGER NOT NULL, next_album INTEGER NOT NULL, next_track INTEGER NOT NULL)
      """,
      "INSERT INTO catalogue VALUES (1, 0, 1, 1, 1)",
      """
      CREATE TABLE sources (name TEXT PRIMARY KEY, kind TEXT NOT NULL, refreshed_at INTEGER, problem_count INTEGER NOT NULL,
        problems TEXT NOT NULL) WITHOUT ROWID
      """,
      """
      CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, started_at INTEGER NOT NULL,
        finished_at INTEGER NOT NULL, new INTEGER NOT NULL, changed INTEGER NOT NULL, unchanged INTEGER NOT NULL,
        deleted INTEGER NOT NULL, held INTEGER NOT NULL)
      """,
      """
      CREATE TABLE artists (id INTEGER PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL,
        name TEXT NOT NULL, sort TEXT NOT NULL, albums INTEGER NOT NULL, search_row INTEGER, UNIQUE (source, key))
      """,
      "CREATE INDEX artists_by_name ON artists (sort, id)",
      // Unknown years come last where the newest comes first.
      """
      CREATE TABLE albums (id INTEGER PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL,
        title TEXT NOT NULL, title_sort TEXT NOT NULL, artist TEXT NOT NULL, artist_sort TEXT NOT NULL,
        artist_id INTEGER NOT NULL REFERENCES artists (id), year INTEGER, genres TEXT NOT NULL, tracks INTEGER NOT NULL,
        duration INTEGER NOT NULL, added_at INTEGER NOT NULL, played_at INTEGER NOT NULL DEFAULT 0, art TEXT,
        search_row INTEGER, year_order INTEGER NOT NULL AS (CASE WHEN year IS NULL THEN 0 ELSE -year END) VIRTUAL,
        UNIQUE (source, key))
      """,
      "CREATE INDEX albums_by_name ON albums (artist_sort, title_sort, id)",
      "CREATE INDEX albums_by_arrival ON albums (added_at, id)",
      "CREATE INDEX albums_by_year ON albums (year_order, artist_sort, title_sort, id)",
      "CREATE INDEX albums_by_play ON albums (played_at, id)",
      "CREATE INDEX albums_of_artist ON albums (artist_id, year, title_sort, id)",
      """
      CREATE TABLE tracks (id INTEGER PRIMARY KEY, source TEXT NOT NULL,
        album INTEGER NOT NULL REFERENCES albums (id), title TEXT NOT NULL, title_sort TEXT NOT NULL,
        artist TEXT NOT NULL, disc INTEGER NOT NULL, number INTEGER, year INTEGER, genres TEXT NOT NULL,
        duration INTEGER NOT NULL, recording TEXT, release TEXT, added_at INTEGER NOT NULL,
        played_at INTEGER NOT NULL DEFAULT 0, search_row INTEGER)
      """,
      "CREATE INDEX tracks_of_album ON tracks (album, disc, ifnull(number, 1000000))",
      """
      CREATE TABLE folders (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, device INTEGER NOT NULL, cover BLOB,
        cover_mark TEXT)
      """,
      """
      CREATE TABLE files (id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders (id), name BLOB NOT NULL,
        inode INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
        track INTEGER UNIQUE REFERENCES tracks (id), tags TEXT NOT NULL, problem TEXT, UNIQUE (folder, name))
      """,
      "CREATE INDEX files_with_problems ON files (track IS NOT NULL, id) WHERE problem IS NOT NULL",
      """
      CREATE TABLE plays (listen TEXT PRIMARY KEY, track TEXT NOT NULL, album_id TEXT NOT NULL, title TEXT NOT NULL,
        artist TEXT NOT NULL, album TEXT NOT NULL, room TEXT NOT NULL, started_at INTEGER NOT NULL,
        counted_at INTEGER NOT NULL, heard INTEGER NOT NULL) WITHOUT ROWID
      """,
      "CREATE INDEX plays_of_track ON plays (track, counted_at)",
      // Row ids are places in the sorted order, so that the first hits are the ones to show. Words come folded.
      """
      CREATE VIRTUAL TABLE search USING fts5 (words, item UNINDEXED, tokenize = 'ascii', detail = none, columnsize = 0,
        prefix = '1 2 3 4 5 6 7 8')
      """),
    sharedShelves, artistPictures, PlayOutbox.migration, ArtIndex.migration, trackOrders, History.migration,
    PlayOutbox.severalServers, musicFolders, ArtIndex.secondLook, leaving, MusicIDs.migration,
    MusicIDs.releasesOfServers,
    PlayRestoreReconciliation.migration,
  ]
}
