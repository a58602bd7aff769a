import HTTP
import Messages
import Model
import Synchronization

/// Sends requests to one Plex server, with its token and to the address that works now, and retries readings that fail.
struct PlexClient: Sendable {
  let name: String
  let http: HTTPClient
  let device: PlexDevice
  let token: PlexSecret
  let endpoint: any PlexEndpoint
  /// Waits between two tries; replaced in tests.
  var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// The pauses before the second and third try of a reading.
  static let pauses: [Duration] = [.milliseconds(500), .seconds(2)]
  /// The largest answer, in bytes, decompressed.
  static let pageLimit = 64 << 20

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
      let response = try await request("GET", path, query, headers: headers)
      return (try PlexPage(response.body, of: name), response.date)
    }
  }

  /// Reads the details of several items at once; nil where the answer is an error, which one of the items may cause. A
  /// server that is busy is asked again if `isRetried`. Throws `library.signedOut`, `library.sourceAway` where there is
  /// no answer at all, `CancellationError`.
  func details(_ path: String, _ query: PlexQuery, isRetried: Bool) async throws -> PlexPage? {
    var pauses = isRetried ? Self.pauses[...] : []
    while true {
      let response = try await retrying { try await send("GET", path, query) }
      guard response.status != 401 else { throw PlexError.signedOut(name) }
      if response.status == 200, let container = JSONView(response.body)?["MediaContainer"] {
        return PlexPage(container)
      }
      guard !(400..<500).contains(response.status), let pause = pauses.popFirst() else { return nil }
      try await self.pause(pause)
    }
  }

  /// Calls `body` up to three times while it fails with `library.sourceAway`.
  private func retrying<Value>(_ body: () async throws -> Value) async throws -> Value {
    for pause in Self.pauses {
      do { return try await body() } catch let error as LunaraError where error.code == "library.sourceAway" {
        try await self.pause(pause)
      }
    }
    return try await body()
  }

  /// Sends one request without a retry: the server may have carried out a request that failed.
  @discardableResult func request(
    _ method: String, _ path: String, _ query: PlexQuery = PlexQuery(), headers: [(String, String)] = []
  ) async throws -> HTTPResponse {
    let response = try await send(method, path, query, headers: headers)
    if let error = PlexError.from(response.status, name) { throw error }
    return response
  }

  /// Sends one request and returns the answer, whatever its status. Throws `library.sourceAway` where there is none,
  /// and `CancellationError`.
  func send(
    _ method: String, _ path: String, _ query: PlexQuery = PlexQuery(), headers extra: [(String, String)] = []
  ) async throws -> HTTPResponse {
    let base = try await endpoint.base()
    do {
      return try await http.send(
        HTTPRequest(
          method: method, url: base + path + query.text, headers: headers(with: extra), timeout: .seconds(30),
          responseLimit: Self.pageLimit))
    } catch let error as LunaraError {
      await endpoint.failed(base, error)
      throw SourceError.unreachable(name, error)
    }
  }
}

/// The address of a Plex server: a typed one, or the best of those that the server reports.
protocol PlexEndpoint: Sendable {
  /// Returns the base address that answers, without a slash at its end. Throws `library.sourceAway` where none does.
  func base() async throws -> String

  /// Reports that a request to a base address failed, so that another one may be chosen.
  func failed(_ base: String, _ error: LunaraError) async

  /// Returns the machine id of the server at this address; nil where the server has to be asked for it.
  func machine() async throws -> String?
}

struct PlexAddress: PlexEndpoint {
  let url: String

  /// The address without the part before an `@`, which may be a secret.
  var shown: String {
    let rest = url.drop { $0 != "/" }.dropFirst(2)
    return String(rest.split(separator: "@").last ?? rest)
  }

  /// Reads `http://nas:32400`, `nas` or `nas:32400`.
  init(_ text: String) {
    var url = text.contains("://") ? text : "http://\(text)"
    while url.hasSuffix("/") { url.removeLast() }
    let rest = url.drop { $0 != "/" }.dropFirst(2)
    let host = rest.prefix { $0 != "/" }
    let hasPort = host.hasPrefix("[") ? !host.hasSuffix("]") : host.contains(":")
    // The default port of Plex; with https there is usually a proxy on the default port of https.
    if !hasPort, url.hasPrefix("http://"), !rest.contains("/") { url += ":32400" }
    self.url = url
  }

  /// Refuses an address that may contain a user, a password or a token, as addresses are shown. Throws
  /// `library.badAddress`, without the address.
  static func check(_ text: String) throws {
    guard text.contains(where: { $0 == "@" || $0 == "?" || $0 == "#" || $0.isWhitespace }) else { return }
    throw SourceError.carriesSecret(PlexServer.kind)
  }

  func base() async -> String { url }
  func failed(_ base: String, _ error: LunaraError) async {}
  func machine() async -> String? { nil }
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

  /// nil where nobody is signed in.
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
      "\(server) no longer takes the sign-in. Sign in again with `lunara login plex`; what is known stays listed.")
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
