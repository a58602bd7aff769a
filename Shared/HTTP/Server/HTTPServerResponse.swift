public import Model

/// What a server's handler answers.
public struct HTTPServerResponse: Sendable {
  /// What is sent after the headers.
  public enum Body: Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// A regular file, by the kernel's sendfile; `Range`, `ETag` and `Last-Modified` are taken care of. One that cannot
    /// be read is answered with 404.
    case file(LocalPath)
    /// A file that is open already, else like `file`. The answer ends early where the file changes while it is sent, so
    /// that nobody takes the parts of two for one.
    case opened(OpenFile)
    /// What comes, as it comes, until the stream ends or the client goes, which ends the stream. At most 256 KiB wait
    /// for a slow client; one that takes nothing for the server's patience is dropped.
    case stream(AsyncStream<[UInt8]>)
  }

  /// The status, for example 200.
  public var status: Int
  /// Names and values of the headers. `Content-Length`, `Date` and those of ranges are added.
  public var headers: [(String, String)]
  /// The body.
  public var body: Body

  /// Makes an answer from its parts.
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
