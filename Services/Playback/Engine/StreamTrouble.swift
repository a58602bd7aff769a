/// What came between this room and a server, as the libraries that libmpv uses say it.
enum StreamFailure: Hashable, Sendable {
  /// The server answered with this status.
  case status(Int)
  /// The server could not be reached, or the connection broke.
  case network(Network)

  /// What happened on the way to a server.
  enum Network: String, Hashable, Sendable, CaseIterable {
    case unknownName = "the server's name is not known"
    case refused = "the connection was refused"
    case timedOut = "the server did not answer in time"
    case insecure = "no secure connection could be made"
    case broke = "the connection broke"
  }

  /// Reads a line of libmpv's log (libavformat 59: http.c, tcp.c, tls.c; `av_err2str`); nil for one that says nothing
  /// about it.
  init?(_ line: String) {
    if let status = Self.status(after: "HTTP error ", in: line) ?? Self.status(after: "Server returned ", in: line) {
      self = .status(status)
      return
    }
    guard let found = Self.signs.first(where: { line.contains($0.sign) }) else { return nil }
    self = .network(found.means)
  }

  private static let signs: [(sign: String, means: Network)] = [
    ("Failed to resolve hostname", .unknownName), ("Connection refused", .refused), ("timed out", .timedOut),
    ("No route to host", .refused), ("Network is unreachable", .refused), ("tls: ", .insecure),
    ("ertificate", .insecure), ("Stream ends prematurely", .broke), ("Will reconnect at", .broke),
    ("Failed to reconnect", .broke), ("Connection reset", .broke), ("Broken pipe", .broke),
    ("Input/output error", .broke),
  ]

  /// `404`, or `5XX` where that is all it says.
  private static func status(after words: String, in line: String) -> Int? {
    guard let range = line.firstRange(of: words) else { return nil }
    let digits = line[range.upperBound...].prefix(3)
    guard digits.utf8.count == 3 else { return nil }
    return Int(digits.hasSuffix("XX") ? digits.prefix(1) + "00" : digits)
  }

  /// Of two, the one that says more.
  func joined(with later: StreamFailure) -> StreamFailure {
    switch (self, later) {
    case (_, .status): later
    case (.network(.broke), .network): later
    default: self
    }
  }

  /// The trouble in a few words, which name no server.
  var words: String {
    switch self {
    case .status(let status): "HTTP \(status)"
    case .network(let network): network.rawValue
    }
  }
}
