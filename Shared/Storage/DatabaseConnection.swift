import CSQLite
import Glibc
import Model
import System

/// One connection to a database file. Made, used and closed on one thread.
final class DatabaseConnection {
  /// The uses of a connection, which differ in what it may do.
  enum Access: Sendable {
    case reading
    case writing
    /// Copies the log into the file, beside the connection that writes.
    case checkpointing
    /// Reads the intact parts of a damaged file.
    case salvaging
    /// Writes a copy, unsynced: an incomplete copy is thrown away.
    case copying
  }

  let path: String
  let handle: OpaquePointer
  private var statements: StatementCache
  /// The statements BEGIN, COMMIT and ROLLBACK, in a cache of their own: from `statements` any code could take and run
  /// them.
  private var controls = StatementCache(capacity: 4)
  /// True while BEGIN, COMMIT and ROLLBACK may be prepared; read by SQLite's authorizer.
  private let isControlAllowed: UnsafeMutablePointer<Bool>
  /// The number of pages in the log, as SQLite reports it after each commit.
  private let loggedPages: UnsafeMutablePointer<Int32>
  /// The number of times the log was synced for a transaction that must survive power cuts.
  private(set) var syncs = 0
  /// The names of the functions that statements can call.
  var functions: Set<String> = []

  /// Makes, at its first use, the settings that all connections share; false where SQLite was already in use.
  private static let isSetUp = lunara_sqlite_count_no_memory() == SQLITE_OK

  /// Opens the file; a writing or copying connection creates it where it is missing, readable by its owner only. Waits
  /// up to `patience` for a lock that another program holds.
  init(_ path: String, _ access: Access, patience: Milliseconds) throws {
    _ = Self.isSetUp
    if access == .writing || access == .copying { try Self.protect(path) }
    var handle: OpaquePointer?
    let isReader = access == .reading || access == .salvaging
    let flags = SQLITE_OPEN_NOMUTEX | (isReader ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
    let code = ResultCode(sqlite3_open_v2(path, &handle, flags, nil))
    guard let handle else { throw StorageError.from(code, words: "out of memory", systemError: ENOMEM, path: path) }
    // From here on deinit closes the handle, also when the rest of this initialiser fails.
    self.handle = handle
    self.path = path
    statements = StatementCache(capacity: access == .writing ? 64 : 24)
    isControlAllowed = .allocate(capacity: 1)
    isControlAllowed.initialize(to: true)
    loggedPages = .allocate(capacity: 1)
    loggedPages.initialize(to: 0)
    guard case .ok = code else { throw error(code) }
    if access == .writing, sqlite3_db_readonly(handle, "main") != 0 {
      throw StorageError.from(.readOnly, words: "opened for reading only", systemError: EROFS, path: path)
    }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Int32(clamping: patience.rawValue))
    lunara_sqlite_distrust_schema(handle)
    if access != .salvaging { lunara_sqlite_be_strict(handle) }
    try configure(access)
    isControlAllowed.pointee = false
    sqlite3_set_authorizer(
      handle,
      { allowed, action, _, _, _, _ in
        guard action == SQLITE_TRANSACTION, let allowed else { return SQLITE_OK }
        return allowed.assumingMemoryBound(to: Bool.self).pointee ? SQLITE_OK : SQLITE_DENY
      }, isControlAllowed)
  }

  deinit {
    statements.removeAll()
    controls.removeAll()
    // Unlike sqlite3_close, this also works where a statement is finalized later.
    sqlite3_close_v2(handle)
    isControlAllowed.deallocate()
    loggedPages.deallocate()
  }

  /// Creates a missing file for its owner only, and takes an existing one from all others. SQLite gives the log the
  /// same mode.
  private static func protect(_ path: String) throws {
    do throws(Errno) {
      try Descriptor(opening: path, O_RDWR | O_CREAT | O_EXCL).close()
      return
    } catch {
      guard error == .fileExists else {
        throw StorageError.from(
          .cannotOpen, words: "the file cannot be made", systemError: error.rawValue, path: path)
      }
    }
    // By path, not by a descriptor: closing one would drop the locks that this process has on the file (fcntl(2)).
    if let status = Files.status(path, followingLinks: true), status.mode & 0o077 != 0, status.owner == geteuid(),
      chmod(path, 0o600) != 0
    {
      throw StorageError.from(.readOnly, words: "its mode cannot be set", systemError: errno, path: path)
    }
  }

  /// The statement that has a writing connection keep 512 kB of pages in memory.
  static let usualPages = "PRAGMA cache_size = -512"

