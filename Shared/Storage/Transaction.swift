public import Model

/// A change of the database that happens wholly or not at all. Valid only while the closure that got it runs.
public final class Transaction: ReadTransaction {
  private(set) var survival: Durability
  private(set) var isLarge = false
  private(set) var actions: [@Sendable () -> Void] = []

  init(_ connection: Connection, _ survival: Durability) {
    self.survival = survival
    super.init(connection)
  }

  /// Runs a statement and says how many rows it inserted, updated or deleted; rows it gives are passed over.
  @discardableResult
  public func execute(_ sql: String, _ values: (any SQLBindable)?...) throws -> Int {
    try execute(sql, values: values.map { $0?.sqlValue ?? .null })
  }

  /// The same with values in the form that SQLite stores: quicker for what is done for each row of many.
  ///
  /// - Returns: how many rows it inserted, updated or deleted.
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

  /// Has an action run on the writer's thread once the change is committed at its grade, after those given before it.
  ///
  /// Never if it is rolled back, nor where the disk did not confirm it or one before it. It must not block.
  public func afterCommit(_ action: @escaping @Sendable () -> Void) { actions.append(action) }

  /// Has more pages kept in memory until this ends, 16 MB of them: for a change of many rows, in which pages that are
  /// changed again and again would else be written as often. What it changes little needs none of it.
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
