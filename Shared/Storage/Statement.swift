import CSQLite
import Model

/// A prepared statement of one connection. Used only on that connection's thread.
@usableFromInline final class Statement {
  let sql: String
  let handle: OpaquePointer
  private let database: OpaquePointer
  private let path: String

  /// Prepares the one statement that `sql` holds; `path` is for errors.
  init(_ sql: String, on database: OpaquePointer, path: String) throws {
    var handle: OpaquePointer?
    var hasMore = false
    let code = sql.withCString { text in
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v3(database, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &tail)
      if let tail { hasMore = !String(cString: tail).allSatisfy { $0.isWhitespace || $0 == ";" } }
      return ResultCode(code)
    }
    guard case .ok = code else { throw Self.error(code, on: database, path: path, sql: sql) }
    guard let handle else { throw StorageError.misuse("An empty statement was run", path, sql) }
    self.handle = handle
    self.sql = sql
    self.database = database
    self.path = path
    if hasMore { throw StorageError.misuse("Two statements were given where one is run", path, sql) }
  }

  deinit { sqlite3_finalize(handle) }

  /// Whether running it cannot change the database.
  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// Gives a value to every parameter.
  func bind(_ values: [(any SQLBindable)?]) throws {
    guard values.count == sqlite3_bind_parameter_count(handle) else {
      throw StorageError.misuse(
        "\(values.count) values were given to a statement with \(sqlite3_bind_parameter_count(handle)) parameters",
        path, sql)
    }
    for (index, value) in values.enumerated() {
      let code = try ResultCode(bind(value?.sqlValue ?? .null, at: Int32(index + 1)))
      guard case .ok = code else { throw error(code) }
    }
  }

  private func bind(_ value: SQLValue, at index: Int32) throws -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let number): return sqlite3_bind_int64(handle, index, number)
    case .real(let number):
      // SQLite stores NaN as NULL, so it would not come back as what it was.
      guard !number.isNaN else { throw StorageError.misuse("A value that is not a number cannot be stored", path, sql) }
      return sqlite3_bind_double(handle, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        // A nil pointer would bind NULL; an empty string may have one.
        bytes.withMemoryRebound(to: CChar.self) { characters in
          guard let start = characters.baseAddress else { return lunara_sqlite_bind_text(handle, index, "", 0) }
          return lunara_sqlite_bind_text(handle, index, start, UInt64(characters.count))
        }
      }
    case .blob(let bytes):
      return bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
        return lunara_sqlite_bind_blob(handle, index, start, UInt64(bytes.count))
      }
    }
  }

  /// Runs to the next row; false at the end.
  @usableFromInline func step() throws -> Bool {
    switch ResultCode(sqlite3_step(handle)) {
    case .row: return true
    case .done: return false
    case let code: throw error(code)
    }
  }

  /// Makes it ready for another run and lets go of the values. An error here is the one that `step` threw already.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  private func error(_ code: ResultCode) -> LunaraError { Self.error(code, on: database, path: path, sql: sql) }

  private static func error(_ code: ResultCode, on database: OpaquePointer, path: String, sql: String) -> LunaraError {
    let extended = ResultCode(sqlite3_extended_errcode(database))
    return StorageError.from(
      extended.primary == code.primary ? extended : code, words: String(cString: sqlite3_errmsg(database)),
      systemError: code.hasSystemError ? sqlite3_system_errno(database) : 0, path: path, sql: sql)
  }
}
