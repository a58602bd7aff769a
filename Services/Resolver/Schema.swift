import ServiceKit
import Storage

/// The tables of the resolver. What a person gave or decided is saved from a damaged database; what plugins found can
/// be found again.
enum ResolverSchema {
  static let migrations = [
    Migration(
      "resolver-1",
      // `consent` and `last_error` are JSON. `place` orders the plugins that find music, and is NULL for one that never
      // was switched on.
      """
      CREATE TABLE plugins (id TEXT PRIMARY KEY, consent BLOB, is_enabled INTEGER NOT NULL DEFAULT 0, place INTEGER,
        last_error BLOB, failed_at INTEGER) STRICT
      """,
      // The settings that are no secrets; those are in the credential store.
      """
      CREATE TABLE settings (plugin TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (plugin, name)) STRICT, WITHOUT ROWID
      """,
      // The values that plugins store, as JSON.
      """
      CREATE TABLE stored_values (plugin TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL,
        PRIMARY KEY (plugin, key)) STRICT
      """,
      // The tracks for which plugins were asked, by the native part of their ids. `mark` is that of the plugins that
      // were asked and of their order.
      "CREATE TABLE tracks (id TEXT PRIMARY KEY, mark INTEGER NOT NULL, asked_at INTEGER NOT NULL) STRICT",
      // The finds of plugins: the source and the plugin's own description, both JSON, and the address of its page. An
      // answer without a track has no row.
      """
      CREATE TABLE sources (track TEXT NOT NULL, plugin TEXT NOT NULL, source BLOB NOT NULL, own BLOB NOT NULL,
        page TEXT, is_stream INTEGER NOT NULL, PRIMARY KEY (track, plugin)) STRICT
      """,
      "CREATE INDEX tracks_by_age ON tracks (asked_at)",
      """
      CREATE TABLE blocks (plugin TEXT NOT NULL, artist TEXT NOT NULL, title TEXT NOT NULL, source_id TEXT NOT NULL,
        PRIMARY KEY (plugin, artist, title, source_id)) STRICT, WITHOUT ROWID
      """,
      // The concerts of artists, as JSON.
      "CREATE TABLE concerts (artist TEXT PRIMARY KEY, found BLOB NOT NULL, asked_at INTEGER NOT NULL) STRICT",
      "CREATE TABLE preferences (track TEXT PRIMARY KEY, plugin TEXT NOT NULL) STRICT"),
    Migration(
      "resolver-updates",
      // The https address of the plugin's file, or of the list that names it; NULL for a file that was sent.
      "ALTER TABLE plugins ADD COLUMN origin TEXT"),
    SharingStore.migration,
  ]

  static let saved = ["plugins", "settings", "stored_values", "blocks", "preferences"] + SharingStore.saved
}

extension ServiceSchema {
  static let resolver = ServiceSchema(ResolverSchema.migrations, saved: ResolverSchema.saved)
}
