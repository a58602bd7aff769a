import FoundationEssentials
import Storage

/// Databases as released versions left them, which are kept as SQL: a statement a line, tables and some rows.
public enum OldDatabase {
  /// The versions that there are.
  public static let versions = ["0.1"]

  /// Makes the database of a service as a version left it.
  public static func make(_ service: String, of version: String, at path: String) async throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Databases/\(version)")
    let text = String(decoding: try Data(contentsOf: folder.appending(path: "\(service).sql")), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    let database = try Database(at: path, migrations: [])
    try await database.write { transaction in
      try transaction.execute("PRAGMA defer_foreign_keys = ON")
      for line in lines { try transaction.execute(line) }
    }
    await database.close()
  }
}
