import Model

/// A view of the database that does not change while it lasts. Valid only while the closure that got it runs.
public class ReadTransaction {
  let connection: Connection
  private var isOver = false

  init(_ connection: Connection) { self.connection = connection }

  /// All rows that a statement gives, each made into a value.
  public func rows<T>(_ sql: String, _ values: (any SQLBindable)?..., as make: (borrowing Row) throws -> T) throws
    -> [T]
  {
    try run(sql, values) { statement in
      var rows: [T] = []
      while try statement.step() { rows.append(try make(Row(statement, path: connection.path))) }
      return rows
    }
  }

  /// The first row that a statement gives, made into a value; nil where it gives none.
  public func row<T>(_ sql: String, _ values: (any SQLBindable)?..., as make: (borrowing Row) throws -> T) throws -> T?
  {
    try run(sql, values) { statement in
      try statement.step() ? try make(Row(statement, path: connection.path)) : nil
    }
  }

  func run<T>(_ sql: String, _ values: [(any SQLBindable)?], _ body: (Statement) throws -> T) throws -> T {
    guard !isOver else { throw StorageError.misuse("A transaction was used after its end", connection.path, sql) }
    // A full disk makes SQLite roll back by itself; what followed would each commit on its own.
    guard connection.isInTransaction else {
      throw StorageError.misuse("A transaction was used after an error had ended it", connection.path, sql)
    }
    return try connection.withStatement(sql) { statement in
      guard statement.isReadOnly || self is Transaction else {
        throw StorageError.misuse("A statement that writes was run in a read", connection.path, sql)
      }
      try statement.bind(values)
      return try body(statement)
    }
  }

  /// Makes every later use an error.
  func end() { isOver = true }
}
