import CSQLite
import Model

/// A prepared statement of one connection. Used only on that connection's thread.
@usableFromInline final class Statement {
  let sql: String
  let handle: OpaquePointer
  private let database: OpaquePointer
  private let path: String
  /// The texts and bytes that the parameters have, one behind the other: SQLite reads them here and copies none.
  private var held = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// More than this is not kept for the next run.
  private static let mostHeld = 16384

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

  /// Whether running it cannot change the database.
  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// Gives a value to every parameter.
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

  /// Binds a value whose bytes go to the beginning of `room`, which is then what follows them.
  private func bind(_ value: SQLValue, at index: Int32, _ room: inout UnsafeMutableRawBufferPointer) throws -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let number): return sqlite3_bind_int64(handle, index, number)
    case .real(let number):
      // SQLite stores NaN as NULL, so it would not come back as what it was.
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

  /// Makes it ready for another run and lets go of the values. An error here is the one that `step` threw already.
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
