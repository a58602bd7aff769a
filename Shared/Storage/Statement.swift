import CSQLite
public import Model

/// A prepared statement of one connection. Used only on that connection's thread.
@usableFromInline final class Statement {
  let sql: String
  let handle: OpaquePointer
  private let database: OpaquePointer
  private let path: String
  /// The texts and blobs of the bound parameters, one behind the other: SQLite reads them here and makes no copy.
  private var held = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// The number of bytes of `held` that are kept for the next run; a larger buffer is freed.
  private static let mostHeld = 16384
  /// True while a cache has lent the statement.
  var isBorrowed = false
  /// The number of the last use in its cache, which counts them.
  var lastUse: UInt64 = 0

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

  deinit {
    sqlite3_finalize(handle)
    held.deallocate()
  }

  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  func bind(_ values: [SQLValue]) throws {
    guard values.count == sqlite3_bind_parameter_count(handle) else {
      throw StorageError.misuse(
        "\(values.count) values were given to a statement with \(sqlite3_bind_parameter_count(handle)) parameters",
        path, sql)
    }
    makeRoom(for: values)
    var room = UnsafeMutableRawBufferPointer(rebasing: held[...])
    for (index, value) in values.enumerated() {
      let code = try ResultCode(bind(value, at: Int32(index + 1), &room))
      guard case .ok = code else { throw error(code) }
    }
  }

  private func makeRoom(for values: [SQLValue]) {
    var needed = 0
    for value in values {
      switch value {
      case .text(let text): needed += text.utf8.count
      case .blob(let bytes): needed += bytes.count
      case .null, .integer, .real: continue
      }
    }
    guard needed > held.count else { return }
    held.deallocate()
    held = .allocate(byteCount: max(needed, 256), alignment: 1)
  }

  /// Binds a value. Its bytes are copied to the beginning of `room`, which then is the rest behind them.
  private func bind(_ value: SQLValue, at index: Int32, _ room: inout UnsafeMutableRawBufferPointer) throws -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let number): return sqlite3_bind_int64(handle, index, number)
    case .real(let number):
      // SQLite stores NaN as NULL, so it would be read back as NULL.
      guard !number.isNaN else { throw StorageError.misuse("A value that is not a number cannot be stored", path, sql) }
      return sqlite3_bind_double(handle, index, number)
    case .text(var text):
      guard let bytes = text.withUTF8({ Self.move($0, into: &room) }) else {
        // A nil pointer would bind NULL.
        return lunara_sqlite_bind_empty_text(handle, index)
      }
      return bytes.withMemoryRebound(to: CChar.self) { characters in
        sqlite3_bind_text64(
          handle, index, characters.baseAddress, UInt64(characters.count), nil, UInt8(SQLITE_UTF8))
      }
    case .blob(let bytes):
      guard let bytes = bytes.withUnsafeBufferPointer({ Self.move($0, into: &room) }) else {
        return sqlite3_bind_zeroblob(handle, index, 0)
      }
      return sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil)
    }
  }

  private static func move(
    _ bytes: UnsafeBufferPointer<UInt8>, into room: inout UnsafeMutableRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    guard !bytes.isEmpty, bytes.count <= room.count else { return nil }
    room.copyMemory(from: UnsafeRawBufferPointer(bytes))
    let moved = UnsafeRawBufferPointer(rebasing: room[..<bytes.count])
    room = UnsafeMutableRawBufferPointer(rebasing: room[bytes.count...])
    return moved
  }

  /// Runs to the next row; false at the end.
  @usableFromInline func step() throws -> Bool {
    switch ResultCode(sqlite3_step(handle)) {
    case .row: return true
    case .done: return false
    case let code: throw error(code)
    }
  }

  /// Makes the statement ready for another run and clears its values. Ignores the result of SQLite's reset, which is
  /// the error that `step` threw already.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    guard held.count > Self.mostHeld else { return }
    held.deallocate()
    held = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  private func error(_ code: ResultCode) -> LunaraError { Self.error(code, on: database, path: path, sql: sql) }

  private static func error(_ code: ResultCode, on database: OpaquePointer, path: String, sql: String) -> LunaraError {
    let extended = ResultCode(sqlite3_extended_errcode(database))
    return StorageError.from(
      extended.primary == code.primary ? extended : code, words: String(cString: sqlite3_errmsg(database)),
      systemError: code.hasSystemError ? sqlite3_system_errno(database) : 0, path: path, sql: sql)
  }
}

