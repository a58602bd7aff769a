import FoundationEssentials
public import Storage

/// Databases of released versions, which are stored as SQL: one statement a line, tables and some rows.
public enum OldDatabase {
  /// The stored versions. `0.1` is a home from before the release 0.1.0.
  public static let versions = ["0.1", "0.1.0"]

  /// The newest stored version, whose rows a later version keeps unchanged.
  public static let newest = "0.1.0"

  /// The rows of a database, each as a text of SQL values.
  public struct Contents: Sendable {
    fileprivate var columns: [String: [String]] = [:]
    fileprivate var rows: [String: [String]] = [:]

    /// The number of rows in all tables.
    public var count: Int { rows.values.reduce(0) { $0 + $1.count } }
  }

  /// Makes the database of a service as a version left it, and returns its rows.
  ///
  /// - Parameters:
  ///   - service: the name of the service.
  ///   - version: one of `versions`.
  ///   - path: the file to make.
  ///   - dropped: the columns that a later version has dropped, which are not among the values of the rows.
  @discardableResult
  public static func make(
    _ service: String, of version: String, at path: String, leavingOut dropped: Set<String> = []
  ) async throws -> Contents {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Databases/\(version)")
    let text = String(decoding: try Data(contentsOf: folder.appending(path: "\(service).sql")), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    let database = try Database(at: path, migrations: [])
    let contents = try await database.write { transaction in
      try transaction.execute("PRAGMA defer_foreign_keys = ON")
      for line in lines { try transaction.execute(line) }
      return try Self.contents(transaction, leavingOut: dropped)
    }
    await database.close()
    return contents
  }

  /// Returns the rows that a database no longer has, each with its table. Rows that a journal adds at each start are
  /// left out.
  ///
  /// - Parameter tables: the tables whose rows a later version changes on purpose.
  public static func lost(
    of before: Contents, in database: Database, except tables: Set<String> = []
  ) async throws -> [String] {
    try await database.read { transaction in
      var lost: [String] = []
      for (table, columns) in before.columns.sorted(by: { $0.key < $1.key }) where !tables.contains(table) {
        var left = try rows(of: table, columns, transaction)
        for row in before.rows[table] ?? [] {
          if let index = left.firstIndex(of: row) { left.remove(at: index) } else { lost.append("\(table): \(row)") }
        }
      }
      return lost
    }
  }

  private static func contents(_ transaction: ReadTransaction, leavingOut dropped: Set<String>) throws -> Contents {
    var contents = Contents()
    let tables = try transaction.rows(
      """
      SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'search%'
        AND name NOT IN ('migration', 'bus_epochs', 'bus_answer_clock')
      """
    ) { try $0.value(0) as String }
    for table in tables {
      let columns = try transaction.rows("SELECT name FROM pragma_table_info(?)", table) { try $0.value(0) as String }
        .filter { !dropped.contains($0) }
      contents.columns[table] = columns
      contents.rows[table] = try rows(of: table, columns, transaction)
    }
    return contents
  }

  private static func rows(
    of table: String, _ columns: [String], _ transaction: ReadTransaction
  ) throws -> [String] {
    let texts = columns.map { "'\($0) ' || quote(\"\($0)\")" }.joined(separator: " || ', ' || ")
    return try transaction.rows("SELECT \(texts) FROM \"\(table)\"") { try $0.value(0) as String }
  }
}
