import Storage

extension Catalogue {
  /// The migrations after those of `firstMigrations`, in the order in which they are applied.
  static let laterMigrations = [
    // Files and folders that are not taken, by folder: `rule` is 0 for files that are no music, 1 for hidden ones, 2
    // for those of systems and 3 for those that the ignore file `file` leaves out; `names` has the first names, with a
    // slash between them. `files.guessed` has a bit for each `Library.GuessedField` of a track, in the order of the
    // type; NULL where nothing was guessed.
    Migration(
      "catalogue-left-out-18",
      """
      CREATE TABLE left_out (folder BLOB NOT NULL, rule INTEGER NOT NULL, file BLOB NOT NULL, count INTEGER NOT NULL,
        names BLOB NOT NULL, PRIMARY KEY (folder, rule, file)) WITHOUT ROWID
      """,
      "ALTER TABLE files ADD COLUMN guessed INTEGER"),
    // Albums are found by the composers of their tracks (2), too.
    Migration(
      "catalogue-composed-albums-18",
      """
      INSERT OR IGNORE INTO search_pending
      SELECT DISTINCT 2 << 56 | t.album FROM credits c JOIN tracks t ON t.id = c.track WHERE c.role = 2
      """),
    // Counts of plays that tags gave, by the hash of `TrackIdentity`, and what the last import of each kind changed:
    // `kind` is 1 for ratings and 2 for counts of plays, `former` the value before, NULL for none, and `value` the one
    // that it set.
    Migration(
      "catalogue-imports-18",
      """
      CREATE TABLE imported_plays (identity INTEGER PRIMARY KEY, plays INTEGER NOT NULL, imported_at INTEGER NOT NULL)
      """,
      """
      CREATE TABLE import_changes (kind INTEGER NOT NULL, track INTEGER NOT NULL, identity INTEGER NOT NULL,
        former INTEGER, value INTEGER NOT NULL, imported_at INTEGER NOT NULL, PRIMARY KEY (kind, track)) WITHOUT ROWID
      """),
    // The names of the LRC files beside music of the same name, without their endings, each between slashes. Folders
    // that have some get another digest, so that the next scan visits them.
    Migration("catalogue-lyrics-files-19", "ALTER TABLE folders ADD COLUMN lyrics BLOB NOT NULL DEFAULT x''"),
  ]
}
