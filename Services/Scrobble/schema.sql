CREATE TABLE accounts (id INTEGER PRIMARY KEY, service TEXT NOT NULL, name TEXT NOT NULL,
  is_on INTEGER NOT NULL DEFAULT 1, address TEXT NOT NULL DEFAULT '', is_from_settings INTEGER NOT NULL DEFAULT 0, pause TEXT, problem TEXT, not_before INTEGER NOT NULL DEFAULT 0, batch_size INTEGER, UNIQUE (service, name)) STRICT;

CREATE TABLE "deliveries" (scrobble INTEGER NOT NULL REFERENCES scrobbles (id),
  account INTEGER NOT NULL REFERENCES accounts (id), state TEXT NOT NULL DEFAULT 'due'
    CHECK (state IN ('due', 'sending', 'sent', 'parked')),
  started_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, answer TEXT,
  stands_back INTEGER NOT NULL DEFAULT 0, proofs INTEGER NOT NULL DEFAULT 0, may_have_arrived INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (scrobble, account)) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_open ON deliveries (account, state, stands_back, proofs, started_at, scrobble)
WHERE state <> 'sent';

CREATE TABLE filters (kind TEXT NOT NULL, folded TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, folded)) STRICT;

CREATE TABLE loves (account INTEGER NOT NULL REFERENCES accounts (id), track_id TEXT NOT NULL, track BLOB NOT NULL,
  wanted INTEGER NOT NULL, told INTEGER, failures INTEGER NOT NULL DEFAULT 0, answer TEXT,
  PRIMARY KEY (account, track_id)) STRICT, WITHOUT ROWID;

CREATE TABLE private_times (began_at INTEGER NOT NULL, ended_at INTEGER NOT NULL) STRICT;

CREATE TABLE restores (one INTEGER PRIMARY KEY CHECK (one = 1), settled_at INTEGER NOT NULL) STRICT;

CREATE TABLE scrobbles (id INTEGER PRIMARY KEY AUTOINCREMENT, listen TEXT NOT NULL UNIQUE, room TEXT NOT NULL,
  item BLOB NOT NULL, started_at INTEGER NOT NULL, heard INTEGER NOT NULL, counted_at INTEGER NOT NULL, withheld TEXT) STRICT;

CREATE INDEX scrobbles_by_start ON scrobbles (started_at);

CREATE TABLE sqlite_sequence(name,seq);

CREATE TABLE unreadable_facts (journal TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
  node TEXT NOT NULL, kind TEXT NOT NULL, payload BLOB NOT NULL, problem TEXT NOT NULL,
  PRIMARY KEY (journal, epoch, seq)) STRICT, WITHOUT ROWID;
