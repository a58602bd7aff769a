CREATE TABLE albums (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
  artist TEXT NOT NULL, artist_id TEXT, artist_key INTEGER NOT NULL, year INTEGER, tags TEXT NOT NULL,
  genres INTEGER NOT NULL, low INTEGER NOT NULL, high INTEGER NOT NULL, added_at INTEGER NOT NULL,
  rating INTEGER, plays INTEGER NOT NULL, played_at INTEGER, art TEXT, release_group TEXT, run INTEGER NOT NULL,
  is_here INTEGER NOT NULL, match_key INTEGER, match_artist INTEGER, noted_at INTEGER, listeners INTEGER) STRICT;

CREATE INDEX albums_by_match ON albums (match_key);

CREATE INDEX albums_by_match_artist ON albums (match_artist);

CREATE INDEX albums_by_release_group ON albums (release_group);

CREATE INDEX albums_by_set ON albums (is_here, low, high, genres, year, artist_key);

CREATE TABLE article_settings (one INTEGER PRIMARY KEY CHECK (one = 1), is_on INTEGER NOT NULL,
  languages TEXT NOT NULL) STRICT;

CREATE TABLE articles (key TEXT PRIMARY KEY, id TEXT NOT NULL, artist TEXT NOT NULL, title TEXT, article TEXT,
  guesses TEXT, chosen TEXT, is_refused INTEGER NOT NULL, searched_at INTEGER) STRICT, WITHOUT ROWID;

CREATE INDEX articles_of_id ON articles (id);

CREATE TABLE artist_ids (match_artist INTEGER PRIMARY KEY, mbid TEXT NOT NULL) STRICT;

CREATE TABLE assigned_tags (tag TEXT PRIMARY KEY, place TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE changed_albums (id TEXT PRIMARY KEY, changes INTEGER NOT NULL DEFAULT 0, generation INTEGER)
  STRICT, WITHOUT ROWID;

CREATE TABLE dial (one INTEGER PRIMARY KEY CHECK (one = 1), position INTEGER NOT NULL) STRICT;

CREATE TABLE finds (source TEXT NOT NULL, run INTEGER NOT NULL, number INTEGER NOT NULL, signal TEXT NOT NULL,
  kind TEXT NOT NULL, album TEXT, release_group TEXT, match_key INTEGER, match_artist INTEGER, release INTEGER,
  place INTEGER, listens INTEGER, near TEXT, PRIMARY KEY (source, run, number)) STRICT, WITHOUT ROWID;

CREATE INDEX finds_of_release ON finds (release) WHERE release IS NOT NULL;

CREATE TABLE missing_albums (one INTEGER PRIMARY KEY CHECK (one = 1), is_on INTEGER NOT NULL) STRICT;

CREATE TABLE opinions (id TEXT PRIMARY KEY, opinion INTEGER NOT NULL, given_at INTEGER NOT NULL)
  STRICT, WITHOUT ROWID;

CREATE TABLE outside_sources (name TEXT PRIMARY KEY, is_on INTEGER NOT NULL, run INTEGER NOT NULL DEFAULT 1,
  cursor TEXT, read_at INTEGER, next_at INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0,
  problem BLOB) STRICT, WITHOUT ROWID;

CREATE TABLE releases (number INTEGER PRIMARY KEY AUTOINCREMENT, release_group TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL, artist TEXT NOT NULL, match_key INTEGER NOT NULL, match_artist INTEGER NOT NULL, date TEXT,
  source TEXT NOT NULL) STRICT;

CREATE INDEX releases_by_match ON releases (match_key);

CREATE TABLE review_days (day INTEGER PRIMARY KEY, requests INTEGER NOT NULL) STRICT;

CREATE TABLE review_settings (one INTEGER PRIMARY KEY CHECK (one = 1), endpoint TEXT, model TEXT,
  daily_cap INTEGER NOT NULL) STRICT;

CREATE TABLE reviews (key TEXT PRIMARY KEY, album TEXT NOT NULL, review TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE INDEX reviews_of_album ON reviews (album);

CREATE TABLE seen (album INTEGER PRIMARY KEY, seen_at INTEGER NOT NULL) STRICT;

CREATE TABLE shelf (one INTEGER PRIMARY KEY CHECK (one = 1), generation INTEGER NOT NULL, is_read INTEGER NOT NULL,
  run INTEGER NOT NULL, read_at INTEGER, needs_all INTEGER NOT NULL, revision INTEGER NOT NULL,
  taxonomy INTEGER NOT NULL, opinions_at INTEGER) STRICT;

CREATE TABLE sqlite_sequence(name,seq);

CREATE TABLE tiles (wall INTEGER NOT NULL, place INTEGER NOT NULL, album INTEGER NOT NULL, round INTEGER NOT NULL,
  signal TEXT NOT NULL, reason TEXT NOT NULL, evidence BLOB NOT NULL, PRIMARY KEY (wall, place))
  STRICT, WITHOUT ROWID;

CREATE INDEX tiles_of_album ON tiles (wall, album, place);

CREATE TABLE told_notes (album INTEGER PRIMARY KEY, told_at INTEGER NOT NULL) STRICT;

CREATE TABLE unwanted (id TEXT PRIMARY KEY, since INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE walls (number INTEGER PRIMARY KEY AUTOINCREMENT, genre TEXT NOT NULL, parts TEXT NOT NULL,
  seed INTEGER NOT NULL, dial INTEGER NOT NULL, first INTEGER NOT NULL, made_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL, is_drawn INTEGER NOT NULL, pages INTEGER NOT NULL, round INTEGER NOT NULL,
  is_round_over INTEGER NOT NULL, UNIQUE (genre, parts, seed, dial, first)) STRICT;

CREATE TABLE wished (id INTEGER PRIMARY KEY, artist TEXT NOT NULL, title TEXT NOT NULL, release_group TEXT,
  match_key INTEGER NOT NULL, added_at INTEGER NOT NULL) STRICT;

CREATE INDEX wished_by_match ON wished (match_key);

CREATE INDEX wished_by_release_group ON wished (release_group);

CREATE TABLE wishes (release_group TEXT PRIMARY KEY, title TEXT NOT NULL, artist TEXT NOT NULL,
  match_key INTEGER NOT NULL, match_artist INTEGER NOT NULL, date TEXT, source TEXT NOT NULL,
  wished_at INTEGER NOT NULL, is_handed INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

CREATE INDEX wishes_by_match ON wishes (match_key);
