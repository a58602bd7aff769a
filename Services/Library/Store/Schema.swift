import ServiceKit
import Storage

/// The tables of the catalogue, and the functions that read and write them.
///
/// What sources say (artists, albums, tracks, folders, files) is kept apart from what people did (plays): the former
/// can be read again, the latter cannot.
enum Catalogue {
  /// All migrations of the library's database, in the order in which they are applied.
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
    severalSources, artistPictures, PlayOutbox.migration, ArtIndex.migration, trackOrders, History.migration,
    PlayOutbox.severalServers, musicFolders, ArtIndex.secondLook, sourceRemoval, musicIDs,
    releasesOfServers, PlayRestoreReconciliation.migration,
  ]
}

/// Migrations after the first.
extension Catalogue {
  /// Several sources in one catalogue: the rows of each source's own albums and tracks, and which of them are shown.
  ///
  /// `albums.shelf` is the album that is shown for one: itself, or the one that it was merged into. `tracks.shelf` is the
  /// album that a track is shown on, NULL for a copy that is not shown; `tracks.shown` is the copy that is shown.
  ///
  /// Columns of a source's own values beside those that are shown: `own_art` and `own_rating`, `arrived_at` beside
  /// `added_at`, `heard_at` beside `played_at`. `genres`, `tracks`, `duration`, `added_at`, `played_at`, `art` (a whole
  /// id) and `rating` of an album are those of all its members, and are valid only where `shelf = id`; `rating` and
  /// `played_at` of a track those of all its copies, and are valid only where `shelf` is not NULL.
  private static let severalSources = Migration(
    "catalogue-2",
    "ALTER TABLE catalogue ADD COLUMN next_collection INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE catalogue ADD COLUMN next_playlist INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE catalogue ADD COLUMN albums INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE catalogue ADD COLUMN tracks INTEGER NOT NULL DEFAULT 0",
    // Sources. `position` is the person's order, `machine` who answers there, `mark` how far it was read (JSON),
    // `settings` what else is set for it (JSON, no secrets).
    "ALTER TABLE sources ADD COLUMN position INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE sources ADD COLUMN machine TEXT",
    "ALTER TABLE sources ADD COLUMN mark TEXT",
    "ALTER TABLE sources ADD COLUMN method TEXT",
    "ALTER TABLE sources ADD COLUMN address TEXT",
    "ALTER TABLE sources ADD COLUMN account TEXT",
    "ALTER TABLE sources ADD COLUMN settings TEXT",
    "ALTER TABLE sources ADD COLUMN is_from_settings INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE sources ADD COLUMN albums INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE sources ADD COLUMN tracks INTEGER NOT NULL DEFAULT 0",
    """
    CREATE TABLE sections (source TEXT NOT NULL, key TEXT NOT NULL, title TEXT NOT NULL, is_on INTEGER NOT NULL,
      position INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (source, key)) WITHOUT ROWID
    """,
    """
    CREATE TABLE staged (source TEXT NOT NULL, kind INTEGER NOT NULL, native TEXT NOT NULL, body BLOB NOT NULL,
      PRIMARY KEY (source, kind, native)) WITHOUT ROWID
    """,
    // Artists: one of a name over all sources. `source` is the one that brought it, and part of its id.
    """
    CREATE TABLE artists_2 (id INTEGER PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
      sort TEXT NOT NULL, albums INTEGER NOT NULL, search_row INTEGER, art TEXT, summary TEXT,
      genres TEXT NOT NULL DEFAULT '', rating INTEGER)
    """,
    """
    INSERT INTO artists_2 (id, source, key, name, sort, albums, search_row)
    SELECT id, source, key, name, sort, albums, search_row FROM artists
    """,
    "DROP TABLE artists",
    "ALTER TABLE artists_2 RENAME TO artists",
    "CREATE INDEX artists_by_name ON artists (sort, id)",
    // Artists as servers describe them, by the key of `artists`; several may share a name.
    """
    CREATE TABLE artist_members (source TEXT NOT NULL, native TEXT NOT NULL, key TEXT NOT NULL, guid TEXT, mbid TEXT,
      art TEXT, summary TEXT, genres TEXT NOT NULL, rating INTEGER, section TEXT, digest INTEGER NOT NULL,
      PRIMARY KEY (source, native)) WITHOUT ROWID
    """,
    "CREATE INDEX members_of_artist ON artist_members (key)",
    // Albums. A server's `key` is its own id.
    "ALTER TABLE albums ADD COLUMN shelf INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE albums ADD COLUMN merge_key TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE albums ADD COLUMN guid TEXT",
    "ALTER TABLE albums ADD COLUMN release TEXT",
    "ALTER TABLE albums ADD COLUMN digest INTEGER",
    "ALTER TABLE albums ADD COLUMN section TEXT",
    "ALTER TABLE albums ADD COLUMN own_art TEXT",
    "ALTER TABLE albums ADD COLUMN arrived_at INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE albums ADD COLUMN heard_at INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE albums ADD COLUMN own_rating INTEGER",
    "ALTER TABLE albums ADD COLUMN rating INTEGER",
    """
    UPDATE albums SET shelf = id, merge_key = key, own_art = art, arrived_at = added_at,
      art = CASE WHEN art IS NULL THEN NULL ELSE source || ':' || art END
    """,
    "DROP INDEX albums_by_name",
    "DROP INDEX albums_by_arrival",
    "DROP INDEX albums_by_year",
    "DROP INDEX albums_by_play",
    "DROP INDEX albums_of_artist",
    "CREATE INDEX albums_by_name ON albums (artist_sort, title_sort, id) WHERE shelf = id",
    "CREATE INDEX albums_by_arrival ON albums (added_at, id) WHERE shelf = id",
    "CREATE INDEX albums_by_year ON albums (year_order, artist_sort, title_sort, id) WHERE shelf = id",
    "CREATE INDEX albums_by_play ON albums (played_at, id) WHERE shelf = id",
    "CREATE INDEX albums_of_artist ON albums (artist_id, year, title_sort, id)",
    "CREATE INDEX albums_by_merge ON albums (merge_key, id)",
    "CREATE INDEX albums_to_index ON albums (id) WHERE search_row IS NULL AND shelf = id",
    // Words that describe albums, in the source's order; `place` is 1000 and more for words of their tracks.
    """
    CREATE TABLE album_tags (album INTEGER NOT NULL, kind INTEGER NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL,
      place INTEGER NOT NULL, PRIMARY KEY (album, kind, folded)) WITHOUT ROWID
    """,
    "CREATE INDEX albums_of_tag ON album_tags (kind, folded, album)",
    // Tracks. `native` is a server's own id, `identity` the hash of `TrackIdentity`.
    "ALTER TABLE tracks ADD COLUMN shelf INTEGER",
    "ALTER TABLE tracks ADD COLUMN shown INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE tracks ADD COLUMN native TEXT",
    "ALTER TABLE tracks ADD COLUMN guid TEXT",
    "ALTER TABLE tracks ADD COLUMN file TEXT",
    "ALTER TABLE tracks ADD COLUMN part TEXT",
    "ALTER TABLE tracks ADD COLUMN format TEXT",
    "ALTER TABLE tracks ADD COLUMN is_lossless INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE tracks ADD COLUMN section TEXT",
    "ALTER TABLE tracks ADD COLUMN digest INTEGER",
    "ALTER TABLE tracks ADD COLUMN artist_sort TEXT",
    "ALTER TABLE tracks ADD COLUMN moods TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE tracks ADD COLUMN heard_at INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE tracks ADD COLUMN own_rating INTEGER",
    "ALTER TABLE tracks ADD COLUMN rating INTEGER",
    "ALTER TABLE tracks ADD COLUMN track_gain REAL",
    "ALTER TABLE tracks ADD COLUMN track_peak REAL",
    "ALTER TABLE tracks ADD COLUMN album_gain REAL",
    "ALTER TABLE tracks ADD COLUMN album_peak REAL",
    "ALTER TABLE tracks ADD COLUMN identity INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE tracks ADD COLUMN server_plays INTEGER",
    "UPDATE tracks SET shelf = album, shown = id, heard_at = played_at",
    "DROP INDEX tracks_of_album",
    "CREATE INDEX tracks_of_album ON tracks (album)",
    "CREATE INDEX tracks_of_shelf ON tracks (shelf, disc, ifnull(number, 1000000), title_sort, id) WHERE shelf IS NOT NULL",
    "CREATE INDEX tracks_by_title ON tracks (title_sort, id) WHERE shelf IS NOT NULL",
    "CREATE INDEX tracks_to_index ON tracks (title_sort, id) WHERE search_row IS NULL AND shelf IS NOT NULL",
    "CREATE INDEX tracks_by_identity ON tracks (identity)",
    "CREATE INDEX tracks_copied ON tracks (shown) WHERE shown <> id",
    "CREATE UNIQUE INDEX tracks_of_source ON tracks (source, native) WHERE native IS NOT NULL",
    // Numbers of rows that are gone while another copy stays: what they name now. Kinds as in `SearchIndex.Kind`.
    """
    CREATE TABLE heirs (kind INTEGER NOT NULL, number INTEGER NOT NULL, heir INTEGER NOT NULL, PRIMARY KEY (kind, number))
      WITHOUT ROWID
    """,
    "CREATE INDEX heirs_of ON heirs (kind, heir)",
    // Items keep the server's own ids, so that one that arrives later than its collection finds its place.
    """
    CREATE TABLE collections (id INTEGER PRIMARY KEY, source TEXT NOT NULL, native TEXT NOT NULL, title TEXT NOT NULL,
      title_sort TEXT NOT NULL, summary TEXT, art TEXT, section TEXT, search_row INTEGER, digest INTEGER NOT NULL,
      UNIQUE (source, native))
    """,
    "CREATE INDEX collections_by_title ON collections (title_sort, id)",
    """
    CREATE TABLE collection_items (collection INTEGER NOT NULL, position INTEGER NOT NULL, native TEXT NOT NULL,
      kind INTEGER, item INTEGER, PRIMARY KEY (collection, position)) WITHOUT ROWID
    """,
    """
    CREATE TABLE playlists (id INTEGER PRIMARY KEY, source TEXT NOT NULL, native TEXT NOT NULL, title TEXT NOT NULL,
      title_sort TEXT NOT NULL, is_smart INTEGER NOT NULL, art TEXT, digest INTEGER NOT NULL, UNIQUE (source, native))
    """,
    "CREATE INDEX playlists_by_title ON playlists (title_sort, id)",
    """
    CREATE TABLE playlist_items (playlist INTEGER NOT NULL, position INTEGER NOT NULL, native TEXT NOT NULL,
      track INTEGER, PRIMARY KEY (playlist, position)) WITHOUT ROWID
    """,
    // Ratings of people, which a refresh never changes. Kinds as in `SearchIndex.Kind`.
    """
    CREATE TABLE ratings (kind INTEGER NOT NULL, identity INTEGER NOT NULL, rating INTEGER NOT NULL,
      rated_at INTEGER NOT NULL, PRIMARY KEY (kind, identity)) WITHOUT ROWID
    """,
    """
    CREATE TABLE pins (source TEXT NOT NULL, title TEXT NOT NULL, is_pinned INTEGER NOT NULL, PRIMARY KEY (source, title))
      WITHOUT ROWID
    """,
    // Files are read once more: genres, levels and sort names of tracks were not kept before.
    "UPDATE files SET inode = 0",
    "UPDATE catalogue SET albums = (SELECT count(*) FROM albums), tracks = (SELECT count(*) FROM tracks)",
    """
    UPDATE sources SET albums = (SELECT count(*) FROM albums WHERE source = name),
      tracks = (SELECT count(*) FROM tracks WHERE source = name)
    """)

