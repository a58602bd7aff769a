import CSQLite
import Glibc
import Model
import System

/// A view of a database at one moment, to be read and copied while its service continues writing.
///
/// Used by one thread at a time. While it exists, the log of the database only grows.
public final class DatabaseSnapshot {
  private let connection: DatabaseConnection

  /// The path of the database.
  public var path: String { connection.path }

  /// Opens a database and takes a snapshot of it.
  ///
  /// - Throws: `storage.cannotOpen`, `storage.corrupt`, `storage.busy`.
  public init(of path: String) throws {
    connection = try DatabaseConnection(path, .reading, patience: Milliseconds(5000))
    try renew()
  }

  /// Replaces the snapshot by a new one, of the database as it is now.
  ///
  /// - Throws: `storage.corrupt`, `storage.busy`.
  public func renew() throws {
    if connection.isInTransaction { try connection.control("ROLLBACK") }
    try connection.control("BEGIN")
    // SQLite takes the snapshot at the first read after BEGIN.
    try connection.execute("SELECT count(*) FROM sqlite_schema")
  }

  /// Runs a closure on the snapshot.
  public func read<T>(_ body: (ReadTransaction) throws -> T) throws -> T {
    let transaction = ReadTransaction(connection)
    defer { transaction.end() }
    return try body(transaction)
  }

  /// Returns the names of the migrations that the database has run, in their order; none where it has no such table.
  public func migrations() throws -> [String] {
    try read { reader in
      guard try reader.hasTable("migration") else { return [] }
      return try reader.rows("SELECT name FROM migration ORDER BY position") { try $0.value(0) }
    }
  }

  /// Copies the snapshot, page by page, into a new file that only its owner can read. The copy is not synced.
  ///
  /// - Parameters:
  ///   - target: the path of the new file, which must not exist.
  ///   - progress: called with the number of pages that are copied and the number of all; an error that it throws ends
  ///     the copying.
  /// - Throws: `storage.full`, `storage.cannotOpen`, `storage.corrupt`, and the errors of `progress`.
  public func copy(to target: String, progress: (_ done: Int, _ of: Int) throws -> Void = { _, _ in }) throws {
    let copy = try DatabaseConnection(target, .copying, patience: .zero)
    guard let backup = sqlite3_backup_init(copy.handle, "main", connection.handle, "main") else {
      throw copy.error(ResultCode(sqlite3_errcode(copy.handle)))
    }
    var code = ResultCode.ok
    let copying = Result {
      while case .ok = code {
        code = ResultCode(sqlite3_backup_step(backup, 1024))
        let total = Int(sqlite3_backup_pagecount(backup))
        try progress(total - Int(sqlite3_backup_remaining(backup)), total)
      }
    }
    // This makes the error of a failed step the last error of `copy`.
    sqlite3_backup_finish(backup)
    try copying.get()
    guard case .done = code else { throw copy.error(code) }
  }
}

/// Functions for a database file that no service has open.
public enum DatabaseFile {
  /// Reads the whole file. Returns nil if all of it can be read, else SQLite's description of the damage.
  ///
  /// The contents of indexes are not compared with their tables.
  ///
  /// - Throws: `storage.cannotOpen`, `storage.busy`; and `CancellationError` where the task is cancelled.
  public static func problem(of path: String) throws -> String? {
    do {
      return try DatabaseConnection(path, .reading, patience: Milliseconds(5000)).problem()
    } catch let error as LunaraError where ["storage.corrupt", "storage.failed"].contains(error.code) {
      return error.cause ?? error.message
    }
  }

  /// Switches a copied database from WAL to a rollback journal, so that the file is complete without a log beside it.
  ///
  /// - Throws: The errors of opening the file.
  public static func leaveWAL(_ path: String) throws {
    let connection = try DatabaseConnection(path, .copying, patience: .zero)
    try connection.execute("PRAGMA journal_mode = DELETE")
  }

  /// Returns the id of a process that has a database open; nil if none has.
  ///
  /// The calling process must have no connection to the database: closing a descriptor, as this does, drops all locks
  /// that the process has on the file (fcntl(2)).
  public static func processUsing(_ path: String) -> Int32? {
    let file: Descriptor
    do { file = try Descriptor(opening: path + "-shm", O_RDONLY | O_NOFOLLOW) } catch { return nil }
    // A process that has the database open locks at least one of these nine bytes: the eight locks of
    // sqlite.org/walformat.html#locks, and behind them the one that shows that the shared memory is in use.
    var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 120, l_len: 9, l_pid: 0)
    guard fcntl(file.number, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
    return lock.l_pid
  }
}

extension DatabaseConnection {
  /// Looks for damage in the file. Returns SQLite's description of the first damage; nil if there is none.
  ///
  /// - Throws: `CancellationError` where the task was cancelled before the end.
  func problem() throws -> String? {
    sqlite3_progress_handler(handle, 20_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
    defer { sqlite3_progress_handler(handle, 0, nil, nil) }
    do {
      let found = try withStatement("PRAGMA quick_check(1)") { statement in
        try statement.step() ? try Row(statement, path: path).value(0) as String : "ok"
      }
      return found == "ok" ? nil : found
    } catch let error as LunaraError where error.code == "storage.interrupted" {
      throw CancellationError()
    }
  }
}
