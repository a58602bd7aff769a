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
    // The names of the LRC files beside music of the same name, without their endings, each between slashes. Folders
    // that have some get another digest, so that the next scan visits them.
    Migration("catalogue-lyrics-files-19", "ALTER TABLE folders ADD COLUMN lyrics BLOB NOT NULL DEFAULT x''"),
  ]
}