  /// The picture of an artist in a folder: the name of its file, and the mark by which a changed one is noticed.
  private static let artistPictures = Migration(
    "catalogue-files-3", "ALTER TABLE folders ADD COLUMN artist_picture BLOB",
    "ALTER TABLE folders ADD COLUMN artist_mark TEXT")

  /// Orders of tracks beside that by title.
  private static let trackOrders = Migration(
    "catalogue-3",
    "CREATE INDEX tracks_by_arrival ON tracks (added_at, id) WHERE shelf IS NOT NULL",
    "CREATE INDEX tracks_by_year ON tracks (year, id) WHERE shelf IS NOT NULL",
    "CREATE INDEX tracks_by_play ON tracks (played_at, id) WHERE shelf IS NOT NULL")

  /// The music folders that people added, which no refresh touches.
  private static let musicFolders = Migration(
    "catalogue-folders-4",
    "CREATE TABLE music_folders (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, added_at INTEGER NOT NULL)")

  /// The mark of a source that is being removed.
  private static let sourceRemoval = Migration(
    "catalogue-leaving-5", "ALTER TABLE sources ADD COLUMN is_leaving INTEGER NOT NULL DEFAULT 0")

  /// The packed `MusicIDs` of a track.
  private static let musicIDs = Migration(
    "catalogue-music-ids-6", "ALTER TABLE tracks ADD COLUMN music_ids TEXT")

  /// Tracks of servers have the releases of their albums, as those of files do.
  private static let releasesOfServers = Migration(
    "catalogue-server-releases-7",
    """
    UPDATE tracks SET release = (SELECT release FROM albums WHERE id = tracks.album)
    WHERE native IS NOT NULL AND release IS NULL
    """)
}

extension ServiceSchema {
  /// The tables of the library's database.
  static let library = ServiceSchema(Catalogue.migrations, saved: Catalogue.savedTables, repairs: Catalogue.repairs)
}
