import Model

/// A view of the database that does not change while it lasts. Valid only while the closure that got it runs.
public class ReadTransaction {
  let connection: Connection
  private var isOver = false

  init(_ connection: Connection) { self.connection = connection }

  /// All rows that a statement gives, each made into a value.
  @inlinable public func rows<T>(
    _ sql: String, _ values: (any SQLBindable)?..., as make: (borrowing Row) throws -> T
  ) throws -> [T] {
    let statement = try begin(sql, values)
    defer { finish(statement) }
    var rows: [T] = []
    while try statement.step() { rows.append(try make(Row(statement, path: path))) }
    return rows
  }

  /// The first row that a statement gives, made into a value; nil where it gives none.
  @inlinable public func row<T>(
    _ sql: String, _ values: (any SQLBindable)?..., as make: (borrowing Row) throws -> T
  ) throws -> T? {
    let statement = try begin(sql, values)
    defer { finish(statement) }
    return try statement.step() ? try make(Row(statement, path: path)) : nil
  }

  @usableFromInline var path: String { connection.path }

  /// Takes a statement and gives it its values; `finish` has to follow.
  @usableFromInline func begin(_ sql: String, _ values: [(any SQLBindable)?]) throws -> Statement {
    try begin(sql, values.map { $0?.sqlValue ?? .null })
  }

  private func begin(_ sql: String, _ values: [SQLValue]) throws -> Statement {
    guard !isOver else { throw StorageError.misuse("A transaction was used after its end", path, sql) }
    // A full disk makes SQLite roll back by itself; what followed would each commit on its own.
    guard connection.isInTransaction else {
      throw StorageError.misuse("A transaction was used after an error had ended it", path, sql)
    }
    let statement = try connection.take(sql)
    do {
      guard statement.isReadOnly || self is Transaction else {
        throw StorageError.misuse("A statement that writes was run in a read", path, sql)
      }
      try statement.bind(values)
    } catch {
      finish(statement)
      throw error
    }
    return statement
  }

  /// Gives a statement back.
  @usableFromInline func finish(_ statement: Statement) { connection.put(statement) }

  func run<T>(_ sql: String, _ values: [SQLValue], _ body: (Statement) throws -> T) throws -> T {
    let statement = try begin(sql, values)
    defer { finish(statement) }
    return try body(statement)
  }

  /// Makes every later use an error.
  func end() { isOver = true }
}
