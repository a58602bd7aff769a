import Storage

/// The tables of the scrobbler, beside those of the bus.
enum Schema {
  static let migrations = [
    Migration(
      "scrobble-1",
      // What counted, in the order it counted. `item` is the queue item as JSON: all that a service is ever told stands
      // in it, so the library is never asked.
      """
      CREATE TABLE scrobbles (id INTEGER PRIMARY KEY AUTOINCREMENT, listen TEXT NOT NULL UNIQUE, room TEXT NOT NULL,
        item BLOB NOT NULL, started_at INTEGER NOT NULL, heard INTEGER NOT NULL, counted_at INTEGER NOT NULL) STRICT
      """,
      "CREATE INDEX scrobbles_by_start ON scrobbles (started_at)",
      """
      CREATE TABLE accounts (id INTEGER PRIMARY KEY, service TEXT NOT NULL, name TEXT NOT NULL,
        is_on INTEGER NOT NULL DEFAULT 1, UNIQUE (service, name)) STRICT
      """,
      // One row a listen and account, from the moment it counts until for ever: what was sent stays, so that nothing is
      // sent twice. `answer` is what the service said last, `next_try_at` when it is asked again.
      """
      CREATE TABLE deliveries (scrobble INTEGER NOT NULL REFERENCES scrobbles (id),
        account INTEGER NOT NULL REFERENCES accounts (id), state TEXT NOT NULL DEFAULT 'due'
          CHECK (state IN ('due', 'sending', 'sent', 'paused', 'parked')),
        attempts INTEGER NOT NULL DEFAULT 0, answer TEXT, next_try_at INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (scrobble, account)) STRICT, WITHOUT ROWID
      """,
      "CREATE INDEX deliveries_open ON deliveries (state, account, next_try_at) WHERE state <> 'sent'",
      // Reports of listens that this version cannot read are kept for one that can.
      """
      CREATE TABLE unreadable_facts (journal TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
        node TEXT NOT NULL, kind TEXT NOT NULL, payload BLOB NOT NULL, problem TEXT NOT NULL,
        PRIMARY KEY (journal, epoch, seq)) STRICT, WITHOUT ROWID
      """)
  ]
}
