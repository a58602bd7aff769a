import Model

/// One step in the history of a database's tables, run once and recorded by its name.
public struct Migration: Sendable {
  /// Its name, which the database records.
  public let name: String
  let statements: [String]
  let functions: [SQLFunction]

  /// Creates a step from a unique name, which is never used again, and the SQL statements that it runs in order.
  public init(_ name: String, _ statements: String...) {
    self.init(name, running: statements)
  }

  /// Creates a step from a unique name and a list of SQL statements, which may call some functions.
  public init(_ name: String, running statements: [String], with functions: [SQLFunction] = []) {
    self.name = name
    self.statements = statements
    self.functions = functions
  }
}

extension DatabaseConnection {
  /// Brings the tables up to date: runs, in one transaction, the migrations that the database has not recorded yet.
  func migrate(_ migrations: [Migration]) throws {
    let known = Set(migrations.map(\.name))
    guard known.count == migrations.count else {
      throw StorageError.misuse("Two migrations have one name", path, nil)
    }
    // Foreign keys are off while tables are rebuilt (sqlite.org/lang_altertable.html#otheralter), and all checked
    // before the commit.
    try execute("PRAGMA foreign_keys = OFF")
    _ = try write(.process) { transaction in
      try transaction.execute(
        "CREATE TABLE IF NOT EXISTS migration (position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")
      let recorded: [String] = try transaction.rows("SELECT name FROM migration ORDER BY position") { try $0.value(0) }
      let unknown = recorded.filter { !known.contains($0) }
      guard unknown.isEmpty else { throw StorageError.newerSchema(path, unknown) }
      let pending = migrations.filter { !recorded.contains($0.name) }
      for migration in pending {
        try transaction.define(migration.functions)
        for statement in migration.statements { try transaction.execute(statement) }
        try transaction.execute("INSERT INTO migration (name) VALUES (?)", migration.name)
      }
      guard !pending.isEmpty else { return }
      let orphan: String? = try transaction.row("PRAGMA foreign_key_check") { try $0.value(0) }
      if let orphan { throw StorageError.misuse("A migration left rows of \(orphan) without their parents", path, nil) }
    }
    try execute("PRAGMA foreign_keys = ON")
    trim()
  }
}
