import HTTP
import Messages
import Model
import Records

/// The address of a Plex server, at which the machine answers whose music is listed: a typed one, or the best of those
/// that the server reports.
///
/// Another machine may get an address at any time. So the machine is checked before requests. The check counts while
/// answers come, and then for as long as the HTTP client keeps an idle connection. Before ratings, plays and audio it
/// is always made.
protocol PlexEndpoint: Sendable {
  /// Returns the base address, without a slash at its end. Throws `library.sourceAway` where it does not answer, and
  /// `library.otherServer` where another machine answers.
  ///
  /// - Parameter isFresh: true to check the machine now.
  func base(isFresh: Bool) async throws -> String

  /// Reports that a request to a base address failed, so that another one may be chosen.
  func failed(_ base: String, _ error: LunaraError) async

  /// Makes the next request check the machine: the server answered oddly.
  func recheck() async

  /// Counts the machine as checked now, as it still answers on a connection that was opened after a check. Returns its
  /// id; nil if it has to be checked.
  func confirm() async -> String?

  /// Returns the id of the machine that answers now, which may be another one than expected. Throws
  /// `library.sourceAway`, `library.serverUntrusted`, `library.wrongServerKind`.
  func machine() async throws -> String

  /// Changes which machine is expected.
  func expect(_ machine: String) async

  /// Returns an endpoint of the same address that expects this machine.
  func expecting(_ machine: String) -> any PlexEndpoint
}

extension PlexEndpoint {
  /// Returns the base address; the machine may have been checked a moment ago.
  func base() async throws -> String { try await base(isFresh: false) }
}

/// Asks which machine a Plex server is.
enum PlexIdentity {
  /// The time for which a check of the machine counts: that for which the HTTP client keeps connections.
  static let lifetime = Duration.seconds(10)

  /// Returns the id of the machine at an address, and the HTTP status; a nil id if the answer has none. Sends no token.
  /// Throws the errors of `HTTPClient.send`.
  static func machine(
    at base: String, _ http: HTTPClient, patience: Duration = .seconds(30)
  ) async throws -> (id: String?, status: Int) {
    let request = HTTPRequest(
      .reads, url: base + "/identity", headers: [("Accept", "application/json")], timeout: patience,
      responseLimit: 65_536)
    let response = try await http.send(request)
    return (JSONView(response.body)?["MediaContainer"]?["machineIdentifier"]?.text, response.status)
  }
}

/// An address as a person types it.
struct PlexAddress: Hashable, Sendable {
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

  /// Returns the base address of a text. Throws `library.badAddress`, without the address, where it may contain a user,
  /// a password or a token, as addresses are shown.
  static func base(of text: String) throws -> String {
    guard !text.contains(where: { $0 == "@" || $0 == "?" || $0 == "#" || $0.isWhitespace }) else {
      throw SourceError.carriesSecret(PlexServer.kind)
    }
    return PlexAddress(text).url
  }
}

/// A typed address, which is used only while the expected machine answers there.
actor PlexTypedEndpoint: PlexEndpoint {
  private let address: PlexAddress
  private let http: HTTPClient
  /// The machine whose music is listed; nil before the first refresh.
  private var expected: String?
  private var checkedAt: ContinuousClock.Instant?
  private let lifetime: Duration

  init(
    _ address: PlexAddress, expecting machine: String? = nil, http: HTTPClient,
    lifetime: Duration = PlexIdentity.lifetime
  ) {
    self.address = address
    expected = machine
    self.http = http
    self.lifetime = lifetime
  }

  /// The server as errors name it.
  nonisolated var name: String { "The Plex server at \(address.shown)" }

  func base(isFresh: Bool) async throws -> String {
    guard expected != nil else { return address.url }
    if !isFresh, let checkedAt, checkedAt.duration(to: .now) < lifetime { return address.url }
    guard try await machine() == expected else { throw PlexError.otherServer(name) }
    return address.url
  }

  func machine() async throws -> String {
    checkedAt = nil
    let answer: (id: String?, status: Int)
    do { answer = try await PlexIdentity.machine(at: address.url, http) } catch let error as LunaraError {
      throw SourceError.unreachable(name, error)
    }
    guard let found = answer.id else { throw SourceError.noSuchServer(name, kind: "Plex", status: answer.status) }
    if found == expected { checkedAt = .now }
    return found
  }

  func confirm() -> String? {
    guard checkedAt != nil else { return nil }
    checkedAt = .now
    return expected
  }

  func failed(_ base: String, _ error: LunaraError) { checkedAt = nil }
  func recheck() { checkedAt = nil }
  func expect(_ machine: String) { expected = machine }

  nonisolated func expecting(_ machine: String) -> any PlexEndpoint {
    PlexTypedEndpoint(address, expecting: machine, http: http, lifetime: lifetime)
  }
}
