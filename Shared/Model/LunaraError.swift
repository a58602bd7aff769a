/// An error that is sent between processes unchanged and that tells a person what to do.
///
/// Codes are stable and have the form `module.whatHappened`; `docs/errors.md` lists them and `lunara explain CODE`
/// prints their descriptions.
public struct LunaraError: Error, Codable, Hashable, Sendable {
  /// The stable code, for example `library.folderMissing`.
  public var code: String
  /// The sentences that tell what happened and what to do; they name the file, server or room.
  public var message: String
  /// The message of the C library, kernel, system or server that caused the error; nil if there is none.
  public var cause: String?

  public init(_ code: String, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Converts any error; other types become `internal.unexpected` with their description as the cause.
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
