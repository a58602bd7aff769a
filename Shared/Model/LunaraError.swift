/// An error in a form that crosses the bus unchanged and that a person can act on.
///
/// Codes are stable words of the shape `module.whatHappened`; `docs/errors.md` lists them and `lunara explain CODE`
/// prints them.
public struct LunaraError: Error, Codable, Hashable, Sendable {
  /// A stable code, for example `library.folderMissing`.
  public var code: String
  /// A sentence that says what happened and what to do about it; it names the file, server or room concerned.
  public var message: String
  /// The message of a C library, of the kernel or of a server that lay beneath; nil where nothing is known.
  public var cause: String?

  public init(_ code: String, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Any error as a `LunaraError`; one that is none becomes `internal.unexpected` with its description as the cause.
  public init(_ error: any Error) {
    if let error = error as? LunaraError {
      self = error
    } else {
      self.init(
        "internal.unexpected", "Something failed that should not have. Please report it with the log.",
        cause: String(describing: error))
    }
  }
}

extension LunaraError: CustomStringConvertible {
  /// Message, cause and code on one line.
  public var description: String {
    if let cause { "\(message) (\(cause)) [\(code)]" } else { "\(message) [\(code)]" }
  }
}
