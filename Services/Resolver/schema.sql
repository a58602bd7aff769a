CREATE TABLE blocks (plugin TEXT NOT NULL, artist TEXT NOT NULL, title TEXT NOT NULL, source_id TEXT NOT NULL,
  PRIMARY KEY (plugin, artist, title, source_id)) STRICT, WITHOUT ROWID;

CREATE TABLE concerts (artist TEXT PRIMARY KEY, found BLOB NOT NULL, asked_at INTEGER NOT NULL) STRICT;

CREATE TABLE plugins (id TEXT PRIMARY KEY, consent BLOB, is_enabled INTEGER NOT NULL DEFAULT 0, place INTEGER,
  last_error BLOB, failed_at INTEGER, origin TEXT) STRICT;

CREATE TABLE preferences (track TEXT PRIMARY KEY, plugin TEXT NOT NULL) STRICT;

CREATE TABLE settings (plugin TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (plugin, name)) STRICT, WITHOUT ROWID;

CREATE TABLE sharing (plugin TEXT NOT NULL, subject TEXT NOT NULL, since INTEGER NOT NULL,
  PRIMARY KEY (plugin, subject)) STRICT, WITHOUT ROWID;

CREATE TABLE sources (track TEXT NOT NULL, plugin TEXT NOT NULL, source BLOB NOT NULL, own BLOB NOT NULL,
  page TEXT, is_stream INTEGER NOT NULL, PRIMARY KEY (track, plugin)) STRICT;

CREATE TABLE stored_values (plugin TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL,
  PRIMARY KEY (plugin, key)) STRICT;

CREATE TABLE told_plays (plugin TEXT NOT NULL, listen TEXT NOT NULL, play BLOB NOT NULL,
  started_at INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sending', 'told')),
  failures INTEGER NOT NULL DEFAULT 0, told_to TEXT NOT NULL DEFAULT '', PRIMARY KEY (plugin, listen)) STRICT;

CREATE INDEX told_plays_open ON told_plays (plugin, failures, started_at) WHERE state <> 'told';

CREATE TABLE told_problems (plugin TEXT PRIMARY KEY, error BLOB NOT NULL, is_refused INTEGER NOT NULL) STRICT;

CREATE TABLE tracks (id TEXT PRIMARY KEY, mark INTEGER NOT NULL, asked_at INTEGER NOT NULL) STRICT;

CREATE INDEX tracks_by_age ON tracks (asked_at);

CREATE TABLE unreadable_facts (journal TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
  node TEXT NOT NULL, kind TEXT NOT NULL, payload BLOB NOT NULL, problem TEXT NOT NULL,
  PRIMARY KEY (journal, epoch, seq)) STRICT, WITHOUT ROWID;

CREATE TABLE unwanted (artist_form TEXT NOT NULL, title_form TEXT NOT NULL, artist TEXT NOT NULL,
  title TEXT NOT NULL, PRIMARY KEY (artist_form, title_form)) STRICT, WITHOUT ROWID;