  private func configure(_ access: Access) throws {
    switch access {
    case .salvaging:
      // With this SQLite reads a file that is shorter than its header says, and the other tables where the definition
      // of one is damaged.
      try execute("PRAGMA writable_schema = ON")
    case .copying:
      try execute("PRAGMA synchronous = OFF")
    case .reading:
      // A search reads some hundred scattered pages. The connection is closed, and its memory freed, a few seconds
      // after the last read.
      try execute("PRAGMA cache_size = -2048")
    case .checkpointing:
      try execute("PRAGMA cache_size = -64")
      // A connection knows nothing of the log before its first read.
      try execute("SELECT count(*) FROM sqlite_schema")
    case .writing:
      // Commits are not synced with `synchronous = NORMAL`; `sync` does it for those that must survive power cuts.
      let mode = try withStatement("PRAGMA journal_mode = WAL") { statement in
        try statement.step() ? try Row(statement, path: path).value(0) as String : ""
      }
      guard mode == "wal" else {
        throw StorageError.from(
          .cannotOpen, words: "the file system does not support a write-ahead log", systemError: 0, path: path)
      }
      try execute("PRAGMA synchronous = NORMAL")
      try execute(Self.usualPages)
      // More than the log's usual length, so that it is not truncated: a log that keeps its length is synced in two
      // thirds of the time.
      try execute("PRAGMA journal_size_limit = 16777216")
      // Debian's build overwrites freed pages with zeros by default, which is not worth the writes.
      try execute("PRAGMA secure_delete = FAST")
      try execute("PRAGMA foreign_keys = ON")
      // This replaces SQLite's own hook, which checkpoints within a commit.
      sqlite3_wal_hook(
        handle,
        { logged, _, _, pages in
          logged?.assumingMemoryBound(to: Int32.self).pointee = pages
          return SQLITE_OK
        }, loggedPages)
    }
    try execute("PRAGMA temp_store = MEMORY")
  }

  /// Calls `body` with a prepared statement, taken from the cache if possible, and puts it back afterwards.
  func withStatement<T>(_ sql: String, _ body: (Statement) throws -> T) throws -> T {
    let statement = try prepare(sql)
    defer { putBack(statement) }
    return try body(statement)
  }

  /// Returns a prepared statement, taken from the cache if possible. The caller has to give it to `putBack`.
  func prepare(_ sql: String) throws -> Statement {
    try statements.borrow(sql) ?? Statement(sql, on: handle, path: path)
  }

  func putBack(_ statement: Statement) {
    statement.reset()
    statements.giveBack(statement)
  }

  /// Runs a statement that is used once, past the cache.
  func execute(_ sql: String) throws {
    // Some pragmas act while they are prepared, so they must not come from the cache.
    let statement = try Statement(sql, on: handle, path: path)
    while try statement.step() {}
  }

  /// Runs BEGIN, COMMIT or ROLLBACK, which the authorizer denies to all other code.
  func control(_ sql: String) throws {
    isControlAllowed.pointee = true
    defer { isControlAllowed.pointee = false }
    let statement = try controls.borrow(sql) ?? Statement(sql, on: handle, path: path)
    defer {
      statement.reset()
      controls.giveBack(statement)
    }
    _ = try statement.step()
  }

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
  var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }
  /// Rows changed since the connection was opened, those by triggers and foreign keys included.
  var totalChanges: Int64 { sqlite3_total_changes64(handle) }
  /// Rows changed directly by the last statement, if any changed since a count of `totalChanges`.
  func changes(since before: Int64) -> Int { totalChanges == before ? 0 : Int(sqlite3_changes64(handle)) }

  /// Makes all that was committed survive a power cut.
  ///
  /// In WAL mode a commit appends frames to the log, and `synchronous = FULL` differs from NORMAL only in syncing the
  /// log after them (sqlite.org/pragma.html#pragma_synchronous). The setting cannot change inside a transaction, where
  /// code finds out how durable its change must be. So commits run at NORMAL, and this syncs the log afterwards, by the
  /// function and the file object that SQLite would use. A checkpoint cannot have lost the frames: it syncs the log
  /// before it copies and the database after, and the log starts over only with the next transaction.
  func sync() throws {
    let code = ResultCode(lunara_sqlite_sync_log(handle))
    guard case .ok = code else { throw StorageError.syncFailed(path, sqlite3_system_errno(handle)) }
    syncs += 1
  }

  /// The number of pages the log had after the last commit.
  var pagesInLog: Int32 { loggedPages.pointee }

  /// Frees the cached statements and pages, which only make the next use quicker.
  func trim() {
    statements.removeAll()
    lunara_sqlite_release_memory(handle)
  }

  var cachedStatements: Int { statements.count }

  func error(_ code: ResultCode) -> LunaraError {
    StorageError.from(
      code, words: String(cString: sqlite3_errmsg(handle)),
      systemError: code.hasSystemError ? sqlite3_system_errno(handle) : 0, path: path)
  }
}
