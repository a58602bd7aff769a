CREATE TABLE album_artists (album INTEGER, place INTEGER, artist INTEGER NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (album, place)) WITHOUT ROWID;

CREATE INDEX albums_by_artist ON album_artists (artist, album);

CREATE TABLE album_details (album INTEGER PRIMARY KEY, body TEXT NOT NULL);

CREATE TABLE album_opinions (subject INTEGER PRIMARY KEY, stands INTEGER NOT NULL, opinion TEXT NOT NULL,
  given_at INTEGER NOT NULL);

CREATE INDEX album_opinions_by_time ON album_opinions (given_at, subject) WHERE stands = 1;

CREATE TABLE album_tags (album INTEGER NOT NULL, kind INTEGER NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL,
  place INTEGER NOT NULL, PRIMARY KEY (album, kind, folded)) WITHOUT ROWID;

CREATE INDEX albums_of_tag ON album_tags (kind, folded, album);

CREATE TABLE albums (id INTEGER PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL,
  title TEXT NOT NULL, title_sort TEXT NOT NULL, artist TEXT NOT NULL, artist_sort TEXT NOT NULL,
  artist_id INTEGER NOT NULL REFERENCES artists (id), year INTEGER, genres TEXT NOT NULL, tracks INTEGER NOT NULL,
  duration INTEGER NOT NULL, added_at INTEGER NOT NULL, played_at INTEGER NOT NULL DEFAULT 0, art TEXT,
  year_order INTEGER NOT NULL AS (CASE WHEN year IS NULL THEN 0 ELSE -year END) VIRTUAL,
  shelf INTEGER NOT NULL DEFAULT 0, merge_key TEXT NOT NULL DEFAULT '', guid TEXT, release TEXT, digest INTEGER,
  section TEXT, own_art TEXT, arrived_at INTEGER NOT NULL DEFAULT 0, heard_at INTEGER NOT NULL DEFAULT 0,
  own_rating INTEGER, rating INTEGER, own_release TEXT NOT NULL DEFAULT '', date TEXT, original_date TEXT, edition TEXT, types TEXT NOT NULL DEFAULT '', release_group TEXT, quality TEXT, name_key TEXT NOT NULL DEFAULT '', group_key TEXT NOT NULL DEFAULT '', listed INTEGER NOT NULL DEFAULT 0, editions INTEGER NOT NULL DEFAULT 1, rating_order INTEGER
  AS (CASE WHEN rating IS NULL THEN 0 ELSE -rating - 1 END) VIRTUAL, UNIQUE (source, key));

CREATE INDEX albums_by_arrival ON albums (added_at, id) WHERE listed = 1;

CREATE INDEX albums_by_merge ON albums (merge_key, id);

CREATE INDEX albums_by_name ON albums (artist_sort, title_sort, id) WHERE listed = 1;

CREATE INDEX albums_by_play ON albums (played_at, id) WHERE listed = 1;

CREATE INDEX albums_by_rating ON albums (rating_order, artist_sort, title_sort, id) WHERE listed = 1;

CREATE INDEX albums_by_title ON albums (title_sort, artist_sort, id) WHERE listed = 1;

CREATE INDEX albums_by_year ON albums (year_order, artist_sort, title_sort, id) WHERE listed = 1;

CREATE INDEX albums_in_order ON albums (artist_sort, title_sort, id) WHERE shelf = id;

CREATE INDEX albums_of_artist ON albums (artist_id, year, title_sort, id);

CREATE INDEX albums_of_group ON albums (group_key) WHERE shelf = id;

CREATE INDEX albums_of_name ON albums (name_key) WHERE shelf = id;

CREATE INDEX albums_of_shelf ON albums (shelf);

CREATE TABLE artist_members (source TEXT NOT NULL, native TEXT NOT NULL, key TEXT NOT NULL, guid TEXT, mbid TEXT,
  art TEXT, summary TEXT, genres TEXT NOT NULL, rating INTEGER, section TEXT, digest INTEGER NOT NULL,
  PRIMARY KEY (source, native)) WITHOUT ROWID;

CREATE INDEX members_of_artist ON artist_members (key);

CREATE TABLE artist_names (key TEXT PRIMARY KEY, artist INTEGER NOT NULL, name TEXT NOT NULL,
  is_whole INTEGER NOT NULL) WITHOUT ROWID;

