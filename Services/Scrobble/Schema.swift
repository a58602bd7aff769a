import ServiceKit
import Storage

/// The tables of the scrobbler, except those of the bus.
enum Schema {
  static let migrations = [
    Migration(
      "scrobble-1",
      // The listens that counted, in the order in which they counted. `item` is the queue item as JSON: it contains all
      // data to send, so the library is never asked.
      """
      CREATE TABLE scrobbles (id INTEGER PRIMARY KEY AUTOINCREMENT, listen TEXT NOT NULL UNIQUE, room TEXT NOT NULL,
        item BLOB NOT NULL, started_at INTEGER NOT NULL, heard INTEGER NOT NULL, counted_at INTEGER NOT NULL) STRICT
      """,
      "CREATE INDEX scrobbles_by_start ON scrobbles (started_at)",
      """
      CREATE TABLE accounts (id INTEGER PRIMARY KEY, service TEXT NOT NULL, name TEXT NOT NULL,
        is_on INTEGER NOT NULL DEFAULT 1, UNIQUE (service, name)) STRICT
      """,
      // One row for each listen and account. Rows of sent deliveries stay for ever, so that nothing is sent twice.
      // `answer` is the service's last answer, `next_try_at` the time of the next request.
      """
      CREATE TABLE deliveries (scrobble INTEGER NOT NULL REFERENCES scrobbles (id),
        account INTEGER NOT NULL REFERENCES accounts (id), state TEXT NOT NULL DEFAULT 'due'
          CHECK (state IN ('due', 'sending', 'sent', 'paused', 'parked')),
        attempts INTEGER NOT NULL DEFAULT 0, answer TEXT, next_try_at INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (scrobble, account)) STRICT, WITHOUT ROWID
      """,
      "CREATE INDEX deliveries_open ON deliveries (state, account, next_try_at) WHERE state <> 'sent'",
      // Reports of listens that this version cannot read are kept for a version that can.
      """
      CREATE TABLE unreadable_facts (journal TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
        node TEXT NOT NULL, kind TEXT NOT NULL, payload BLOB NOT NULL, problem TEXT NOT NULL,
        PRIMARY KEY (journal, epoch, seq)) STRICT, WITHOUT ROWID
      """), delivery, RestoreReconciliation.migration,
    // `batch_size` is the number of listens in one request if the service refuses more; NULL if it is not known to.
    Migration("scrobble-4", "ALTER TABLE accounts ADD COLUMN batch_size INTEGER"),
    // `may_have_arrived` is 1 for a delivery that was sent without a clear answer. Earlier attempts count as unclear.
    Migration(
      "scrobble-5", "ALTER TABLE deliveries ADD COLUMN may_have_arrived INTEGER NOT NULL DEFAULT 0",
      "UPDATE deliveries SET may_have_arrived = 1 WHERE attempts > 0 AND state <> 'sent'"),
  ]

  /// All tables; they are saved from a damaged database.
  static let saved = [
    "scrobbles", "accounts", "deliveries", "filters", "private_times", "loves", "unreadable_facts", "restores",
  ]

  /// Pauses are stored with the account, so that a pause does not write a row for each delivery.
  private static let delivery = Migration(
    "scrobble-2",
    // `pause` is the reason why nothing is sent until a person acts, `problem` the last reason why the service
    // accepted nothing, `not_before` the time before which nothing is sent.
    "ALTER TABLE accounts ADD COLUMN address TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE accounts ADD COLUMN is_from_settings INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE accounts ADD COLUMN pause TEXT",
    "ALTER TABLE accounts ADD COLUMN problem TEXT",
    "ALTER TABLE accounts ADD COLUMN not_before INTEGER NOT NULL DEFAULT 0",
    // `stands_back` is 1 for an item that failed on its own after the service last accepted an item, `proofs` the
    // number of times that the service then accepted another item. `started_at` is a copy of the listen's start, so
    // that the index below finds the oldest.
    """
    CREATE TABLE deliveries_2 (scrobble INTEGER NOT NULL REFERENCES scrobbles (id),
      account INTEGER NOT NULL REFERENCES accounts (id), state TEXT NOT NULL DEFAULT 'due'
        CHECK (state IN ('due', 'sending', 'sent', 'parked')),
      started_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, answer TEXT,
      stands_back INTEGER NOT NULL DEFAULT 0, proofs INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (scrobble, account)) STRICT, WITHOUT ROWID
    """,
    """
    INSERT INTO deliveries_2 (scrobble, account, state, started_at, attempts, answer)
    SELECT d.scrobble, d.account, CASE d.state WHEN 'paused' THEN 'due' ELSE d.state END, s.started_at, d.attempts,
      d.answer FROM deliveries d JOIN scrobbles s ON s.id = d.scrobble
    """,
    "DROP TABLE deliveries",
    "ALTER TABLE deliveries_2 RENAME TO deliveries",
    """
    CREATE INDEX deliveries_open ON deliveries (account, state, stands_back, proofs, started_at, scrobble)
    WHERE state <> 'sent'
    """,
    // The reason why a counted listen is not sent: `private`, or the filter that matches. NULL if it is sent.
    "ALTER TABLE scrobbles ADD COLUMN withheld TEXT",
    "CREATE TABLE filters (kind TEXT NOT NULL, folded TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, folded)) STRICT",
    // The times in which no listen is sent. They are kept, as listens may be reported late.
    "CREATE TABLE private_times (began_at INTEGER NOT NULL, ended_at INTEGER NOT NULL) STRICT",
    // The loved tracks, one row for each account and track: `wanted` is a person's wish, `told` the last one that was
    // sent, NULL if none was. `track` is the track as JSON.
    """
    CREATE TABLE loves (account INTEGER NOT NULL REFERENCES accounts (id), track_id TEXT NOT NULL, track BLOB NOT NULL,
      wanted INTEGER NOT NULL, told INTEGER, failures INTEGER NOT NULL DEFAULT 0, answer TEXT,
      PRIMARY KEY (account, track_id)) STRICT, WITHOUT ROWID
    """)
}

extension ServiceSchema {
  static let scrobble = ServiceSchema(Schema.migrations, saved: Schema.saved)
}
