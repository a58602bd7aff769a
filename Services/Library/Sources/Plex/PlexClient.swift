import HTTP
import Messages
import Model
import Records
import Synchronization

/// Sends requests to one Plex server, with its token and to the address that works now, and retries readings that fail.
struct PlexClient: Sendable {
  let name: String
  let http: HTTPClient
  let device: PlexDevice
  let token: PlexSecret
  var endpoint: any PlexEndpoint
  /// Waits between two tries; replaced in tests.
  var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// The pauses before the second and third try of a reading.
  static let pauses: [Duration] = [.milliseconds(500), .seconds(2)]
  /// The largest answer, in bytes, decompressed. Pages have at most 500 rows.
  static let pageLimit = 32 << 20

  var headers: [(String, String)] { device.headers + (token.text.map { [("X-Plex-Token", $0)] } ?? []) }

  /// Returns the headers of every request together with others, which replace those of the same name.
  func headers(with others: [(String, String)]) -> [(String, String)] {
    headers.filter { header in !others.contains { $0.0 == header.0 } } + others
  }

  /// Reads a page; retried where the server is busy or unreachable, or its answer is malformed. Throws
  /// `library.signedOut`, `library.gone`, `library.sourceAway`, `CancellationError`.
  func page(_ path: String, _ query: PlexQuery = PlexQuery(), headers: [(String, String)] = []) async throws
    -> (page: PlexPage, date: Int?)
  {
    try await retrying {
      let response = try await request(.reads, "GET", path, query, headers: headers)
      do { return (try PlexPage(response.body, of: name), response.date) } catch {
        await endpoint.recheck()
        throw error
      }
    }
  }

  /// An answer about the details of several items.
  enum Details: Sendable {
    case page(PlexPage)
    /// The server has none of the items.
    case gone
    /// The answer is an error, which one of the items may cause.
    case refused
  }

  /// Reads the details of several items at once. A server that is busy is asked again if `isRetried`. Throws
  /// `library.signedOut`, `library.sourceAway` where there is no answer at all, `CancellationError`.
  func details(_ path: String, _ query: PlexQuery, isRetried: Bool) async throws -> Details {
    var pauses = isRetried ? Self.pauses[...] : []
    while true {
      let response = try await retrying { try await send(.reads, "GET", path, query) }
      guard response.status != 401 else { throw PlexError.signedOut(name) }
      if response.status == 200, let container = JSONView(response.body)?["MediaContainer"] {
        return .page(PlexPage(container))
      }
      if response.status == 404, PlexError.isOfServer(response) { return .gone }
      guard !(400..<500).contains(response.status), let pause = pauses.popFirst() else { return .refused }
      try await self.pause(pause)
    }
  }

  /// Calls `body` up to three times while it fails with `library.sourceAway`.
  func retrying<Value>(_ body: () async throws -> Value) async throws -> Value {
    for pause in Self.pauses {
      do { return try await body() } catch let error as LunaraError where error.code == "library.sourceAway" {
        try await self.pause(pause)
      }
    }
    return try await body()
  }

  /// Sends one request without a retry: the server may have carried out a request that failed.
  @discardableResult func request(
    _ effect: HTTPRequest.Effect, _ method: String, _ path: String, _ query: PlexQuery = PlexQuery(),
    headers: [(String, String)] = []
  ) async throws -> HTTPResponse {
    let response = try await send(effect, method, path, query, headers: headers)
    if let error = PlexError.from(response, name) {
      await endpoint.recheck()
      throw error
    }
    return response
  }

