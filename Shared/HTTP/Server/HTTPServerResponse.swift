/// An answer that a server's handler gives.
public struct HTTPServerResponse: Sendable {
  /// The content that is sent after the headers.
  public enum Body: Sendable {
    case bytes([UInt8])
    /// A file; the server handles `Range`, `ETag` and `Last-Modified`. The answer breaks off where the file changes
    /// while it is sent, so that no client gets a mix of two versions.
    case opened(OpenFile)
    /// Pieces as they come, until the stream ends. When the client disconnects the stream is cancelled. At most 256 KiB
    /// wait for a slow client; a client that accepts nothing for `Limits.patience` is disconnected.
    case stream(AsyncStream<[UInt8]>)
    /// Pieces that another server sends: `next` returns one, and nil at the end. Where it throws, or where fewer bytes
    /// than `length` came, the answer breaks off, so that no client takes a part for the whole. `length` is nil if it
    /// is not known.
    case relayed(length: UInt64?, next: @Sendable () async throws -> [UInt8]?)
  }

  /// The status, for example 200.
  public var status: Int
  /// Names and values of the headers. `Content-Length`, `Date` and those of ranges are added.
  public var headers: [(String, String)]
  /// The body.
  public var body: Body

  public init(status: Int = 200, headers: [(String, String)] = [], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Makes an answer of text, UTF-8 unless `contentType` says otherwise.
  public init(status: Int = 200, text: String, contentType: String = "text/plain; charset=utf-8") {
    self.init(status: status, headers: [("Content-Type", contentType)], body: .bytes(Array(text.utf8)))
  }
}

/// The reasons why a server answers a request itself, without its handler or in place of the handler's answer.
public enum HTTPServerRefusal: Sendable, CaseIterable {
  /// The target of the request is malformed.
  case malformed
  /// The length of the body is stated twice, or in a form that another server could read differently.
  case ambiguousLength
  /// The body has more bytes than are accepted.
  case tooLarge
  /// The bodies of all requests together leave no room for this one.
  case crowded
  /// The server is being stopped.
  case stopping
  /// The handler's answer cannot be sent.
  case broken

  /// The status (RFC 9110).
  public var status: Int {
    switch self {
    case .malformed, .ambiguousLength: 400
    case .tooLarge: 413
    case .broken: 500
    case .crowded, .stopping: 503
    }
  }

  /// The reason as a sentence.
  public var text: String {
    switch self {
    case .malformed: "The address is malformed."
    case .ambiguousLength: "The length of the body is not stated once, in a form that is allowed."
    case .tooLarge: "The body is too large."
    case .crowded: "Too much is being sent at once. Try again."
    case .stopping: "The server is stopping."
    case .broken: "The answer could not be sent."
    }
  }

  /// True if the connection is closed after this answer, as the rest of the request may still come.
  var ends: Bool { self != .broken }
}
