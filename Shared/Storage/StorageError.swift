import CSQLite
import Glibc
import Model
import System

/// A result of SQLite's C interface (sqlite.org/rescode.html). A primary code matches its extended ones in a `switch`.
struct ResultCode: Equatable, Sendable {
  /// The code as SQLite returned it, primary or extended.
  let rawValue: Int32

  init(_ rawValue: Int32) { self.rawValue = rawValue }

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

  /// Returns true if the two are equal, or if the pattern is the primary code of the value.
  static func ~= (pattern: ResultCode, value: ResultCode) -> Bool {
    pattern == value || (pattern == pattern.primary && pattern == value.primary)
  }
}

extension ResultCode {
  /// True if the failure came from a system call; for other codes SQLite's system error number is an older one.
  var hasSystemError: Bool {
    switch self {
    case .inputOutput, .cannotOpen, .full, .readOnly: true
    default: false
    }
  }
}

/// The errors of this module, each naming the database's file.
enum StorageError {
  /// Translates a failed call of SQLite into an error that a person can act on.
  static func from(_ code: ResultCode, words: String, systemError: Int32, path: String, sql: String? = nil)
    -> LunaraError
  {
    let place = sql.map { ", in: \($0)" } ?? ""
    let kernel = systemError != 0 ? ", \(Errno(systemError))" : ""
    let cause = "SQLite result \(code.rawValue): \(words)\(kernel)\(place)"
    if case .unauthorized = code {
      return misuse("A transaction begins and ends only through the database, not by a statement", path, sql)
    }
    let (name, message) =
      switch (code, systemError) {
      case (.full, _), (.inputOutput, ENOSPC), (.inputOutput, EDQUOT), (.cannotOpen, ENOSPC), (.cannotOpen, EDQUOT):
        ("storage.full", "The disk that holds \(path) is full. Free some space and try again; nothing was lost.")
      case (.readOnly, _), (.cannotOpen, EROFS), (.cannotOpen, EACCES), (.cannotOpen, EPERM), (.inputOutput, EROFS):
        (
          "storage.readOnly",
          "\(path) cannot be written. Make the file and its folder writable for this user, or choose another LUNARA_HOME."
        )
      case (.cannotOpen, _):
        ("storage.cannotOpen", "\(path) cannot be opened. Check that its folder exists and belongs to this user.")
      case (.corrupt, _), (.notADatabase, _):
        ("storage.corrupt", "\(path) is damaged or is no database. Move it away and restore a backup.")
      case (.busy, _), (.locked, _):
        ("storage.busy", "\(path) is locked by another program. Close that program and try again.")
      case (.constraint, _):
        ("storage.constraint", "A change breaks a constraint of \(path) and was not made. Please report it.")
      case (.interrupt, _): ("storage.interrupted", "Reading \(path) was cancelled.")
      default: ("storage.failed", "\(path) could not be used. Please report it with the log.")
      }
    return LunaraError(name, message, cause: cause)
  }

  static func misuse(_ what: String, _ path: String, _ sql: String?) -> LunaraError {
    LunaraError(
      "storage.misuse", "\(what) (\(path)). This is a fault of the program; please report it.",
      cause: sql.map { "in: \($0)" })
  }

  static func newerSchema(_ path: String, _ unknown: [String]) -> LunaraError {
    LunaraError(
      "storage.newerSchema",
      "\(path) was written by a newer version of Lunara. Install that version again, or restore an older backup.",
      cause: "unknown migrations: \(unknown.joined(separator: ", "))")
  }

  static func syncFailed(_ path: String, _ number: Int32) -> LunaraError {
    LunaraError(
      "storage.syncFailed",
      "The disk that holds \(path) did not confirm a write, so nothing more is written. Check the disk and start again.",
      cause: number == 0 ? nil : Errno(number).text)
  }

  static func noThread(_ path: String, _ error: Errno) -> LunaraError {
    LunaraError(
      "storage.failed",
      "\(path) could not be used, because the system could not start a thread. Raise its limit of threads.",
      cause: error)
  }

  static func closed(_ path: String) -> LunaraError {
    LunaraError("storage.closed", "\(path) was closed already, because the service is stopping.")
  }
}
