import Foundation
public import ServiceKit
import Storage

/// The `schema.sql` of a service: its tables, indexes and triggers as all migrations together make them, for people to
/// read beside the migrations.
public enum GoldenSchema {
  /// Returns the file's text and what a new database has; they are equal while the file is up to date. Where
  /// `LUNARA_WRITE_SCHEMAS` is set, writes the file.
  ///
  /// - Parameters:
  ///   - schema: the service's tables.
  ///   - path: the file, relative to the source tree.
  public static func texts(of schema: ServiceSchema, at path: String) async throws -> (written: String, made: String) {
    let folder = TemporaryDirectory()
    let database = try Database(at: "\(folder.path)/new.sqlite", migrations: schema.migrations)
    // The tables that FTS5 makes for its own use are those of SQLite, not ours.
    let statements = try await database.read { transaction in
      try transaction.rows(
        """
        SELECT sql FROM sqlite_schema s WHERE sql IS NOT NULL AND name <> 'migration' AND NOT EXISTS (
          SELECT 1 FROM sqlite_schema v WHERE v.sql LIKE 'CREATE VIRTUAL%' AND s.name LIKE v.name || '\\_%' ESCAPE '\\')
        ORDER BY tbl_name, type <> 'table', name
        """
      ) { try $0.value(0) as String }
    }
    await database.close()
    let made = statements.map { $0 + ";\n" }.joined(separator: "\n")
    let file = URL(filePath: "\(root)/\(path)")
    if ProcessInfo.processInfo.environment["LUNARA_WRITE_SCHEMAS"] != nil {
      try made.write(to: file, atomically: true, encoding: .utf8)
    }
    return (try String(contentsOf: file, encoding: .utf8), made)
  }
}
