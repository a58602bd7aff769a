import CSQLite
public import Model

/// The row at which a statement stands; valid only while the closure that got it runs.
public struct Row: ~Copyable {
  private let statement: Statement
  private let path: String

  @usableFromInline init(_ statement: Statement, path: String) {
    self.statement = statement
    self.path = path
  }

  /// The value of a column, counted from 0.
  ///
  /// Throws `storage.unexpectedNull` for NULL where `T` is no optional, `storage.unexpectedValue` for a value of
  /// another kind.
  @inlinable public func value<T: SQLReadable>(_ column: Int) throws -> T {
    // Inlined where it is called, or each value of each row would look up at run time what `T` can do.
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