/// The most recently used prepared statements of one connection, by their SQL.
struct StatementCache {
  /// A text of SQL. Its hash covers its length and a few of its bytes: hashing all of them took longer than running
  /// many a statement.
  private struct Key: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) {
      let count = sql.utf8.count
      hasher.combine(count)
      sql.utf8.withContiguousStorageIfAvailable { bytes in
        var few: UInt64 = 0
        for place in stride(from: count / 8, to: count, by: max(1, count / 8)) {
          few = few << 8 | UInt64(bytes[place])
        }
        hasher.combine(few)
      }
    }
  }

  private let capacity: Int
  private var statements: [Key: Statement] = [:]
  private var uses: UInt64 = 0

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { statements.count }

  /// Lends a statement; nil if there is none, or if it is lent already: a nested use of the same SQL needs another one.
  func borrow(_ sql: String) -> Statement? {
    guard let statement = statements[Key(sql: sql)], !statement.isBorrowed else { return nil }
    statement.isBorrowed = true
    return statement
  }

  /// Takes a statement back, or adds a new one unless there is one with the same SQL; a full cache drops the least
  /// recently used one.
  mutating func giveBack(_ statement: Statement) {
    uses += 1
    statement.lastUse = uses
    if statement.isBorrowed {
      statement.isBorrowed = false
      return
    }
    let key = Key(sql: statement.sql)
    guard statements[key] == nil else { return }
    statements[key] = statement
    guard statements.count > capacity else { return }
    let unused = statements.lazy.filter { !$0.value.isBorrowed }
    if let oldest = unused.min(by: { $0.value.lastUse < $1.value.lastUse }) { statements[oldest.key] = nil }
  }

  mutating func removeAll() { statements.removeAll() }
}

/// The current row of a running statement; valid only while the closure that got it runs.
public struct Row: ~Copyable {
  private let statement: Statement
  private let path: String

  @usableFromInline init(_ statement: Statement, path: String) {
    self.statement = statement
    self.path = path
  }

  /// The number of columns.
  public var count: Int { Int(sqlite3_column_count(statement.handle)) }

  /// Returns the value of a column, counted from 0.
  ///
  /// Throws `storage.unexpectedNull` for NULL where `T` is not optional, and `storage.unexpectedValue` for a value of
  /// another kind.
  @inlinable public func value<T: SQLReadable>(_ column: Int) throws -> T {
    // Inlined, so that `T`'s conformance is not looked up at run time for each value of each row.
    let value = try sqlValue(column)
    guard let result = T(sqlValue: value) else { throw mismatch(column, value, "\(T.self)") }
    return result
  }

  @usableFromInline func mismatch(_ column: Int, _ value: SQLValue, _ type: String) -> LunaraError {
    let name = sqlite3_column_name(statement.handle, Int32(column)).map { String(cString: $0) } ?? "\(column)"
    if case .null = value {
      return LunaraError(
        "storage.unexpectedNull", "The column \(name) of \(path) is empty where it must hold a value.",
        cause: "in: \(statement.sql)")
    }
    return LunaraError(
      "storage.unexpectedValue", "The column \(name) of \(path) holds \(value), which is no \(type).",
      cause: "in: \(statement.sql)")
  }

  @usableFromInline func sqlValue(_ index: Int) throws -> SQLValue {
    let handle = statement.handle
    guard index >= 0, index < sqlite3_column_count(handle) else {
      throw StorageError.misuse("Column \(index) was read, which the statement does not have", path, statement.sql)
    }
    let column = Int32(index)
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      // The pointer first, then the length: this order is what the manual asks for (sqlite.org/c3ref/column_blob.html).
      guard let start = sqlite3_column_text(handle, column) else { return .text("") }
      let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
      return .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      guard let start = sqlite3_column_blob(handle, column) else { return .blob([]) }
      return .blob(Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))))
    default: return .null
    }
  }
}
