import Messages
import Model
import Storage

@testable import lunara

extension BackupFixture {
  /// The answer of `granted()` for a plugin without permissions.
  static let nothing = " false  []"

  /// Opens the database of the resolver, with its tables of plugins and their permissions.
  func openPlugins() throws -> Database {
    try BackupFiles.make(home)
    return try Database(
      at: "\(home)/resolver.sqlite",
      migrations: [
        Migration(
          "resolver-1",
          """
          CREATE TABLE plugins (id TEXT PRIMARY KEY, consent BLOB, is_enabled INTEGER NOT NULL DEFAULT 0, place INTEGER,
            last_error BLOB, failed_at INTEGER) STRICT
          """,
          "CREATE TABLE tracks (id TEXT PRIMARY KEY) STRICT"),
        Migration("resolver-updates", "ALTER TABLE plugins ADD COLUMN origin TEXT"),
        Migration(
          "resolver-sharing-2",
          """
          CREATE TABLE sharing (plugin TEXT NOT NULL, subject TEXT NOT NULL, since INTEGER NOT NULL,
            PRIMARY KEY (plugin, subject)) STRICT, WITHOUT ROWID
          """),
      ])
  }

  /// Stores the permissions of the plugin `own`. `more` are members of the consent besides those that all have.
  func grant(
    _ more: String, version: String = "1.0.0", isEnabled: Bool = true, subjects: [String] = [], origin: String? = nil
  ) async throws {
    let database = try openPlugins()
    let consent = #"{"digest":"d1","version":"\#(version)",\#(more)}"#
    try await database.write { transaction in
      try transaction.execute(
        "INSERT OR REPLACE INTO plugins (id, consent, is_enabled, origin) VALUES ('own', ?, ?, ?)",
        Array(consent.utf8), isEnabled, origin)
      try transaction.execute("DELETE FROM sharing")
      for subject in subjects { try transaction.execute("INSERT INTO sharing VALUES ('own', ?, 1)", subject) }
    }
    await database.close()
  }

  /// Runs statements on the database of the resolver.
  func change(_ statements: String...) async throws { try await change(statements) }

  func change(_ statements: [String]) async throws {
    let database = try openPlugins()
    try await database.write { transaction in for statement in statements { try transaction.execute(statement) } }
    await database.close()
  }

  /// Returns the consent to the plugin `own`, whether it is switched on, its address of updates, and its subjects.
  func granted() throws -> String {
    try DatabaseSnapshot(of: "\(home)/resolver.sqlite").read { reader in
      let consent: [UInt8]? = try reader.value("SELECT consent FROM plugins WHERE id = 'own'")
      let isEnabled: Bool = try reader.value("SELECT is_enabled FROM plugins") ?? false
      let origin: String? = try reader.value("SELECT origin FROM plugins")
      let subjects: [String] = try reader.values("SELECT subject FROM sharing ORDER BY subject")
      return "\(String(decoding: consent ?? [], as: UTF8.self)) \(isEnabled) \(origin ?? "") \(subjects)"
    }
  }
}
