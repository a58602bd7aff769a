/// Why a server answers a request without its handler, or in place of what that said.
public enum HTTPServerRefusal: Sendable, CaseIterable {
  /// The address of the request is none.
  case malformed
  /// The body has more bytes than are taken.
  case tooLarge
  /// So much is being sent by all together that there is no room for the body.
  case crowded
  /// The server is being stopped.
  case stopping
  /// The file that was to be sent is not there.
  case missing
  /// What the handler answered cannot be sent.
  case broken

  /// The status (RFC 9110).
  public var status: Int {
    switch self {
    case .malformed: 400
    case .missing: 404
    case .tooLarge: 413
    case .broken: 500
    case .crowded, .stopping: 503
    }
  }

  /// What it is, in a sentence.
  public var text: String {
    switch self {
    case .malformed: "The address is malformed."
    case .tooLarge: "The body is too large."
    case .crowded: "Too much is being sent at once. Try again."
    case .stopping: "The server is stopping."
    case .missing: "There is no such file."
    case .broken: "The answer could not be sent."
    }
  }

  /// Whether the connection ends with it, as something of the request may still come.
  var ends: Bool {
    switch self {
    case .malformed, .tooLarge, .crowded, .stopping: true
    case .missing, .broken: false
    }
  }
}
