import Storage

/// The columns and indexes by which long lists are read in their orders, the words of the search index, and later
/// columns.
enum ListSchema {
  static let migrations = [
    // `rating_order` and `year_order` put the best and the newest first, and those without a value last. The orders of
    // tracks read an index only, as those of albums do.
    Migration(
      "catalogue-orders-30",
      """
      ALTER TABLE albums ADD COLUMN rating_order INTEGER
        AS (CASE WHEN rating IS NULL THEN 0 ELSE -rating - 1 END) VIRTUAL
      """,
      """
      ALTER TABLE tracks ADD COLUMN rating_order INTEGER
        AS (CASE WHEN rating IS NULL THEN 0 ELSE -rating - 1 END) VIRTUAL
      """,
      "ALTER TABLE tracks ADD COLUMN year_order INTEGER AS (CASE WHEN year IS NULL THEN 0 ELSE -year END) VIRTUAL",
      "CREATE INDEX albums_by_title ON albums (title_sort, artist_sort, id) WHERE listed = 1",
      "CREATE INDEX albums_by_rating ON albums (rating_order, artist_sort, title_sort, id) WHERE listed = 1",
      "CREATE INDEX tracks_by_rating ON tracks (rating_order, title_sort, id) WHERE shelf IS NOT NULL",
      "DROP INDEX tracks_by_year",
      "CREATE INDEX tracks_by_year ON tracks (year_order, id) WHERE shelf IS NOT NULL",
      "CREATE INDEX tracks_with_plays ON tracks (shelf, shown, server_plays) WHERE server_plays > 0"),
    // The words of the search index, each with the number of its entries (sqlite.org/fts5.html, section 10).
    Migration("catalogue-search-terms-31", "CREATE VIRTUAL TABLE search_terms USING fts5vocab (search, row)"),
    // The rows that make up a shown album. Without it, the listens, files and marks of one album are found by
    // reading all albums.
    Migration("catalogue-members-32", "CREATE INDEX albums_of_shelf ON albums (shelf)"),
    // The listeners of tracks in the world, which only Plex gives. Its servers are read completely by their next
    // refresh, which fills the column.
    Migration(
      "catalogue-listeners-33", "ALTER TABLE tracks ADD COLUMN listeners INTEGER",
      "UPDATE sources SET mark = NULL WHERE kind = 'plex'"),
    HistoryImport.migration,
    // `missing` is the number of complete readings in a row that did not have a list of a server, up to 2: from then on
    // it is kept until a person agrees to its removal. `file` is the path of the list file of a deleted playlist.
    Migration(
      "catalogue-missing-lists-34", "ALTER TABLE playlists ADD COLUMN missing INTEGER NOT NULL DEFAULT 0",
      "ALTER TABLE collections ADD COLUMN missing INTEGER NOT NULL DEFAULT 0",
      "ALTER TABLE deleted_playlists ADD COLUMN file BLOB",
      """
      CREATE TABLE deleted_collections (id INTEGER PRIMARY KEY, source TEXT NOT NULL, native TEXT NOT NULL,
        title TEXT NOT NULL, deleted_at INTEGER NOT NULL)
      """),
    // List files are read again, as earlier versions also read those that lead out of the music folders.
    Migration(
      "catalogue-list-files-35", "UPDATE list_files SET inode = 0",
      "UPDATE folders SET digest = 0 WHERE id IN (SELECT folder FROM list_files)"),
    // The revision of the playlists and collections, which changes with each; `generation` is that of the music.
    Migration(
      "catalogue-lists-revision-36", "ALTER TABLE catalogue ADD COLUMN lists_revision INTEGER NOT NULL DEFAULT 0"),
    DescribedListenTracks.migration,
  ]
}