CREATE INDEX names_of_artist ON artist_names (artist);

CREATE TABLE artists (id INTEGER PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  sort TEXT NOT NULL, albums INTEGER NOT NULL, art TEXT, summary TEXT,
  genres TEXT NOT NULL DEFAULT '', rating INTEGER, mbid TEXT, roles INTEGER NOT NULL DEFAULT 0, credits INTEGER NOT NULL DEFAULT 0);

CREATE INDEX artists_by_id ON artists (mbid) WHERE mbid IS NOT NULL;

CREATE INDEX artists_by_name ON artists (sort, id);

CREATE TABLE catalogue (one INTEGER PRIMARY KEY CHECK (one = 1), generation INTEGER NOT NULL,
  next_artist INTEGER NOT NULL, next_album INTEGER NOT NULL, next_track INTEGER NOT NULL,
  next_collection INTEGER NOT NULL DEFAULT 1, next_playlist INTEGER NOT NULL DEFAULT 1,
  albums INTEGER NOT NULL DEFAULT 0, tracks INTEGER NOT NULL DEFAULT 0, opinions_revision INTEGER NOT NULL DEFAULT 0, lists_revision INTEGER NOT NULL DEFAULT 0, has_subjects INTEGER NOT NULL DEFAULT 0);

CREATE TABLE collection_items (collection INTEGER NOT NULL, position INTEGER NOT NULL, native TEXT NOT NULL,
  kind INTEGER, item INTEGER, PRIMARY KEY (collection, position)) WITHOUT ROWID;

CREATE TABLE collections (id INTEGER PRIMARY KEY, source TEXT NOT NULL, native TEXT NOT NULL, title TEXT NOT NULL,
  title_sort TEXT NOT NULL, summary TEXT, art TEXT, section TEXT, digest INTEGER NOT NULL, missing INTEGER NOT NULL DEFAULT 0,
  UNIQUE (source, native));

CREATE INDEX collections_by_title ON collections (title_sort, id);

CREATE TABLE credits (track INTEGER, role INTEGER, place INTEGER, artist INTEGER NOT NULL, name TEXT NOT NULL,
  instrument TEXT, PRIMARY KEY (track, role, place)) WITHOUT ROWID;

CREATE INDEX credits_of_artist ON credits (artist, role, track);

