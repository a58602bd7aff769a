import Model

extension Connection {
  /// Runs a closure on a snapshot.
  func read<T>(_ body: (ReadTransaction) throws -> T) throws -> T {
    try control("BEGIN")
    let transaction = ReadTransaction(self)
    defer {
      transaction.end()
      abandon()
    }
    return try body(transaction)
  }

  /// Runs a closure in a transaction and commits it; rolls back what throws.
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

  /// Lets go of the pages that a large change had in memory. Where that fails they are as many for the next one.
  private func limitPages() { do { try execute(Self.usualPages) } catch {} }

  /// Ends an open transaction without its changes. Where even that fails the connection stays inside it and is not
  /// used again: see `ConnectionThreads`.
  private func abandon() {
    guard isInTransaction else { return }
    do { try control("ROLLBACK") } catch {}
  }
}
