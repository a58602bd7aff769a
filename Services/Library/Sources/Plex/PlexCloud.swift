import HTTP
import Messages
import Model
import Records
import Text

/// The parts of plex.tv that a player needs: codes for signing in, the account of a token, and the servers it may use.
struct PlexCloud: Sendable {
  static let usual = "https://plex.tv"
  /// The host with the list of servers that belongs to `usual`.
  private static let usualClients = "https://clients.plex.tv"

  let http: HTTPClient
  let device: PlexDevice
  /// The base address, without a slash at its end.
  let base: String

  init(http: HTTPClient, device: PlexDevice, base: String? = nil) {
    self.http = http
    self.device = device
    var base = base ?? Self.usual
    while base.hasSuffix("/") { base.removeLast() }
    self.base = base
  }

  struct Pin: Hashable, Sendable {
    var id: String
    var code: String
    /// The number of seconds for which the code is valid.
    var lifetime: Int
  }

  enum PinState: Hashable, Sendable {
    case waiting
    /// plex.tv answers no requests now, for the given time if it says one.
    case limited(Duration?)
    case confirmed(token: String)
    case expired
  }

  struct Listing: Hashable, Sendable {
    var machine: String
    var name: String
    var token: String?
    var isOwned: Bool
    var places: [PlexConnection.Candidate]
  }

  /// Requests a code: a short one to be typed at plex.tv/link, or a strong one for a link. Throws
  /// `library.signInUnavailable`.
  func pin(isStrong: Bool) async throws -> Pin {
    let query = isStrong ? PlexQuery(["strong": "true"]) : PlexQuery()
    let pin = try await ask(.changes, "POST", "\(base)/api/v2/pins\(query.text)")
    guard let pin, let id = pin["id"]?.string, let code = pin["code"]?.string else {
      throw unavailable("The answer has no code.")
    }
    return Pin(id: id, code: code, lifetime: Int(clamping: pin["expiresIn"]?.integer ?? 900))
  }

  /// Requests the state of a code. Throws `library.signInUnavailable`.
  func state(of pin: Pin) async throws -> PinState {
    let response = try await send(.reads, "GET", "\(base)/api/v2/pins/\(PlexQuery.encoded(pin.id))")
    if response.status == 404 { return .expired }
    if response.status == 429 || response.status == 503 {
      return .limited(response.retryAfter(now: Int(Timestamp.now().seconds)))
    }
    let answer = try content(of: response)
    guard let token = answer["authToken"]?.string, !token.isEmpty else { return .waiting }
    return .confirmed(token: token)
  }

  /// Returns the name of a token's account; nil only where the token is refused. Throws `library.signInUnavailable` for
  /// any other failure.
  func account(_ token: String) async throws -> String? {
    guard let user = try await ask(.reads, "GET", "\(base)/api/v2/user", token: token, nilFor: 401) else { return nil }
    return [user["title"], user["username"], user["friendlyName"], user["email"]].lazy.compactMap { $0?.text }.first
      ?? "Plex"
  }

  /// The servers that an account may use; nil if its token is refused. Throws `library.signInUnavailable`.
  func servers(_ token: String) async throws -> [Listing]? {
    let clients = base == Self.usual ? Self.usualClients : base
    let query = PlexQuery(["includeHttps": "1", "includeRelay": "1", "includeIPv6": "1"])
    let list = try await ask(.reads, "GET", "\(clients)/api/v2/resources\(query.text)", token: token, nilFor: 401)
    return list?.elements.compactMap { Self.listing($0) }
  }

  private static func listing(_ row: JSONView) -> Listing? {
    let provides = row["provides"]?.string?.split(separator: ",").map { String($0).trimmed } ?? []
    guard provides.contains("server"), let machine = row["clientIdentifier"]?.string else { return nil }
    let isSecureOnly = row["httpsRequired"]?.isTrue ?? false
    var places: [PlexConnection.Candidate] = []
    for connection in row["connections"]?.elements ?? [] {
      guard let address = connection["uri"]?.string.flatMap({ HTTPBaseAddress($0) }) else { continue }
      guard address.isEncrypted || !isSecureOnly else { continue }
      let isLocal = connection["local"]?.isTrue ?? false
      let isRelay = connection["relay"]?.isTrue ?? false
      places.append(.init(url: address.base, kind: isRelay ? .relay : isLocal ? .local : .remote))
    }
    var seen: Set<String> = []
    places = places.filter { seen.insert($0.url).inserted }
    return Listing(
      machine: machine, name: row["name"]?.text ?? "Plex", token: row["accessToken"]?.string,
      isOwned: row["owned"]?.isTrue ?? false, places: places)
  }

  /// Sends one request and returns its answer; nil for the status `refusal`.
  private func ask(
    _ effect: HTTPRequest.Effect, _ method: String, _ url: String, token: String? = nil, nilFor refusal: Int? = nil
  ) async throws -> JSONView? {
    let response = try await send(effect, method, url, token: token)
    return response.status == refusal ? nil : try content(of: response)
  }

  private func send(
    _ effect: HTTPRequest.Effect, _ method: String, _ url: String, token: String? = nil
  ) async throws -> HTTPResponse {
    let headers = device.headers + (token.map { [("X-Plex-Token", $0)] } ?? [])
    do {
      return try await http.send(HTTPRequest(effect, method: method, url: url, headers: headers, timeout: .seconds(15)))
    } catch let error as LunaraError {
      throw unavailable(error.cause.map { "\(error.message) (\($0))" } ?? error.message)
    }
  }

  private func content(of response: HTTPResponse) throws -> JSONView {
    guard (200..<300).contains(response.status), let answer = JSONView(response.body) else {
      throw unavailable("HTTP status \(response.status)")
    }
    return answer
  }

  private func unavailable(_ cause: String) -> LunaraError {
    LunaraError(
      "library.signInUnavailable",
      "The sign-in at Plex does not answer as it should. Check the connection to the internet and try again later.",
      cause: cause)
  }
}
