import CSQLite

/// A result of SQLite's C interface (sqlite.org/rescode.html). A primary code matches its extended ones in a `switch`.
struct ResultCode: Equatable, Sendable {
  /// The code as SQLite gave it, extended where it was.
  let rawValue: Int32

  init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// The code without its extension.
  var primary: ResultCode { ResultCode(rawValue & 0xff) }

  static let ok = ResultCode(SQLITE_OK)
  static let busy = ResultCode(SQLITE_BUSY)
  static let locked = ResultCode(SQLITE_LOCKED)
  static let readOnly = ResultCode(SQLITE_READONLY)
  static let inputOutput = ResultCode(SQLITE_IOERR)
  static let corrupt = ResultCode(SQLITE_CORRUPT)
  static let full = ResultCode(SQLITE_FULL)
  static let cannotOpen = ResultCode(SQLITE_CANTOPEN)
  static let constraint = ResultCode(SQLITE_CONSTRAINT)
  static let notADatabase = ResultCode(SQLITE_NOTADB)
  static let unauthorized = ResultCode(SQLITE_AUTH)
  static let interrupt = ResultCode(SQLITE_INTERRUPT)
  static let row = ResultCode(SQLITE_ROW)
  static let done = ResultCode(SQLITE_DONE)

  /// Whether a value is the pattern, or an extension of it where the pattern is primary.
  static func ~= (pattern: ResultCode, value: ResultCode) -> Bool {
    pattern == value || (pattern == pattern.primary && pattern == value.primary)
  }
}

extension ResultCode {
  /// Whether the kernel had a word in it; else its last error number is from another time.
  var hasSystemError: Bool {
    switch self {
    case .inputOutput, .cannotOpen, .full, .readOnly: true
    default: false
    }
  }
}
