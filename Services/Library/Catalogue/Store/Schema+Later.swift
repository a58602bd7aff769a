package import ServiceKit
import Storage

extension Catalogue {
  /// The migrations after those of `firstMigrations`, in the order in which they are applied.
  static let laterMigrations = [
    // Files and folders that are not taken, by folder: `rule` is 0 for files that are no music, 1 for hidden ones, 2
    // for those of systems and 3 for those that the ignore file `file` leaves out; `names` has the first names, with a
    // slash between them. `files.guessed` has a bit for each `Library.GuessedField` of a track, in the order of the
    // type; NULL if nothing was guessed.
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
    // Playlists of the library itself beside those of sources, whose entries are in one table: `place` gives the order,
    // with gaps for later entries; `native` is a server's own id of the track; `identity` and `described` (a
    // `DescribedTrack` as JSON) are those of entries of the library's own playlists. `deleted_playlists` keeps deleted
    // playlists, whose entries stay, and `playlist_undo` has a `PlaylistUndoStep` (JSON) for each of the last
    // revisions.
    Migration(
      "catalogue-playlists-19",
      "ALTER TABLE playlists ADD COLUMN summary TEXT",
      "ALTER TABLE playlists ADD COLUMN revision INTEGER NOT NULL DEFAULT 0",
      "ALTER TABLE playlists ADD COLUMN created_at INTEGER", "ALTER TABLE playlists ADD COLUMN updated_at INTEGER",
      """
      CREATE TABLE deleted_playlists (id INTEGER PRIMARY KEY, title TEXT NOT NULL, title_sort TEXT NOT NULL,
        summary TEXT, revision INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
        deleted_at INTEGER NOT NULL)
      """,
      """
      CREATE TABLE playlist_entries (id INTEGER PRIMARY KEY AUTOINCREMENT, playlist INTEGER NOT NULL,
        place INTEGER NOT NULL, native TEXT, track INTEGER, identity INTEGER, described TEXT, added_at INTEGER)
      """,
      "CREATE INDEX playlist_entries_by_place ON playlist_entries (playlist, place)",
      "CREATE INDEX playlist_entries_by_identity ON playlist_entries (identity) WHERE identity IS NOT NULL",
      """
      INSERT INTO playlist_entries (playlist, place, native, track)
      SELECT playlist, (position + 1) << 20, native, track FROM playlist_items ORDER BY playlist, position
      """,
      "DROP TABLE playlist_items",
      """
      CREATE TABLE playlist_undo (playlist INTEGER NOT NULL, revision INTEGER NOT NULL, body TEXT NOT NULL,
        PRIMARY KEY (playlist, revision)) WITHOUT ROWID
      """,
      // They are found by their titles, too.
      "INSERT OR IGNORE INTO search_pending SELECT 5 << 56 | id FROM playlists"),
    // The list files in music folders, each with its playlist, NULL if it could never be read. `problem` is a
    // `LunaraError` (JSON). An entry whose `added_at` is NULL was not looked for yet.
    Migration(
      "catalogue-list-files-20",
      """
      CREATE TABLE list_files (id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, name BLOB NOT NULL,
        inode INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL, playlist INTEGER, problem TEXT,
        UNIQUE (folder, name))
      """,
      "CREATE INDEX list_files_of_playlist ON list_files (playlist)",
      """
      CREATE INDEX playlist_entries_unlinked ON playlist_entries (playlist, place)
      WHERE track IS NULL AND described IS NOT NULL
      """),
    // Changes of servers' playlists that must be sent: `base` has the server's ids of the tracks (JSON), `title` and
    // `summary` the texts, as both sides last had them; `sent` what was sent last, and `sent_from` what was here then.
    // `note` is a sentence for people about the last change.
    Migration(
      "catalogue-playlist-outbox-21", "ALTER TABLE playlists ADD COLUMN note TEXT",
      "ALTER TABLE deleted_playlists ADD COLUMN source TEXT NOT NULL DEFAULT 'lunara'",
      "ALTER TABLE deleted_playlists ADD COLUMN native TEXT",
      """
      CREATE TABLE playlist_outbox (playlist INTEGER PRIMARY KEY, source TEXT NOT NULL, native TEXT NOT NULL,
        base TEXT NOT NULL, title TEXT NOT NULL, summary TEXT, failures INTEGER NOT NULL DEFAULT 0, problem TEXT,
        sent TEXT, sent_from TEXT)
      """),
    // The rules of smart playlists, as JSON in the form of `.nsp` files; NULL for others.
    Migration(
      "catalogue-rules-22", "ALTER TABLE playlists ADD COLUMN rules TEXT",
      "ALTER TABLE deleted_playlists ADD COLUMN rules TEXT"),
    // The providers with which playlists and wishes are kept in step, each with a `ProviderState` (JSON), and the
    // playlists that they have: `state` is a `ListState` (JSON) of the last common contents, `title` and `summary` the
    // texts that both sides had, `revision` the playlist's own at that time. `provider_tracks` has the providers' ids
    // of tracks that were looked up, NULL for none. Wishes and ledgers have a `SyncItem` and an `ItemLedger` (JSON);
    // `is_here` marks a wish that is in the library.
    Migration(
      "catalogue-providers-23",
      """
      CREATE TABLE providers (name TEXT PRIMARY KEY, kind TEXT NOT NULL, address TEXT, account TEXT,
        linked_at INTEGER NOT NULL, state TEXT NOT NULL) WITHOUT ROWID
      """,
      """
      CREATE TABLE provider_lists (provider TEXT NOT NULL, playlist INTEGER NOT NULL, native TEXT NOT NULL,
        state TEXT NOT NULL, snapshot TEXT, read_at INTEGER, revision INTEGER NOT NULL, is_unfinished INTEGER NOT NULL,
        title TEXT NOT NULL, summary TEXT NOT NULL, PRIMARY KEY (provider, playlist)) WITHOUT ROWID
      """,
      """
      CREATE TABLE provider_tracks (provider TEXT NOT NULL, key TEXT NOT NULL, native TEXT, asked_at INTEGER NOT NULL,
        PRIMARY KEY (provider, key)) WITHOUT ROWID
      """,
      "CREATE TABLE provider_reports (id INTEGER PRIMARY KEY, provider TEXT NOT NULL, report TEXT NOT NULL)",
      "CREATE INDEX provider_reports_by_provider ON provider_reports (provider)",
      """
      CREATE TABLE wishes (id INTEGER PRIMARY KEY AUTOINCREMENT, part TEXT NOT NULL, item TEXT NOT NULL,
        key TEXT NOT NULL, added_at INTEGER NOT NULL, is_here INTEGER NOT NULL DEFAULT 0, UNIQUE (part, key))
      """,
      "CREATE TABLE sync_ledgers (part TEXT PRIMARY KEY, ledger TEXT NOT NULL) WITHOUT ROWID"),
    // The pictures that people gave to playlists; `playlists.art` has the present one, as `c` and its number.
    Migration(
      "catalogue-playlist-covers-24", "ALTER TABLE deleted_playlists ADD COLUMN art TEXT",
      "CREATE TABLE playlist_covers (id INTEGER PRIMARY KEY AUTOINCREMENT, playlist INTEGER NOT NULL, picture BLOB NOT NULL)",
      "CREATE INDEX playlist_covers_by_playlist ON playlist_covers (playlist)"),
    // `is_shareable` is 1 for a counted listen that may be named to others, 0 for one that may not, and NULL for one of
    // which it is not known, or that did not count.
    Migration("catalogue-withheld-listens-25", "ALTER TABLE listens ADD COLUMN is_shareable INTEGER"),
    // `SubjectSchema` has replaced `opinions`; the repair of an earlier database reads it. `opinion_outbox` has what
    // services are to be told, by the subject of the opinion; `problem` is a `LunaraError` (JSON).
    Migration(
      "catalogue-opinions-26", "ALTER TABLE catalogue ADD COLUMN opinions_revision INTEGER NOT NULL DEFAULT 0",
      """
      CREATE TABLE opinions (album INTEGER PRIMARY KEY, shown INTEGER NOT NULL, stands INTEGER NOT NULL,
        opinion TEXT NOT NULL, given_at INTEGER NOT NULL, id TEXT NOT NULL, merge_key TEXT NOT NULL,
        place INTEGER NOT NULL, title TEXT NOT NULL, artist TEXT NOT NULL, year INTEGER, release_group TEXT)
      """,
      "CREATE INDEX opinions_by_shown ON opinions (shown)", "CREATE INDEX opinions_by_key ON opinions (merge_key)",
      "CREATE INDEX opinions_by_time ON opinions (given_at, album) WHERE stands = 1",
      """
      CREATE TABLE opinion_outbox (id INTEGER PRIMARY KEY AUTOINCREMENT, opinion INTEGER NOT NULL,
        service TEXT NOT NULL, source TEXT NOT NULL, album INTEGER NOT NULL, failures INTEGER NOT NULL DEFAULT 0,
        is_refused INTEGER NOT NULL DEFAULT 0, problem TEXT, tried_at INTEGER, UNIQUE (service, source, album))
      """,
      "CREATE INDEX opinion_outbox_by_opinion ON opinion_outbox (opinion)",
      "CREATE TABLE opinion_sharing (service TEXT PRIMARY KEY, is_on INTEGER NOT NULL) WITHOUT ROWID"),
    // Themes of people: `rules` as those of smart playlists, NULL for albums that are picked by hand, `cover` the id of
    // an album, `first` and `second` colours as `#rrggbb`. A picked album has its names for when it is not here.
    Migration(
      "catalogue-themes-27",
      """
      CREATE TABLE themes (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, title_sort TEXT NOT NULL,
        text TEXT, rules TEXT, first TEXT NOT NULL, second TEXT NOT NULL, texture TEXT NOT NULL, cover TEXT,
        revision INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)
      """,
      """
      CREATE TABLE theme_albums (theme INTEGER NOT NULL, place INTEGER NOT NULL, album INTEGER NOT NULL,
        name_key TEXT NOT NULL, artist TEXT NOT NULL, title TEXT NOT NULL, PRIMARY KEY (theme, place)) WITHOUT ROWID
      """),
    // The MusicBrainz id of a wished album's release group, in small letters; NULL if unknown.
    Migration("catalogue-wished-releases-28", "ALTER TABLE wishes ADD COLUMN release_group TEXT"),
    // The albums whose opinion was taken back while they were not here, so that it can be given back.
    Migration(
      "catalogue-former-opinions-29",
      """
      CREATE TABLE former_opinions (id TEXT PRIMARY KEY, shown INTEGER NOT NULL, merge_key TEXT NOT NULL,
        place INTEGER NOT NULL, title TEXT NOT NULL, artist TEXT NOT NULL, year INTEGER, release_group TEXT,
        taken_back_at INTEGER NOT NULL) WITHOUT ROWID
      """),
    // `listed` has the ids of the playlists (JSON) that the server had before it was to make this one; NULL before.
    Migration("catalogue-made-playlists-30", "ALTER TABLE playlist_outbox ADD COLUMN listed TEXT"),
    // The indexes that the first scan has left out, as `DeferredIndexes` explains, with the statements that make them.
    Migration(
      "catalogue-deferred-indexes-31",
      "CREATE TABLE deferred_indexes (name TEXT PRIMARY KEY, sql TEXT NOT NULL) WITHOUT ROWID"),
    // The themes that were deleted in the last 30 days. Their albums stay in `theme_picks`, so that they follow the
    // catalogue.
    Migration(
      "catalogue-deleted-themes-32",
      """
      CREATE TABLE deleted_themes (id INTEGER PRIMARY KEY, title TEXT NOT NULL, title_sort TEXT NOT NULL, text TEXT,
        rules TEXT, first TEXT NOT NULL, second TEXT NOT NULL, texture TEXT NOT NULL, cover TEXT,
        revision INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
        deleted_at INTEGER NOT NULL)
      """),
    // The symbolic links to music that has another path: `target` is the folder to which a link leads, or that of the
    // file `file`, NULL for a folder. `sort` is the key of the link's path, or of its folder for a link to a file.
    Migration(
      "catalogue-music-links-33",
      """
      CREATE TABLE music_links (folder BLOB NOT NULL, name BLOB NOT NULL, sort BLOB NOT NULL, target BLOB NOT NULL,
        file BLOB, PRIMARY KEY (folder, name)) WITHOUT ROWID
      """,
      "CREATE INDEX music_links_in_order ON music_links (sort)"),
    // Palettes are computed as the page computes them. They are made with thumbnails, so all covers are looked at anew.
    Migration(
      "catalogue-palettes-34", "DELETE FROM palettes", "DELETE FROM pictures WHERE problem IS NULL"),
  ]
}

extension ServiceSchema {
  /// The tables of the library's database.
  package static let library = ServiceSchema(
    Catalogue.migrations, saved: Catalogue.savedTables, repairs: Catalogue.repairs)
}
