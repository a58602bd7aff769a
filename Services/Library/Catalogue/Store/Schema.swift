package import Storage

/// The tables of the catalogue, and the functions that read and write them.
///
/// Data of sources (artists, albums, tracks, folders, files) is in other tables than data of people (plays, ratings,
/// pins): the former can be read again, the latter cannot.
///
/// The catalogue has the rows of each source's own albums and tracks. `albums.shelf` is the number of the album that is
/// shown for a row: its own, or that of the album into which it was merged. `tracks.shelf` is the number of the album
/// on which a track is shown, NULL for a copy that is not shown; `tracks.shown` is the number of the shown copy.
/// `albums.listed` is 1 for the album that stands for its release group in lists.
///
/// Some columns hold a source's own value, and others the value that is shown: `own_art` and `art`, `own_rating` and
/// `rating`, `arrived_at` and `added_at`, `heard_at` and `played_at`. The shown values of an album, and its `genres`,
/// `tracks` and `duration`, are made from all its members, and are valid only where `shelf = id`; those of a track are
/// made from all its copies, and are valid only where `shelf` is not NULL. `art` is a whole id; that of collections and
/// playlists is the server's own reference.
package enum Catalogue {
  /// All migrations of the library's database, in the order in which they are applied.
  package static let migrations =
    firstMigrations + laterMigrations + GardenSchema.migrations + ListSchema.migrations + [
      SubjectSchema.migration, NameKeySchema.migration,
    ]

  /// The migrations up to those of `laterMigrations`. The first makes the tables of 0.1.0. The steps that changed
  /// earlier databases to these tables are empty; their names stay, as those databases have recorded them.
  private static let firstMigrations = [
    Migration(
      "catalogue-1",
      """
      CREATE TABLE catalogue (one INTEGER PRIMARY KEY CHECK (one = 1), generation INTEGER NOT NULL,
        next_artist INTEGER NOT NULL, next_album INTEGER NOT NULL, next_track INTEGER NOT NULL,
        next_collection INTEGER NOT NULL DEFAULT 1, next_playlist INTEGER NOT NULL DEFAULT 1,
        albums INTEGER NOT NULL DEFAULT 0, tracks INTEGER NOT NULL DEFAULT 0)
      """,
      "INSERT INTO catalogue (one, generation, next_artist, next_album, next_track) VALUES (1, 0, 1, 1, 1)",
      // `position` is the person's order, `machine` the server's machine id, `mark` a `RefreshMark` (JSON), `settings`
      // the `SourceSettings` (JSON, no secrets); `is_leaving` marks a source that is being removed.
      """
      CREATE TABLE sources (name TEXT PRIMARY KEY, kind TEXT NOT NULL, refreshed_at INTEGER,
        problem_count INTEGER NOT NULL, problems TEXT NOT NULL, position INTEGER NOT NULL DEFAULT 0, machine TEXT,
        mark TEXT, method TEXT, address TEXT, account TEXT, settings TEXT, is_from_settings INTEGER NOT NULL DEFAULT 0,
        albums INTEGER NOT NULL DEFAULT 0, tracks INTEGER NOT NULL DEFAULT 0, is_leaving INTEGER NOT NULL DEFAULT 0)
        WITHOUT ROWID
      """,
      """
      CREATE TABLE sections (source TEXT NOT NULL, key TEXT NOT NULL, title TEXT NOT NULL, is_on INTEGER NOT NULL,
        position INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (source, key)) WITHOUT ROWID
      """,
      // The music folders that people added, which no refresh touches.
      "CREATE TABLE music_folders (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, added_at INTEGER NOT NULL)",
      """
      CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, started_at INTEGER NOT NULL,
        finished_at INTEGER NOT NULL, new INTEGER NOT NULL, changed INTEGER NOT NULL, unchanged INTEGER NOT NULL,
        deleted INTEGER NOT NULL, held INTEGER NOT NULL)
      """,
      """
      CREATE TABLE staged (source TEXT NOT NULL, kind INTEGER NOT NULL, native TEXT NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (source, kind, native)) WITHOUT ROWID
      """,
      // One row for each artist's name over all sources. `source` is the first that had the artist, and part of the id.
      """
      CREATE TABLE artists (id INTEGER PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
        sort TEXT NOT NULL, albums INTEGER NOT NULL, search_row INTEGER, art TEXT, summary TEXT,
        genres TEXT NOT NULL DEFAULT '', rating INTEGER)
      """,
      "CREATE INDEX artists_by_name ON artists (sort, id)",
      // Artists as servers describe them, by the key of `artists`; several may share a name.
      """
      CREATE TABLE artist_members (source TEXT NOT NULL, native TEXT NOT NULL, key TEXT NOT NULL, guid TEXT, mbid TEXT,
        art TEXT, summary TEXT, genres TEXT NOT NULL, rating INTEGER, section TEXT, digest INTEGER NOT NULL,
        PRIMARY KEY (source, native)) WITHOUT ROWID
      """,
      "CREATE INDEX members_of_artist ON artist_members (key)",
      // `key` is the server's own id; for files the folder and the merge key, from version 12 on. `year_order` puts
      // unknown years after the oldest.
      """
      CREATE TABLE albums (id INTEGER PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL,
        title TEXT NOT NULL, title_sort TEXT NOT NULL, artist TEXT NOT NULL, artist_sort TEXT NOT NULL,
        artist_id INTEGER NOT NULL REFERENCES artists (id), year INTEGER, genres TEXT NOT NULL, tracks INTEGER NOT NULL,
        duration INTEGER NOT NULL, added_at INTEGER NOT NULL, played_at INTEGER NOT NULL DEFAULT 0, art TEXT,
        search_row INTEGER, year_order INTEGER NOT NULL AS (CASE WHEN year IS NULL THEN 0 ELSE -year END) VIRTUAL,
        shelf INTEGER NOT NULL DEFAULT 0, merge_key TEXT NOT NULL DEFAULT '', guid TEXT, release TEXT, digest INTEGER,
        section TEXT, own_art TEXT, arrived_at INTEGER NOT NULL DEFAULT 0, heard_at INTEGER NOT NULL DEFAULT 0,
        own_rating INTEGER, rating INTEGER, UNIQUE (source, key))
      """,
      "CREATE INDEX albums_by_name ON albums (artist_sort, title_sort, id) WHERE shelf = id",
      "CREATE INDEX albums_by_arrival ON albums (added_at, id) WHERE shelf = id",
      "CREATE INDEX albums_by_year ON albums (year_order, artist_sort, title_sort, id) WHERE shelf = id",
      "CREATE INDEX albums_by_play ON albums (played_at, id) WHERE shelf = id",
      "CREATE INDEX albums_of_artist ON albums (artist_id, year, title_sort, id)",
      "CREATE INDEX albums_by_merge ON albums (merge_key, id)",
      "CREATE INDEX albums_to_index ON albums (id) WHERE search_row IS NULL AND shelf = id",
      // Genres, moods and styles of albums; `place` is the source's order, from 1000 on for tags that only tracks have.
      """
      CREATE TABLE album_tags (album INTEGER NOT NULL, kind INTEGER NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL,
        place INTEGER NOT NULL, PRIMARY KEY (album, kind, folded)) WITHOUT ROWID
      """,
      "CREATE INDEX albums_of_tag ON album_tags (kind, folded, album)",
      // `native` is a server's own id, `identity` the hash of `TrackIdentity`, `music_ids` the packed `MusicIDs`.
      """
      CREATE TABLE tracks (id INTEGER PRIMARY KEY, source TEXT NOT NULL,
        album INTEGER NOT NULL REFERENCES albums (id), title TEXT NOT NULL, title_sort TEXT NOT NULL,
        artist TEXT NOT NULL, disc INTEGER NOT NULL, number INTEGER, year INTEGER, genres TEXT NOT NULL,
        duration INTEGER NOT NULL, recording TEXT, release TEXT, added_at INTEGER NOT NULL,
        played_at INTEGER NOT NULL DEFAULT 0, search_row INTEGER, shelf INTEGER, shown INTEGER NOT NULL DEFAULT 0,
        native TEXT, guid TEXT, file TEXT, part TEXT, format TEXT, is_lossless INTEGER NOT NULL DEFAULT 0, section TEXT,
        digest INTEGER, artist_sort TEXT, moods TEXT NOT NULL DEFAULT '', heard_at INTEGER NOT NULL DEFAULT 0,
        own_rating INTEGER, rating INTEGER, track_gain REAL, track_peak REAL, album_gain REAL, album_peak REAL,
        identity INTEGER NOT NULL DEFAULT 0, server_plays INTEGER, music_ids TEXT)
      """,
      "CREATE INDEX tracks_of_album ON tracks (album)",
      "CREATE INDEX tracks_of_shelf ON tracks (shelf, disc, ifnull(number, 1000000), title_sort, id) WHERE shelf IS NOT NULL",
      "CREATE INDEX tracks_by_title ON tracks (title_sort, id) WHERE shelf IS NOT NULL",
      "CREATE INDEX tracks_by_arrival ON tracks (added_at, id) WHERE shelf IS NOT NULL",
      "CREATE INDEX tracks_by_year ON tracks (year, id) WHERE shelf IS NOT NULL",
      "CREATE INDEX tracks_by_play ON tracks (played_at, id) WHERE shelf IS NOT NULL",
      "CREATE INDEX tracks_to_index ON tracks (title_sort, id) WHERE search_row IS NULL AND shelf IS NOT NULL",
      "CREATE INDEX tracks_by_identity ON tracks (identity)",
      "CREATE INDEX tracks_copied ON tracks (shown) WHERE shown <> id",
      "CREATE UNIQUE INDEX tracks_of_source ON tracks (source, native) WHERE native IS NOT NULL",
      // `cover_mark` and `artist_mark` change with the pictures.
      """
      CREATE TABLE folders (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, device INTEGER NOT NULL, cover BLOB,
        cover_mark TEXT, artist_picture BLOB, artist_mark TEXT)
      """,
      """
      CREATE TABLE files (id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders (id), name BLOB NOT NULL,
        inode INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
        track INTEGER UNIQUE REFERENCES tracks (id), tags TEXT NOT NULL, problem TEXT, UNIQUE (folder, name))
      """,
      "CREATE INDEX files_with_problems ON files (track IS NOT NULL, id) WHERE problem IS NOT NULL",
      // Row ids are positions in the sorted order, so that hits come in that order. The words are folded.
      """
      CREATE VIRTUAL TABLE search USING fts5 (words, item UNINDEXED, tokenize = 'ascii', detail = none, columnsize = 0,
        prefix = '1 2 3 4 5 6 7 8')
      """,
      // Redirects of the numbers of deleted rows to the copies that stay (`heir`). `kind` is a `CatalogueID.Kind`.
      """
      CREATE TABLE heirs (kind INTEGER NOT NULL, number INTEGER NOT NULL, heir INTEGER NOT NULL,
        PRIMARY KEY (kind, number)) WITHOUT ROWID
      """,
      "CREATE INDEX heirs_of ON heirs (kind, heir)",
      // Items keep the server's own ids, so that an item that is read after its collection can be assigned to it.
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
      // Ratings of people, which a refresh never changes. `kind` is a `CatalogueID.Kind`.
      """
      CREATE TABLE ratings (kind INTEGER NOT NULL, identity INTEGER NOT NULL, rating INTEGER NOT NULL,
        rated_at INTEGER NOT NULL, PRIMARY KEY (kind, identity)) WITHOUT ROWID
      """,
      """
      CREATE TABLE pins (source TEXT NOT NULL, title TEXT NOT NULL, is_pinned INTEGER NOT NULL,
        PRIMARY KEY (source, title)) WITHOUT ROWID
      """,
      // `size` is the size that was requested of a server, and 0 for pictures in music folders. A NULL digest means
      // that the picture cannot be shown.
      """
      CREATE TABLE pictures (reference TEXT NOT NULL, size INTEGER NOT NULL, digest TEXT,
        PRIMARY KEY (reference, size)) WITHOUT ROWID
      """,
      "CREATE TABLE palettes (reference TEXT PRIMARY KEY, colours TEXT NOT NULL) WITHOUT ROWID",
      // The tracks of listens with their tags at that time (`body`), each version once. `number` and `album` are the
      // numbers of the catalogue's rows, NULL if there were none.
      """
      CREATE TABLE listen_tracks (id INTEGER PRIMARY KEY, track TEXT NOT NULL, number INTEGER, album INTEGER,
        identity INTEGER NOT NULL, body TEXT NOT NULL)
      """,
      "CREATE INDEX listen_tracks_by_id ON listen_tracks (track)",
      "CREATE INDEX listen_tracks_by_number ON listen_tracks (number)",
      "CREATE INDEX listen_tracks_by_album ON listen_tracks (album)",
      // `outcome` is a `ListenOutcome`, `day` the day in the library's time zone, as 20261120.
      """
      CREATE TABLE listens (id INTEGER PRIMARY KEY, listen TEXT NOT NULL UNIQUE,
        track INTEGER NOT NULL REFERENCES listen_tracks (id), room TEXT NOT NULL, started_at INTEGER NOT NULL,
        day INTEGER NOT NULL, heard INTEGER NOT NULL, outcome INTEGER NOT NULL, counted_at INTEGER)
      """,
      // Each index holds all columns that counting needs, so that the rows are not read for it.
      "CREATE INDEX listens_by_time ON listens (started_at, id, track, room, day, outcome)",
      "CREATE INDEX listens_of_track ON listens (track, started_at, id, outcome)",
      "CREATE INDEX listens_of_room ON listens (room, started_at, id)",
      // Facts that this version cannot read are kept for one that can.
      """
      CREATE TABLE unreadable_facts (journal TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
        node TEXT NOT NULL, kind TEXT NOT NULL, payload BLOB NOT NULL, problem TEXT NOT NULL,
        PRIMARY KEY (journal, epoch, seq)) WITHOUT ROWID
      """,
      // `stage` is a `PlayOutbox.Stage`; `failures` are answers that refused a play.
      """
      CREATE TABLE play_outbox (id INTEGER PRIMARY KEY AUTOINCREMENT, listen TEXT NOT NULL, source TEXT NOT NULL,
        track INTEGER NOT NULL, counted_at INTEGER NOT NULL, stage INTEGER NOT NULL DEFAULT 0, count_before INTEGER,
        problem TEXT, failures INTEGER NOT NULL DEFAULT 0, UNIQUE (listen, source))
      """,
      "CREATE INDEX plays_to_send ON play_outbox (source, failures, id) WHERE stage < 2",
      "CREATE INDEX plays_of_track_to_send ON play_outbox (source, track, id) WHERE stage < 2",
      "CREATE INDEX plays_parked ON play_outbox (source) WHERE stage = 3"),
    Migration("catalogue-2"), Migration("catalogue-files-3"), Migration("plex-outbox-1"), Migration("artwork-2"),
    Migration("catalogue-3"), Migration("history-2"), Migration("plex-outbox-2"), Migration("catalogue-folders-4"),
    Migration("artwork-3"), Migration("catalogue-leaving-5"), Migration("catalogue-music-ids-6"),
    // Tracks of servers have the releases of their albums, as those of files do.
    Migration(
      "catalogue-server-releases-7",
      """
      UPDATE tracks SET release = (SELECT release FROM albums WHERE id = tracks.album)
      WHERE native IS NOT NULL AND release IS NULL
      """),
    // The time of the last restore for which `PlayRestoreReconciliation` has run.
    Migration(
      "plex-outbox-3",
      "CREATE TABLE play_restores (one INTEGER PRIMARY KEY CHECK (one = 1), settled_at INTEGER NOT NULL)"),
    // The art of lists is the server's own reference. Earlier versions wrote the source's name before it.
    Migration(
      "catalogue-list-art-8",
      """
      UPDATE collections SET art = substr(art, length(source) + 2)
      WHERE substr(art, 1, length(source) + 1) = source || ':'
      """,
      """
      UPDATE playlists SET art = substr(art, length(source) + 2)
      WHERE substr(art, 1, length(source) + 1) = source || ':'
      """),
    // The start of the listen, which servers are told. NULL for plays that an earlier version added.
    Migration("plex-outbox-4", "ALTER TABLE play_outbox ADD COLUMN started_at INTEGER"),
    // A section that its server no longer has keeps its row, and with it a person's choice, in case it comes back.
    Migration("catalogue-gone-sections-9", "ALTER TABLE sections ADD COLUMN is_gone INTEGER NOT NULL DEFAULT 0"),
    // The cause why a picture without a digest cannot be shown. Those recorded without a cause are tried again, as
    // their formats may be others now.
    Migration(
      "artwork-4", "ALTER TABLE pictures ADD COLUMN problem TEXT", "DELETE FROM pictures WHERE digest IS NULL"),
    // The properties of the audio. `reader` is the `TagReading.version` that read a file: the next scan reads those of
    // another version again. Servers are read completely by their next refresh, which fills the columns.
    Migration(
      "catalogue-audio-10", "ALTER TABLE tracks ADD COLUMN codec TEXT",
      "ALTER TABLE tracks ADD COLUMN bit_rate INTEGER", "ALTER TABLE tracks ADD COLUMN sample_rate INTEGER",
      "ALTER TABLE tracks ADD COLUMN bit_depth INTEGER", "ALTER TABLE tracks ADD COLUMN channels INTEGER",
      "ALTER TABLE files ADD COLUMN reader INTEGER NOT NULL DEFAULT 0",
      "UPDATE sources SET mark = NULL WHERE kind <> 'files'"),
    // People in their roles, and the works that tracks are recordings of.
    //
    // `artists.roles` has a bit for each `CreditRole`, `credits` the number of tracks that credit the artist otherwise
    // than as artist of their album. `artist_names` has every name by which an artist is found; `is_whole` marks names
    // that tags give as one of several, which are therefore never split. `credits.role` is `CreditRole.number`. A track
    // whose artists are those of its album has no rows in `credits`.
    Migration(
      "catalogue-credits-11", "ALTER TABLE artists ADD COLUMN mbid TEXT",
      "ALTER TABLE artists ADD COLUMN roles INTEGER NOT NULL DEFAULT 0",
      "ALTER TABLE artists ADD COLUMN credits INTEGER NOT NULL DEFAULT 0",
      """
      CREATE TABLE artist_names (key TEXT PRIMARY KEY, artist INTEGER NOT NULL, name TEXT NOT NULL,
        is_whole INTEGER NOT NULL) WITHOUT ROWID
      """,
      "CREATE INDEX names_of_artist ON artist_names (artist)",
      "CREATE INDEX artists_by_id ON artists (mbid) WHERE mbid IS NOT NULL",
      "INSERT INTO artist_names SELECT key, id, name, 0 FROM artists",
      """
      CREATE TABLE album_artists (album INTEGER, place INTEGER, artist INTEGER NOT NULL, name TEXT NOT NULL,
        PRIMARY KEY (album, place)) WITHOUT ROWID
      """,
      "CREATE INDEX albums_by_artist ON album_artists (artist, album)",
      "INSERT INTO album_artists SELECT id, 0, artist_id, artist FROM albums",
      """
      CREATE TABLE credits (track INTEGER, role INTEGER, place INTEGER, artist INTEGER NOT NULL, name TEXT NOT NULL,
        instrument TEXT, PRIMARY KEY (track, role, place)) WITHOUT ROWID
      """,
      "CREATE INDEX credits_of_artist ON credits (artist, role, track)",
      """
      CREATE TABLE works (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, title TEXT NOT NULL, sort TEXT NOT NULL,
        composer INTEGER, mbid TEXT)
      """,
      "CREATE INDEX works_of_composer ON works (composer, sort, id)",
      """
      CREATE TABLE track_works (track INTEGER PRIMARY KEY, work INTEGER NOT NULL, movement TEXT, number INTEGER,
        total INTEGER)
      """,
      "CREATE INDEX tracks_of_work ON track_works (work, number)",
      // JSON of `TrackFacts` and `AlbumFacts`, only where something is in it.
      "CREATE TABLE track_details (track INTEGER PRIMARY KEY, body TEXT NOT NULL)",
      "CREATE TABLE album_details (album INTEGER PRIMARY KEY, body TEXT NOT NULL)"),
    // Editions of albums.
    //
    // `own_release` is a source's own packed `ReleaseTags`; `date`, `original_date`, `edition`, `types`,
    // `release_group` and `quality` are the values that are shown, made from all members, as is `year`. `name_key` has
    // the names and the year without words for editions; `group_key` is that of the editions that stand together, of
    // which one is `listed`, and `editions` is their number. Rows with other values than `shelf = id` are never listed.
    //
    // The files are read again, as albums of folders get a row for each folder.
    Migration(
      "catalogue-editions-12", "ALTER TABLE albums ADD COLUMN own_release TEXT NOT NULL DEFAULT ''",
      "ALTER TABLE albums ADD COLUMN date TEXT", "ALTER TABLE albums ADD COLUMN original_date TEXT",
      "ALTER TABLE albums ADD COLUMN edition TEXT", "ALTER TABLE albums ADD COLUMN types TEXT NOT NULL DEFAULT ''",
      "ALTER TABLE albums ADD COLUMN release_group TEXT", "ALTER TABLE albums ADD COLUMN quality TEXT",
      "ALTER TABLE albums ADD COLUMN name_key TEXT NOT NULL DEFAULT ''",
      "ALTER TABLE albums ADD COLUMN group_key TEXT NOT NULL DEFAULT ''",
      "ALTER TABLE albums ADD COLUMN listed INTEGER NOT NULL DEFAULT 0",
      "ALTER TABLE albums ADD COLUMN editions INTEGER NOT NULL DEFAULT 1",
      "UPDATE albums SET own_release = printf('%04d', year) || char(31) WHERE year BETWEEN 1 AND 9999",
      "UPDATE albums SET listed = (shelf = id), name_key = merge_key, group_key = merge_key",
      "DROP INDEX albums_by_name", "DROP INDEX albums_by_arrival", "DROP INDEX albums_by_year",
      "DROP INDEX albums_by_play",
      "CREATE INDEX albums_by_name ON albums (artist_sort, title_sort, id) WHERE listed = 1",
      "CREATE INDEX albums_by_arrival ON albums (added_at, id) WHERE listed = 1",
      "CREATE INDEX albums_by_year ON albums (year_order, artist_sort, title_sort, id) WHERE listed = 1",
      "CREATE INDEX albums_by_play ON albums (played_at, id) WHERE listed = 1",
      // Every edition is found by a search.
      "CREATE INDEX albums_in_order ON albums (artist_sort, title_sort, id) WHERE shelf = id",
      "CREATE INDEX albums_of_name ON albums (name_key) WHERE shelf = id",
      "CREATE INDEX albums_of_group ON albums (group_key) WHERE shelf = id",
      // `number` is the running number on the disc; the text is what the tag says where that differs, such as `A1`.
      "ALTER TABLE tracks ADD COLUMN number_text TEXT",
      // Choices of people, which a refresh never changes.
      """
      CREATE TABLE preferred_editions (group_key TEXT PRIMARY KEY, merge_key TEXT NOT NULL, release TEXT,
        chosen_at INTEGER NOT NULL) WITHOUT ROWID
      """,
      "UPDATE files SET reader = 0"),
    // The positions of items in the search index, and the items that must be indexed. `item` is the kind, 56 bits to
    // the left, and the number. In columns of the items themselves each row was written twice.
    Migration(
      "catalogue-search-rows-13",
      "CREATE TABLE search_rows (item INTEGER PRIMARY KEY, position INTEGER NOT NULL)",
      "CREATE TABLE search_pending (item INTEGER PRIMARY KEY)",
      """
      INSERT INTO search_rows SELECT 1 << 56 | id, search_row FROM artists WHERE search_row IS NOT NULL
      UNION ALL SELECT 2 << 56 | id, search_row FROM albums WHERE search_row IS NOT NULL
      UNION ALL SELECT 3 << 56 | id, search_row FROM tracks WHERE search_row IS NOT NULL
      UNION ALL SELECT 4 << 56 | id, search_row FROM collections WHERE search_row IS NOT NULL
      """,
      """
      INSERT INTO search_pending SELECT 1 << 56 | id FROM artists WHERE search_row IS NULL
      UNION ALL SELECT 2 << 56 | id FROM albums WHERE search_row IS NULL AND shelf = id
      UNION ALL SELECT 3 << 56 | id FROM tracks WHERE search_row IS NULL AND shelf IS NOT NULL
      UNION ALL SELECT 4 << 56 | id FROM collections WHERE search_row IS NULL
      """,
      "DROP INDEX albums_to_index", "DROP INDEX tracks_to_index", "ALTER TABLE artists DROP COLUMN search_row",
      "ALTER TABLE albums DROP COLUMN search_row", "ALTER TABLE tracks DROP COLUMN search_row",
      "ALTER TABLE collections DROP COLUMN search_row"),
    // Tracks of files that left the music folders, which get their numbers back if they come again within a year. A key
    // is a hash of `TrackRecognition`.
    Migration(
      "catalogue-departures-16",
      """
      CREATE TABLE departed_tracks (track INTEGER PRIMARY KEY, album INTEGER NOT NULL, album_key TEXT NOT NULL,
        identity INTEGER NOT NULL, duration INTEGER NOT NULL, added_at INTEGER NOT NULL,
        album_added_at INTEGER NOT NULL, heard_at INTEGER NOT NULL, left_at INTEGER NOT NULL)
      """,
      "CREATE INDEX departed_by_time ON departed_tracks (left_at)",
      """
      CREATE TABLE departed_keys (key INTEGER NOT NULL, track INTEGER NOT NULL, PRIMARY KEY (key, track)) WITHOUT ROWID
      """,
      "CREATE INDEX keys_of_departed ON departed_keys (track)",
      // The digest of a folder's listing; 0 for one that the next scan visits whatever is in it.
      "ALTER TABLE folders ADD COLUMN digest INTEGER NOT NULL DEFAULT 0",
      "CREATE INDEX files_by_reader ON files (reader)",
      "CREATE INDEX folders_of_artists ON folders (id) WHERE artist_picture IS NOT NULL"),
    // Files that a CUE sheet cuts into tracks. Such a file has a row without a track, with `segment` 0, and a row for
    // each track, with the number of the track in the sheet and its samples. `sheets` is a digest of a folder's sheets.
    Migration(
      "catalogue-segments-17",
      """
      CREATE TABLE new_files (id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders (id),
        name BLOB NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
        track INTEGER UNIQUE REFERENCES tracks (id), tags TEXT NOT NULL, problem TEXT,
        reader INTEGER NOT NULL DEFAULT 0, segment INTEGER NOT NULL DEFAULT 0, first_sample INTEGER,
        end_sample INTEGER,
        UNIQUE (folder, name, segment))
      """,
      """
      INSERT INTO new_files (id, folder, name, inode, size, modified, track, tags, problem, reader)
      SELECT id, folder, name, inode, size, modified, track, tags, problem, reader FROM files
      """,
      "DROP TABLE files", "ALTER TABLE new_files RENAME TO files",
      "CREATE INDEX files_with_problems ON files (track IS NOT NULL, id) WHERE problem IS NOT NULL",
      "CREATE INDEX files_by_reader ON files (reader)",
      "ALTER TABLE folders ADD COLUMN sheets INTEGER NOT NULL DEFAULT 0", "UPDATE folders SET digest = 0"),
    // The `TagSettings` by which files are read, by the names of the settings; those that are not set have no row.
    Migration(
      "catalogue-tag-settings-18",
      "CREATE TABLE tag_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"),
  ]
}
