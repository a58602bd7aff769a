import CSQLite
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
  func write<T>(_ survival: Survival, _ body: (Transaction) throws -> T) throws -> (T, Transaction) {
    try control("BEGIN IMMEDIATE")
    let transaction = Transaction(self, survival)
    defer { transaction.end() }
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

  /// Ends an open transaction without its changes. Where even that fails the connection stays inside it and is not
  /// used again: see `ConnectionThreads`.
  private func abandon() {
    guard isInTransaction else { return }
    do { try control("ROLLBACK") } catch {}
  }

  /// Makes all that was committed survive a power cut.
  ///
  /// In the WAL mode a commit is its frames in the log; `synchronous = FULL` differs from NORMAL in syncing the log
  /// after those frames (sqlite.org/pragma.html#pragma_synchronous), and may not be changed inside a transaction, where
  /// code finds out that its change must survive more. So commits run at NORMAL and this syncs the log afterwards, by
  /// the same function on the same file object. No checkpoint can have taken the frames elsewhere unsynced: it syncs
  /// the log before and the database after it copies, and the log starts anew only with the next transaction.
  func sync() throws {
    let code = ResultCode(lunara_sqlite_sync_log(handle))
    guard case .ok = code else {
      throw StorageError.from(
        code, words: "the log could not be synced", systemError: sqlite3_system_errno(handle), path: path)
    }
  }
}
