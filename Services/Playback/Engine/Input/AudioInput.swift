import Model

/// The bytes of one file or stream. One thread reads at a time; any thread may cancel.
protocol AudioInput: AnyObject, Sendable {
  /// The length in bytes; nil if it is not known.
  var size: Int64? { get }
  /// True if `seek` works.
  var isSeekable: Bool { get }
  /// Returns the first bytes, at most `count`, without moving the position. Must be called before the first `read`.
  func head(_ count: Int) throws(InputFailure) -> [UInt8]
  /// Reads bytes at the position and moves it; returns their number, 0 at the end. Blocks while there are none.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int
  /// Moves the position, in bytes from the start.
  func seek(to offset: Int64) throws(InputFailure)
  /// Makes the present call and all later ones of `read` and `seek` fail with `InputFailure.cancelled`, and closes the
  /// file or the connection.
  func cancel()
}

/// The reason why the bytes of a cue cannot be read.
enum InputFailure: Error, Hashable, Sendable {
  /// The reading was given up, as the cue is no longer wanted.
  case cancelled
  /// The file cannot be opened, or its content is not audio.
  case unusable(LunaraError)
  case stream(StreamFailure)
}

/// A failure between this room and a server.
enum StreamFailure: Hashable, Sendable {
  /// The server answered with this HTTP status.
  case status(Int)
  /// The server could not be reached, or the connection broke.
  case network(Network)

  enum Network: String, Hashable, Sendable, CaseIterable {
    case unreachable = "the server could not be reached"
    case timedOut = "the server did not answer in time"
    case insecure = "no secure connection could be made"
    case misdirected = "the server sent elsewhere without end, or where it may not"
    case broke = "the connection broke"
  }

  /// Reads an error of `HTTPClient`.
  init(_ error: LunaraError) {
    self =
      switch error.code {
      case "http.unreachable": .network(.unreachable)
      case "http.timeout": .network(.timedOut)
      case "http.insecure": .network(.insecure)
      case "http.tooManyRedirects", "http.redirectRefused", "http.privateAddress": .network(.misdirected)
      default: .network(.broke)
      }
  }

  /// The failure in a few words, which do not name the server.
  var summary: String {
    switch self {
    case .status(let status): "HTTP \(status)"
    case .network(let network): network.rawValue
    }
  }
}