CREATE TABLE deferred_indexes (name TEXT PRIMARY KEY, sql TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE deleted_collections (id INTEGER PRIMARY KEY, source TEXT NOT NULL, native TEXT NOT NULL,
  title TEXT NOT NULL, deleted_at INTEGER NOT NULL);

CREATE TABLE deleted_playlists (id INTEGER PRIMARY KEY, title TEXT NOT NULL, title_sort TEXT NOT NULL,
  summary TEXT, revision INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  deleted_at INTEGER NOT NULL, source TEXT NOT NULL DEFAULT 'lunara', native TEXT, rules TEXT, art TEXT, file BLOB);

CREATE TABLE deleted_themes (id INTEGER PRIMARY KEY, title TEXT NOT NULL, title_sort TEXT NOT NULL, text TEXT,
  rules TEXT, first TEXT NOT NULL, second TEXT NOT NULL, texture TEXT NOT NULL, cover TEXT,
  revision INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  deleted_at INTEGER NOT NULL);

CREATE TABLE departed_keys (key INTEGER NOT NULL, track INTEGER NOT NULL, PRIMARY KEY (key, track)) WITHOUT ROWID;

CREATE INDEX keys_of_departed ON departed_keys (track);

CREATE TABLE departed_tracks (track INTEGER PRIMARY KEY, album INTEGER NOT NULL, album_key TEXT NOT NULL,
  identity INTEGER NOT NULL, duration INTEGER NOT NULL, added_at INTEGER NOT NULL,
  album_added_at INTEGER NOT NULL, heard_at INTEGER NOT NULL, left_at INTEGER NOT NULL);

CREATE INDEX departed_by_time ON departed_tracks (left_at);

CREATE TABLE "files" (id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders (id),
  name BLOB NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
  track INTEGER UNIQUE REFERENCES tracks (id), tags TEXT NOT NULL, problem TEXT,
  reader INTEGER NOT NULL DEFAULT 0, segment INTEGER NOT NULL DEFAULT 0, first_sample INTEGER,
  end_sample INTEGER, guessed INTEGER, changed INTEGER NOT NULL DEFAULT 0,
  UNIQUE (folder, name, segment));

CREATE INDEX files_by_reader ON files (reader);

CREATE INDEX files_with_problems ON files (track IS NOT NULL, id) WHERE problem IS NOT NULL;

CREATE TABLE folders (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, device INTEGER NOT NULL, cover BLOB,
  cover_mark TEXT, artist_picture BLOB, artist_mark TEXT, digest INTEGER NOT NULL DEFAULT 0, sheets INTEGER NOT NULL DEFAULT 0, lyrics BLOB NOT NULL DEFAULT x'', sort BLOB NOT NULL DEFAULT x'');

CREATE INDEX folders_in_order ON folders (sort);

CREATE INDEX folders_of_artists ON folders (id) WHERE artist_picture IS NOT NULL;

CREATE TABLE former_opinions (id TEXT PRIMARY KEY, shown INTEGER NOT NULL, merge_key TEXT NOT NULL,
  place INTEGER NOT NULL, title TEXT NOT NULL, artist TEXT NOT NULL, year INTEGER, release_group TEXT,
  taken_back_at INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE garden_marks (id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE,
  subject INTEGER NOT NULL, reason TEXT NOT NULL, marked_at INTEGER NOT NULL, state TEXT NOT NULL,
  decided_at INTEGER);

CREATE INDEX garden_marks_of ON garden_marks (subject);

CREATE TABLE garden_note_listens (note INTEGER NOT NULL, place INTEGER NOT NULL, listen TEXT NOT NULL,
  PRIMARY KEY (note, place)) WITHOUT ROWID;

CREATE TABLE garden_note_texts (id INTEGER PRIMARY KEY AUTOINCREMENT, note INTEGER NOT NULL,
  version INTEGER NOT NULL, text TEXT NOT NULL, written_at INTEGER NOT NULL, is_refused INTEGER NOT NULL);

CREATE INDEX garden_texts_of ON garden_note_texts (note);

CREATE TABLE garden_notes (id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE,
  subject INTEGER NOT NULL, text TEXT NOT NULL, written_at INTEGER NOT NULL, version INTEGER NOT NULL DEFAULT 1,
  edited_at INTEGER, room TEXT, heard_from INTEGER, heard_to INTEGER, position INTEGER, shown_at INTEGER,
  deleted_at INTEGER);

CREATE INDEX garden_notes_by_time ON garden_notes (written_at, id) WHERE deleted_at IS NULL;

CREATE INDEX garden_notes_of ON garden_notes (subject);

CREATE TABLE garden_pending (note INTEGER PRIMARY KEY);

CREATE VIRTUAL TABLE garden_search USING fts5 (words, tokenize = 'ascii', detail = none, columnsize = 0,
  prefix = '1 2 3 4 5 6 7 8');

CREATE TABLE garden_subjects (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, item INTEGER NOT NULL, shown INTEGER,
  reference TEXT NOT NULL, key TEXT, identity INTEGER, title TEXT NOT NULL, artist TEXT NOT NULL, album TEXT,
  disc INTEGER, number INTEGER, year INTEGER);

CREATE INDEX garden_subjects_shown ON garden_subjects (kind, shown);

CREATE TABLE garden_todos (id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE,
  subject INTEGER NOT NULL, about TEXT NOT NULL, text TEXT NOT NULL, added_at INTEGER NOT NULL,
  state TEXT NOT NULL, evidence TEXT, sign TEXT, done_at INTEGER, is_noticed INTEGER NOT NULL DEFAULT 0,
  delivery INTEGER NOT NULL DEFAULT 0, problem TEXT);

CREATE INDEX garden_todos_of ON garden_todos (subject);

CREATE INDEX garden_todos_to_send ON garden_todos (id) WHERE delivery = 1;

CREATE TABLE garden_webhook (one INTEGER PRIMARY KEY CHECK (one = 1), address TEXT NOT NULL, problem TEXT);

CREATE TABLE garden_witnesses (subject INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY (subject, item))
  WITHOUT ROWID;

CREATE TABLE heard_before_imports (track INTEGER PRIMARY KEY, heard_at INTEGER NOT NULL);

CREATE TABLE heirs (kind INTEGER NOT NULL, number INTEGER NOT NULL, heir INTEGER NOT NULL,
  PRIMARY KEY (kind, number)) WITHOUT ROWID;

CREATE INDEX heirs_of ON heirs (kind, heir);

CREATE TABLE import_changes (kind INTEGER NOT NULL, track INTEGER NOT NULL, identity INTEGER NOT NULL,
  former INTEGER, value INTEGER NOT NULL, imported_at INTEGER NOT NULL, PRIMARY KEY (kind, track)) WITHOUT ROWID;

CREATE TABLE imported_plays (identity INTEGER PRIMARY KEY, plays INTEGER NOT NULL, imported_at INTEGER NOT NULL);

CREATE TABLE left_out (folder BLOB NOT NULL, rule INTEGER NOT NULL, file BLOB NOT NULL, count INTEGER NOT NULL,
  names BLOB NOT NULL, PRIMARY KEY (folder, rule, file)) WITHOUT ROWID;

CREATE TABLE list_files (id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, name BLOB NOT NULL,
  inode INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL, playlist INTEGER, problem TEXT,
  UNIQUE (folder, name));

CREATE INDEX list_files_of_playlist ON list_files (playlist);

CREATE TABLE listen_imports (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, imported_at INTEGER NOT NULL);

CREATE TABLE listen_tracks (id INTEGER PRIMARY KEY, track TEXT NOT NULL, number INTEGER, album INTEGER,
  identity INTEGER NOT NULL, body TEXT NOT NULL, title_key TEXT, artist_key TEXT);

CREATE INDEX listen_tracks_by_album ON listen_tracks (album);

CREATE INDEX listen_tracks_by_artist ON listen_tracks (artist_key, album) WHERE artist_key IS NOT NULL;

CREATE INDEX listen_tracks_by_id ON listen_tracks (track);

CREATE INDEX listen_tracks_by_number ON listen_tracks (number);

CREATE INDEX listen_tracks_described ON listen_tracks (title_key, number) WHERE title_key IS NOT NULL;

CREATE INDEX listen_tracks_without_keys ON listen_tracks (id) WHERE title_key IS NULL AND track >= 'described:' AND track < 'described;';

CREATE TABLE listens (id INTEGER PRIMARY KEY, listen TEXT NOT NULL UNIQUE,
  track INTEGER NOT NULL REFERENCES listen_tracks (id), room TEXT NOT NULL, started_at INTEGER NOT NULL,
  day INTEGER NOT NULL, heard INTEGER NOT NULL, outcome INTEGER NOT NULL, counted_at INTEGER, is_shareable INTEGER, imported_by INTEGER);

CREATE INDEX listens_by_time ON listens (started_at, id, track, room, day, outcome);

CREATE INDEX listens_of_import ON listens (imported_by, track) WHERE imported_by IS NOT NULL;

CREATE INDEX listens_of_room ON listens (room, started_at, id);

CREATE INDEX listens_of_track ON listens (track, started_at, id, outcome);

CREATE TABLE music_folders (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, added_at INTEGER NOT NULL);

CREATE TABLE music_links (folder BLOB NOT NULL, name BLOB NOT NULL, sort BLOB NOT NULL, target BLOB NOT NULL,
  file BLOB, PRIMARY KEY (folder, name)) WITHOUT ROWID;

CREATE INDEX music_links_in_order ON music_links (sort);

CREATE TABLE opinion_outbox (id INTEGER PRIMARY KEY AUTOINCREMENT, opinion INTEGER NOT NULL,
  service TEXT NOT NULL, source TEXT NOT NULL, album INTEGER NOT NULL, failures INTEGER NOT NULL DEFAULT 0,
  is_refused INTEGER NOT NULL DEFAULT 0, problem TEXT, tried_at INTEGER, UNIQUE (service, source, album));

CREATE INDEX opinion_outbox_by_opinion ON opinion_outbox (opinion);

CREATE TABLE opinion_sharing (service TEXT PRIMARY KEY, is_on INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE opinions (album INTEGER PRIMARY KEY, shown INTEGER NOT NULL, stands INTEGER NOT NULL,
  opinion TEXT NOT NULL, given_at INTEGER NOT NULL, id TEXT NOT NULL, merge_key TEXT NOT NULL,
  place INTEGER NOT NULL, title TEXT NOT NULL, artist TEXT NOT NULL, year INTEGER, release_group TEXT);

CREATE INDEX opinions_by_key ON opinions (merge_key);

CREATE INDEX opinions_by_shown ON opinions (shown);

CREATE INDEX opinions_by_time ON opinions (given_at, album) WHERE stands = 1;

CREATE TABLE palettes (reference TEXT PRIMARY KEY, colours TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE pictures (reference TEXT NOT NULL, size INTEGER NOT NULL, digest TEXT, problem TEXT,
  PRIMARY KEY (reference, size)) WITHOUT ROWID;

CREATE TABLE pins (source TEXT NOT NULL, title TEXT NOT NULL, is_pinned INTEGER NOT NULL,
  PRIMARY KEY (source, title)) WITHOUT ROWID;

CREATE TABLE play_outbox (id INTEGER PRIMARY KEY AUTOINCREMENT, listen TEXT NOT NULL, source TEXT NOT NULL,
  track INTEGER NOT NULL, counted_at INTEGER NOT NULL, stage INTEGER NOT NULL DEFAULT 0, count_before INTEGER,
  problem TEXT, failures INTEGER NOT NULL DEFAULT 0, started_at INTEGER, UNIQUE (listen, source));

CREATE INDEX plays_of_track_to_send ON play_outbox (source, track, id) WHERE stage < 2;

CREATE INDEX plays_parked ON play_outbox (source) WHERE stage = 3;

CREATE INDEX plays_to_send ON play_outbox (source, failures, id) WHERE stage < 2;

CREATE TABLE play_restores (one INTEGER PRIMARY KEY CHECK (one = 1), settled_at INTEGER NOT NULL);

CREATE TABLE playlist_covers (id INTEGER PRIMARY KEY AUTOINCREMENT, playlist INTEGER NOT NULL, picture BLOB NOT NULL);

CREATE INDEX playlist_covers_by_playlist ON playlist_covers (playlist);

CREATE TABLE playlist_entries (id INTEGER PRIMARY KEY AUTOINCREMENT, playlist INTEGER NOT NULL,
  place INTEGER NOT NULL, native TEXT, track INTEGER, identity INTEGER, described TEXT, added_at INTEGER);

CREATE INDEX playlist_entries_by_identity ON playlist_entries (identity) WHERE identity IS NOT NULL;

CREATE INDEX playlist_entries_by_place ON playlist_entries (playlist, place);

CREATE INDEX playlist_entries_unlinked ON playlist_entries (playlist, place)
WHERE track IS NULL AND described IS NOT NULL;

CREATE TABLE playlist_outbox (playlist INTEGER PRIMARY KEY, source TEXT NOT NULL, native TEXT NOT NULL,
  base TEXT NOT NULL, title TEXT NOT NULL, summary TEXT, failures INTEGER NOT NULL DEFAULT 0, problem TEXT,
  sent TEXT, sent_from TEXT, listed TEXT);

CREATE TABLE playlist_undo (playlist INTEGER NOT NULL, revision INTEGER NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (playlist, revision)) WITHOUT ROWID;

CREATE TABLE playlists (id INTEGER PRIMARY KEY, source TEXT NOT NULL, native TEXT NOT NULL, title TEXT NOT NULL,
  title_sort TEXT NOT NULL, is_smart INTEGER NOT NULL, art TEXT, digest INTEGER NOT NULL, summary TEXT, revision INTEGER NOT NULL DEFAULT 0, created_at INTEGER, updated_at INTEGER, note TEXT, rules TEXT, missing INTEGER NOT NULL DEFAULT 0, UNIQUE (source, native));

CREATE INDEX playlists_by_title ON playlists (title_sort, id);

CREATE TABLE preferred_editions (group_key TEXT PRIMARY KEY, merge_key TEXT NOT NULL, release TEXT,
  chosen_at INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE provider_lists (provider TEXT NOT NULL, playlist INTEGER NOT NULL, native TEXT NOT NULL,
  state TEXT NOT NULL, snapshot TEXT, read_at INTEGER, revision INTEGER NOT NULL, is_unfinished INTEGER NOT NULL,
  title TEXT NOT NULL, summary TEXT NOT NULL, PRIMARY KEY (provider, playlist)) WITHOUT ROWID;

CREATE TABLE provider_reports (id INTEGER PRIMARY KEY, provider TEXT NOT NULL, report TEXT NOT NULL);

CREATE INDEX provider_reports_by_provider ON provider_reports (provider);

CREATE TABLE provider_tracks (provider TEXT NOT NULL, key TEXT NOT NULL, native TEXT, asked_at INTEGER NOT NULL,
  PRIMARY KEY (provider, key)) WITHOUT ROWID;

CREATE TABLE providers (name TEXT PRIMARY KEY, kind TEXT NOT NULL, address TEXT, account TEXT,
  linked_at INTEGER NOT NULL, state TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE ratings (kind INTEGER NOT NULL, identity INTEGER NOT NULL, rating INTEGER NOT NULL,
  rated_at INTEGER NOT NULL, PRIMARY KEY (kind, identity)) WITHOUT ROWID;

CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, started_at INTEGER NOT NULL,
  finished_at INTEGER NOT NULL, new INTEGER NOT NULL, changed INTEGER NOT NULL, unchanged INTEGER NOT NULL,
  deleted INTEGER NOT NULL, held INTEGER NOT NULL);

CREATE VIRTUAL TABLE search USING fts5 (words, item UNINDEXED, tokenize = 'ascii', detail = none, columnsize = 0,
  prefix = '1 2 3 4 5 6 7 8');

CREATE TABLE sections (source TEXT NOT NULL, key TEXT NOT NULL, title TEXT NOT NULL, is_on INTEGER NOT NULL,
  position INTEGER NOT NULL DEFAULT 0, is_gone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (source, key)) WITHOUT ROWID;

CREATE TABLE sources (name TEXT PRIMARY KEY, kind TEXT NOT NULL, refreshed_at INTEGER,
  problem_count INTEGER NOT NULL, problems TEXT NOT NULL, position INTEGER NOT NULL DEFAULT 0, machine TEXT,
  mark TEXT, method TEXT, address TEXT, account TEXT, settings TEXT, is_from_settings INTEGER NOT NULL DEFAULT 0,
  albums INTEGER NOT NULL DEFAULT 0, tracks INTEGER NOT NULL DEFAULT 0, is_leaving INTEGER NOT NULL DEFAULT 0)
  WITHOUT ROWID;

CREATE TABLE sqlite_sequence(name,seq);

CREATE TABLE staged (source TEXT NOT NULL, kind INTEGER NOT NULL, native TEXT NOT NULL, body BLOB NOT NULL,
  PRIMARY KEY (source, kind, native)) WITHOUT ROWID;

CREATE TABLE subject_witnesses (subject INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY (subject, item))
  WITHOUT ROWID;

CREATE TABLE subjects (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, item INTEGER NOT NULL, shown INTEGER,
  last_shown INTEGER NOT NULL, reference TEXT NOT NULL, key TEXT, place INTEGER NOT NULL DEFAULT 0, name_key TEXT,
  release_group TEXT, identity INTEGER, title TEXT NOT NULL, artist TEXT NOT NULL, album TEXT, disc INTEGER,
  number INTEGER, year INTEGER);

CREATE INDEX subjects_away ON subjects (kind, key) WHERE shown IS NULL;

CREATE INDEX subjects_of_item ON subjects (kind, item);

CREATE INDEX subjects_shown ON subjects (kind, shown);

CREATE INDEX subjects_shown_last ON subjects (kind, last_shown);

CREATE TABLE sync_ledgers (part TEXT PRIMARY KEY, ledger TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE tag_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE taken_back_opinions (id TEXT PRIMARY KEY, subject INTEGER NOT NULL, taken_back_at INTEGER NOT NULL)
  WITHOUT ROWID;

CREATE INDEX taken_back_opinions_of ON taken_back_opinions (subject);

CREATE TABLE theme_albums (theme INTEGER NOT NULL, place INTEGER NOT NULL, album INTEGER NOT NULL,
  name_key TEXT NOT NULL, artist TEXT NOT NULL, title TEXT NOT NULL, PRIMARY KEY (theme, place)) WITHOUT ROWID;

CREATE TABLE theme_picks (theme INTEGER NOT NULL, place INTEGER NOT NULL, subject INTEGER NOT NULL,
  PRIMARY KEY (theme, place)) WITHOUT ROWID;

CREATE INDEX theme_picks_of ON theme_picks (subject);

CREATE TABLE themes (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, title_sort TEXT NOT NULL,
  text TEXT, rules TEXT, first TEXT NOT NULL, second TEXT NOT NULL, texture TEXT NOT NULL, cover TEXT,
  revision INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);

CREATE TABLE track_details (track INTEGER PRIMARY KEY, body TEXT NOT NULL);

CREATE TABLE track_works (track INTEGER PRIMARY KEY, work INTEGER NOT NULL, movement TEXT, number INTEGER,
  total INTEGER);

CREATE INDEX tracks_of_work ON track_works (work, number);

CREATE TABLE tracks (id INTEGER PRIMARY KEY, source TEXT NOT NULL,
  album INTEGER NOT NULL REFERENCES albums (id), title TEXT NOT NULL, title_sort TEXT NOT NULL,
  artist TEXT NOT NULL, disc INTEGER NOT NULL, number INTEGER, year INTEGER, genres TEXT NOT NULL,
  duration INTEGER NOT NULL, recording TEXT, release TEXT, added_at INTEGER NOT NULL,
  played_at INTEGER NOT NULL DEFAULT 0, shelf INTEGER, shown INTEGER NOT NULL DEFAULT 0,
  native TEXT, guid TEXT, file TEXT, part TEXT, format TEXT, is_lossless INTEGER NOT NULL DEFAULT 0, section TEXT,
  digest INTEGER, artist_sort TEXT, moods TEXT NOT NULL DEFAULT '', heard_at INTEGER NOT NULL DEFAULT 0,
  own_rating INTEGER, rating INTEGER, track_gain REAL, track_peak REAL, album_gain REAL, album_peak REAL,
  identity INTEGER NOT NULL DEFAULT 0, server_plays INTEGER, music_ids TEXT, codec TEXT, bit_rate INTEGER, sample_rate INTEGER, bit_depth INTEGER, channels INTEGER, number_text TEXT, rating_order INTEGER
  AS (CASE WHEN rating IS NULL THEN 0 ELSE -rating - 1 END) VIRTUAL, year_order INTEGER AS (CASE WHEN year IS NULL THEN 0 ELSE -year END) VIRTUAL, listeners INTEGER);

CREATE INDEX tracks_by_arrival ON tracks (added_at, id) WHERE shelf IS NOT NULL;

CREATE INDEX tracks_by_identity ON tracks (identity);

CREATE INDEX tracks_by_play ON tracks (played_at, id) WHERE shelf IS NOT NULL;

CREATE INDEX tracks_by_rating ON tracks (rating_order, title_sort, id) WHERE shelf IS NOT NULL;

CREATE INDEX tracks_by_title ON tracks (title_sort, id) WHERE shelf IS NOT NULL;

CREATE INDEX tracks_by_year ON tracks (year_order, id) WHERE shelf IS NOT NULL;

CREATE INDEX tracks_copied ON tracks (shown) WHERE shown <> id;

CREATE INDEX tracks_of_album ON tracks (album);

CREATE INDEX tracks_of_shelf ON tracks (shelf, disc, ifnull(number, 1000000), title_sort, id) WHERE shelf IS NOT NULL;

CREATE UNIQUE INDEX tracks_of_source ON tracks (source, native) WHERE native IS NOT NULL;

CREATE INDEX tracks_with_plays ON tracks (shelf, shown, server_plays) WHERE server_plays > 0;

CREATE TABLE unreadable_facts (journal TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
  node TEXT NOT NULL, kind TEXT NOT NULL, payload BLOB NOT NULL, problem TEXT NOT NULL,
  PRIMARY KEY (journal, epoch, seq)) WITHOUT ROWID;

CREATE TABLE wishes (id INTEGER PRIMARY KEY AUTOINCREMENT, part TEXT NOT NULL, item TEXT NOT NULL,
  key TEXT NOT NULL, added_at INTEGER NOT NULL, is_here INTEGER NOT NULL DEFAULT 0, release_group TEXT, UNIQUE (part, key));

CREATE TABLE works (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, title TEXT NOT NULL, sort TEXT NOT NULL,
  composer INTEGER, mbid TEXT);

CREATE INDEX works_of_composer ON works (composer, sort, id);
