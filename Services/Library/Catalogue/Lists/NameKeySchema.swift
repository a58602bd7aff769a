import Storage
import Text

/// The keys by which lists are sorted, in the natural order of their numbers.
enum NameKeySchema {
  /// The function `natural_key`, which makes a key of `NaturalOrder`.
  static let natural = SQLFunction("natural_key", .text { NaturalOrder.append($0, to: &$1) })

  /// The columns with keys of `SortKey`.
  private static let sorted = [
    ("artists", "sort"), ("albums", "title_sort"), ("albums", "artist_sort"), ("tracks", "title_sort"),
    ("tracks", "artist_sort"), ("works", "sort"), ("collections", "title_sort"), ("playlists", "title_sort"),
    ("deleted_playlists", "title_sort"), ("themes", "title_sort"), ("listen_tracks", "title_key"),
  ]

  /// Changes the keys of earlier versions, and adds those of folders: `sort` is the key of the path, by which folders
  /// are listed and played.
  static let migration = Migration(
    "name-keys-1",
    running: sorted.map { table, column in
      "UPDATE \(table) SET \(column) = natural_key(\(column)) WHERE \(column) GLOB '*[0-9]*'"
    } + [
      // A digest of the file's time of change, and 0 until it is read.
      "ALTER TABLE files ADD COLUMN changed INTEGER NOT NULL DEFAULT 0",
      "ALTER TABLE folders ADD COLUMN sort BLOB NOT NULL DEFAULT x''",
      "UPDATE folders SET sort = CAST(natural_key(path) AS BLOB)",
      "CREATE INDEX folders_in_order ON folders (sort)",
    ], with: [natural])
}
