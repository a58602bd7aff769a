public import Model

/// A snapshot of the database. Valid only while the closure that got it runs.
public class ReadTransaction {
  let connection: DatabaseConnection
  private var isOver = false

  init(_ connection: DatabaseConnection) { self.connection = connection }

  /// Returns all rows of a statement, each made into a value.
  @inlinable public func rows<T>(
    _ sql: String, _ values: (any SQLBindable)?..., as make: (borrowing Row) throws -> T
  ) throws -> [T] {
    try rows(sql, values: values, as: make)
  }

  /// Does the same with values whose number is known only at run time.
  @inlinable public func rows<T>(
    _ sql: String, values: [(any SQLBindable)?], as make: (borrowing Row) throws -> T
  ) throws -> [T] {
    let statement = try begin(sql, values)
    defer { finish(statement) }
    var rows: [T] = []
    while try statement.step() { rows.append(try make(Row(statement, path: path))) }
    return rows
  }

  /// Returns the first row of a statement, made into a value; nil if there is none.
  @inlinable public func row<T>(
    _ sql: String, _ values: (any SQLBindable)?..., as make: (borrowing Row) throws -> T
  ) throws -> T? {
    let statement = try begin(sql, values)
    defer { finish(statement) }
    return try statement.step() ? try make(Row(statement, path: path)) : nil
  }

  func hasTable(_ name: String) throws -> Bool {
    try row("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name) { _ in true } ?? false
  }

  /// Returns the first column of all rows of a statement.
  @inlinable public func values<T: SQLReadable>(_ sql: String, _ values: (any SQLBindable)?...) throws -> [T] {
    let statement = try begin(sql, values)
    defer { finish(statement) }
    var found: [T] = []
    while try statement.step() { found.append(try Row(statement, path: path).value(0)) }
    return found
  }

  /// Returns the first column of the first row of a statement; nil if there is no row, or for NULL.
  @inlinable public func value<T: SQLReadable>(_ sql: String, _ values: (any SQLBindable)?...) throws -> T? {
    let statement = try begin(sql, values)
    defer { finish(statement) }
    return try statement.step() ? try Row(statement, path: path).value(0) : nil
  }

  @usableFromInline var path: String { connection.path }

  /// Prepares a statement and binds its values. The caller has to give it to `finish`.
  @usableFromInline func begin(_ sql: String, _ values: [(any SQLBindable)?]) throws -> Statement {
    try begin(sql, values.map { $0?.sqlValue ?? .null })
  }

  private func begin(_ sql: String, _ values: [SQLValue]) throws -> Statement {
    guard !isOver else { throw StorageError.misuse("A transaction was used after its end", path, sql) }
    // A full disk makes SQLite roll back by itself; each later statement would then be committed on its own.
    guard connection.isInTransaction else {
      throw StorageError.misuse("A transaction was used after an error had ended it", path, sql)
    }
    let statement = try connection.prepare(sql)
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

  /// Puts a statement back.
  @usableFromInline func finish(_ statement: Statement) { connection.putBack(statement) }

  func run<T>(_ sql: String, _ values: [SQLValue], _ body: (Statement) throws -> T) throws -> T {
    let statement = try begin(sql, values)
    defer { finish(statement) }
    return try body(statement)
  }

  /// Makes every later use an error.
  func end() { isOver = true }
}

/// A change of the database that happens wholly or not at all. Valid only while the closure that got it runs.
public final class Transaction: ReadTransaction {
  private(set) var survival: Durability
  private(set) var isLarge = false
  private(set) var actions: [@Sendable () -> Void] = []

  init(_ connection: DatabaseConnection, _ survival: Durability) {
    self.survival = survival
    super.init(connection)
  }

  /// Runs a statement and returns the number of rows that it inserted, updated or deleted. Rows of a result are
  /// ignored.
  @discardableResult
  public func execute(_ sql: String, _ values: (any SQLBindable)?...) throws -> Int {
    try execute(sql, values: values.map { $0?.sqlValue ?? .null })
  }

  /// Does the same with values in the form that SQLite stores, which is quicker for many rows.
  @discardableResult
  public func execute(_ sql: String, values: [SQLValue]) throws -> Int {
    try run(sql, values) { statement in
      let before = connection.totalChanges
      while try statement.step() {}
      return statement.isReadOnly ? 0 : connection.changes(since: before)
    }
  }

  /// The row id of the row that was inserted last on the writer's connection.
  public var lastInsertedRowID: Int64 { connection.lastInsertedRowID }

  /// Runs an action on the writer's thread once the change is as durable as was asked for, after the actions that were
  /// given before.
  ///
  /// The action does not run if the change is rolled back, or if a sync of it or of an earlier change failed. It must
  /// not block.
  public func afterCommit(_ action: @escaping @Sendable () -> Void) { actions.append(action) }

  /// Keeps up to 16 MB of pages in memory until the transaction ends: in a change of many rows, a page that changes
  /// again and again would otherwise be written as often.
  public func expectManyRows() throws {
    guard !isLarge else { return }
    try connection.execute("PRAGMA cache_size = -16384")
    isLarge = true
  }

  /// Raises what the change must survive; it is never lowered.
  public func requireDurability(_ survival: Durability) {
    if case .power = survival { self.survival = .power }
  }
}

extension DatabaseConnection {
  func read<T>(_ body: (ReadTransaction) throws -> T) throws -> T {
    try control("BEGIN")
    let transaction = ReadTransaction(self)
    defer {
      transaction.end()
      abandon()
    }
    return try body(transaction)
  }

  func write<T>(_ survival: Durability, _ body: (Transaction) throws -> T) throws -> (T, Transaction) {
    try control("BEGIN IMMEDIATE")
    let transaction = Transaction(self, survival)
    defer {
      transaction.end()
      if transaction.isLarge { limitPages() }
    }
    do {
      let value = try body(transaction)
      guard isInTransaction else {
        throw StorageError.misuse("A transaction went on after an error had ended it", path, nil)
      }
      try control("COMMIT")
      return (value, transaction)
    } catch {
      abandon()
      throw error
    }
  }

  /// Frees the pages that a large change kept in memory. Where that fails, the larger limit stays for the next change.
  private func limitPages() { do { try execute(Self.usualPages) } catch {} }

  /// Ends an open transaction without its changes. Where even that fails the connection stays inside it and is not
  /// used again: see `ConnectionThreads`.
  private func abandon() {
    guard isInTransaction else { return }
    do { try control("ROLLBACK") } catch {}
  }
}