  /// Sends one request and returns the answer, whatever its status. Before a request that changes something, the server
  /// is asked which machine it is. Throws `library.sourceAway` where there is no answer, `library.otherServer`, and
  /// `CancellationError`.
  func send(
    _ effect: HTTPRequest.Effect, _ method: String, _ path: String, _ query: PlexQuery = PlexQuery(),
    headers extra: [(String, String)] = []
  ) async throws -> HTTPResponse {
    let base = try await endpoint.base(isFresh: effect == .changes)
    let url = try url(path, query, at: base)
    do {
      let response = try await http.send(
        HTTPRequest(
          effect, method: method, url: url, headers: headers(with: extra), timeout: .seconds(30),
          responseLimit: Self.pageLimit))
      if response.status == 200 { _ = await endpoint.confirm() }
      return response
    } catch let error as LunaraError {
      await endpoint.failed(base, error)
      throw SourceError.unreachable(name, error)
    }
  }

  /// Returns the address of a path at the server. Throws `library.sourceAway` for a path that leads elsewhere.
  func url(_ path: String, _ query: PlexQuery = PlexQuery(), at base: String) throws -> String {
    guard let url = HTTPBaseAddress(base)?.url(path + query.text) else { throw PlexError.leadsElsewhere(name) }
    return url
  }
}

/// The description of this household that goes with every request to Plex.
struct PlexDevice: Hashable, Sendable {
  /// The id under which Plex lists the household among an account's devices; created once and stored.
  var identifier: String
  /// The name that people see among the devices of their account.
  var name = "Lunara"

  var headers: [(String, String)] {
    [
      ("Accept", "application/json"), ("X-Plex-Client-Identifier", identifier), ("X-Plex-Product", "Lunara"),
      ("X-Plex-Version", LunaraVersion.current), ("X-Plex-Platform", "Linux"), ("X-Plex-Device", "Linux"),
      ("X-Plex-Device-Name", name), ("X-Plex-Model", "hosted"),
    ]
  }
}

/// A token that can be changed while clients use it, and that is not shown when it is printed or dumped.
final class PlexSecret: Sendable, CustomStringConvertible, CustomReflectable {
  private let held: Mutex<String?>

  init(_ text: String?) { held = Mutex(text) }

  /// nil if nobody is signed in.
  var text: String? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }

  var description: String { "a secret" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

/// The errors of a Plex server, in the words of `MusicServer`. They name the server and never an address with a token.
enum PlexError {
  static func unreadableAnswer(_ server: String) -> LunaraError { SourceError.unreadableAnswer(server, kind: "Plex") }

  static func signedOut(_ server: String) -> LunaraError {
    LunaraError(
      "library.signedOut",
      "\(server) no longer takes the sign-in. Sign in again with `lunara login plex`, or with `lunara sources add plex ADDRESS` where it has a token of its own; what is known stays listed."
    )
  }

  /// The machine at an address is another one than that whose music is listed.
  static func otherServer(_ server: String) -> LunaraError {
    LunaraError(
      "library.otherServer",
      "\(server) is another one than the one whose music is listed, so nothing is sent to it or played from it. Correct the address, or run `lunara sync --accept-deletions SOURCE` if it has taken its place."
    )
  }

  /// The server named an address that is malformed or leads to another server.
  static func leadsElsewhere(_ server: String) -> LunaraError {
    LunaraError(
      "library.sourceAway",
      "\(server) named an address that is malformed or leads to another server, so it is not used. Analyse the item anew at the server."
    )
  }

  /// Returns true if an answer is the server's own, and not that of a proxy before it, which has a 404 for anything
  /// while the server is away.
  static func isOfServer(_ response: HTTPResponse) -> Bool { response.header("X-Plex-Protocol") != nil }

  /// Returns the error of an answer; nil for 200 to 299.
  static func from(_ response: HTTPResponse, _ server: String) -> LunaraError? {
    guard response.status != 404 || isOfServer(response) else {
      return SourceError.refused(server, cause: "HTTP status 404, which does not come from Plex")
    }
    return from(response.status, server)
  }

  /// Returns the error of an HTTP status; nil for 200 to 299.
  static func from(_ status: Int, _ server: String) -> LunaraError? {
    switch status {
    case 200..<300: nil
    case 401: signedOut(server)
    case 404: SourceError.gone(server, cause: "HTTP status 404")
    default: SourceError.refused(server, cause: "HTTP status \(status)")
    }
  }
}
