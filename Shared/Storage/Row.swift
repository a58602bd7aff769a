import CSQLite
import Model

/// The row at which a statement stands; valid only while the closure that got it runs.
public struct Row: ~Copyable {
  private let statement: Statement
  private let path: String

  init(_ statement: Statement, path: String) {
    self.statement = statement
    self.path = path
  }

  /// The value of a column, counted from 0.
  ///
  /// Throws `storage.unexpectedNull` for NULL where `T` is no optional, `storage.unexpectedValue` for a value of
  /// another kind.
  public func value<T: SQLReadable>(_ column: Int) throws -> T {
    guard column >= 0, column < sqlite3_column_count(statement.handle) else {
      throw StorageError.misuse("Column \(column) was read, which the statement does not have", path, statement.sql)
    }
    let value = sqlValue(Int32(column))
    if let result = T(sqlValue: value) { return result }
    let name = sqlite3_column_name(statement.handle, Int32(column)).map { String(cString: $0) } ?? "\(column)"
    if case .null = value {
      throw LunaraError(
        "storage.unexpectedNull", "The column \(name) of \(path) is empty where it must hold a value.",
        cause: "in: \(statement.sql)")
    }
    throw LunaraError(
      "storage.unexpectedValue", "The column \(name) of \(path) holds \(value), which is no \(T.self).",
      cause: "in: \(statement.sql)")
  }

  private func sqlValue(_ column: Int32) -> SQLValue {
    let handle = statement.handle
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
