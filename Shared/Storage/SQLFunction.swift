import CSQLite

/// A function that statements can call, beside those of SQLite. It gives the same result for the same arguments.
///
/// Tables and indexes cannot use it, so that every program can read the database.
public struct SQLFunction: Sendable {
  /// The computation, by the kind of its arguments and its result.
  public enum Body: Sendable {
    /// Appends a text in UTF-8 that is made from another, which need not be valid UTF-8. NULL stays NULL.
    case text(@Sendable (UnsafeBufferPointer<UInt8>, inout [UInt8]) -> Void)
    /// Makes a whole number from two; what is none counts as 0.
    case numbers(@Sendable (Int64, Int64) -> Int64)
  }

  /// The name in statements.
  public let name: String
  /// The computation.
  public let body: Body

  /// Creates a function.
  public init(_ name: String, _ body: Body) {
    self.name = name
    self.body = body
  }
}

extension ReadTransaction {
  /// Makes functions known to the statements of this connection, where they are not known yet.
  public func define(_ functions: [SQLFunction]) throws {
    for function in functions where !connection.functions.contains(function.name) { try connection.define(function) }
  }
}

extension DatabaseConnection {
  fileprivate func define(_ function: SQLFunction) throws {
    let call = Unmanaged.passRetained(FunctionCall(function.body)).toOpaque()
    let (count, run): (Int32, @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void) =
      switch function.body {
      case .text: (1, { context, _, arguments in FunctionCall.of(context)?.text(arguments?[0], context) })
      case .numbers:
        (2, { context, _, arguments in FunctionCall.of(context)?.numbers(arguments?[0], arguments?[1], context) })
      }
    // SQLite frees the call with the connection, and also where this fails.
    let code = sqlite3_create_function_v2(
      handle, function.name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, call, run, nil, nil,
      { call in if let call { Unmanaged<FunctionCall>.fromOpaque(call).release() } })
    guard code == SQLITE_OK else { throw error(ResultCode(code)) }
    functions.insert(function.name)
  }
}

/// The state of a function on a connection: its computation, and room for texts, as a connection runs on one thread.
private final class FunctionCall {
  private let body: SQLFunction.Body
  private var made: [UInt8] = []

  init(_ body: SQLFunction.Body) { self.body = body }

  static func of(_ context: OpaquePointer?) -> FunctionCall? {
    sqlite3_user_data(context).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  func text(_ argument: OpaquePointer?, _ context: OpaquePointer?) {
    guard case .text(let make) = body, let bytes = sqlite3_value_text(argument) else {
      return sqlite3_result_null(context)
    }
    made.removeAll(keepingCapacity: true)
    make(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(argument))), &made)
    made.withUnsafeBytes { bytes in
      // Without bytes there may be no address, which would make NULL.
      if let first = bytes.baseAddress {
        lunara_sqlite_result_text(context, first, bytes.count)
      } else {
        lunara_sqlite_result_text(context, "", 0)
      }
    }
  }

  func numbers(_ first: OpaquePointer?, _ second: OpaquePointer?, _ context: OpaquePointer?) {
    guard case .numbers(let make) = body else { return sqlite3_result_null(context) }
    sqlite3_result_int64(context, make(sqlite3_value_int64(first), sqlite3_value_int64(second)))
  }
}
