import Bus
import HTTP
import Messages
import Model
import Storage

/// Reads from ListenBrainz and Last.fm for other services of the household, so that an account is signed in once and
/// its token stays in this process.
///
/// Each service is sent one request at a time. Where it asks for a pause, it is not asked before the pause is over.
/// Deliveries of listens have limits of their own, which a reader respects but never sets.
actor ServiceReader {
  /// The most bytes of an answer of a service that are read.
  private static let mostBytes = 256 * 1024
  /// The most bytes of a body inside an answer on the bus, with its escapes.
  private static let mostEscapedBytes = 200_000
  /// The shortest time between two requests to a service.
  private static let pace = Duration.milliseconds(250)
  /// The pause after an answer that says that there were too many requests, and not how long to wait.
  private static let usualPause = Milliseconds(300_000)

  private let accounts: AccountContext
  private let now: @Sendable () -> Timestamp
  private let sleep: @Sendable (Duration) async throws -> Void
  private var quietUntil: [String: Timestamp] = [:]
  private var lastRequest: [String: ContinuousClock.Instant] = [:]
  /// By service, the end of the request that was begun last.
  private var ends: [String: Task<Void, Never>] = [:]

  init(
    _ accounts: AccountContext, now: @escaping @Sendable () -> Timestamp = { .now() },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.accounts = accounts
    self.now = now
    self.sleep = sleep
  }

  nonisolated func serve(on node: Node) async {
    await node.serve(Scrobble.ReadFromService.self) { request, _ in try await self.read(request) }
  }

  /// Returns the answer of a service, after those that were asked for before.
  ///
  /// - Throws: `scrobble.unknownService`, `scrobble.noAccount`, `scrobble.notReadable`, `scrobble.serviceAway`.
  func read(_ request: Scrobble.ReadFromService) async throws -> Scrobble.ServiceAnswer {
    let before = ends[request.service]
    let task = Task {
      await before?.value
      return try await self.ask(request)
    }
    ends[request.service] = Task { _ = await task.result }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private func ask(_ request: Scrobble.ReadFromService) async throws -> Scrobble.ServiceAnswer {
    let account = try await account(of: request.service)
    let readable = try ReadableRequest(request, user: account.flatMap(Self.user))
    let (service, address) = try accounts.service(
      request.service, at: account.flatMap { $0.address.isEmpty ? nil : $0.address })
    let http = try httpRequest(readable, of: account, service, address)
    let waits = max(
      quietUntil[request.service] ?? .init(microseconds: 0), account?.status.notBefore ?? .init(microseconds: 0))
    if waits > now() { return Scrobble.ServiceAnswer(status: 429, body: "", waitsUntil: waits) }
    if let last = lastRequest[request.service] {
      let rest = Self.pace - last.duration(to: .now)
      if rest > .zero { try await sleep(rest) }
    }
    lastRequest[request.service] = .now
    do {
      let response = try await accounts.http.send(http)
      guard !(300..<400).contains(response.status) else {
        throw ScrobbleError.away(address.host, cause: "it redirects to another address (\(response.status))")
      }
      return answer(response, of: request.service)
    } catch let error as LunaraError where error.code == "http.tooLarge" {
      return Scrobble.ServiceAnswer(status: 413, body: "")
    } catch let error as LunaraError where error.code.hasPrefix("http.") {
      throw ScrobbleError.away(address.host, cause: error.message)
    }
  }

  /// Returns the account with which a service is read: one that is signed in and on, or else one that is signed in.
  private func account(of service: String) async throws -> StoredAccount? {
    let signedIn = try await accounts.database.read(AccountStore.all).filter {
      $0.service == service && $0.status.pause != .signedOut
    }
    return signedIn.first { $0.isOn } ?? signedIn.first
  }

  /// Returns the user of an account, whose name has the server's host behind it where that is not the service's own.
  private static func user(of account: StoredAccount) -> String? {
    guard account.name != "settings" || !account.isFromSettings else { return nil }
    guard let end = account.name.lastIndex(of: "@"), !account.address.isEmpty else { return account.name }
    let host = account.name[account.name.index(after: end)...]
    return account.address.contains("//\(host)") ? String(account.name[..<end]) : account.name
  }

  /// - Throws: `scrobble.noAccount`, `settings.credentials…`.
  private func httpRequest(
    _ readable: ReadableRequest, of account: StoredAccount?, _ service: any ScrobbleService, _ address: ServerAddress
  ) throws -> HTTPRequest {
    let kind = type(of: service)
    var credentials: Credentials?
    if let account {
      credentials =
        account.isFromSettings
        ? Credentials(token: accounts.token(of: kind)?.text) : try accounts.credentials.read(account.key)
    }
    let isLastFM = address.service == LastFMService.descriptor.kind
    var request: HTTPRequest
    if isLastFM {
      guard let key = accounts.setting("LUNARA_LASTFM_KEY") ?? credentials?.key else {
        throw ScrobbleError.noAccount(address.service)
      }
      var parameters = readable.parameters
      parameters["method"] = readable.path
      parameters["api_key"] = key
      parameters["format"] = "json"
      request = HTTPRequest(.reads, url: address.text + ReadableRequest.query(parameters))
    } else {
      guard let token = credentials?.token else { throw ScrobbleError.noAccount(address.service) }
      request = HTTPRequest(
        .reads, method: readable.body == nil ? "GET" : "POST",
        url: "\(address.text)/\(readable.path)\(ReadableRequest.query(readable.parameters))",
        headers: [("Authorization", "Token \(token)")], body: readable.body)
      if readable.body != nil { request.headers.append(("Content-Type", "application/json")) }
    }
    request.timeout = .seconds(20)
    request.responseLimit = Self.mostBytes
    // A redirection would send the token to another server.
    request.redirectLimit = 0
    return request
  }

  /// Returns the answer for the bus, and notes the pause for which the service asks.
  private func answer(_ response: HTTPResponse, of service: String) -> Scrobble.ServiceAnswer {
    var status = response.status
    if service == LastFMService.descriptor.kind { status = Self.lastFMStatus(response) }
    let time = now()
    let reset = response.header("X-RateLimit-Reset-In").flatMap { Int64($0) }.map { max(0, min($0, 86_400)) }
    let isEmpty = response.header("X-RateLimit-Remaining").flatMap { Int64($0) }.map { $0 <= 0 } ?? false
    var waits: Timestamp?
    if status == 429 || status == 503 {
      let asked = response.retryAfter(now: Int(time.seconds)).map { Milliseconds($0.components.seconds * 1000) }
      let pause = [asked, reset.map { Milliseconds($0 * 1000) }].compactMap(\.self).max()
      if let pause = pause ?? (status == 429 ? Self.usualPause : nil) {
        waits = time - Milliseconds(-max(1000, pause.rawValue))
      }
    } else if isEmpty, let reset {
      waits = time - Milliseconds(-reset * 1000)
    }
    if let waits { quietUntil[service] = waits }
    let escaped = response.body.reduce(0) { size, byte in
      size + (byte < 32 ? 6 : byte > 126 ? 3 : byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? 2 : 1)
    }
    guard escaped <= Self.mostEscapedBytes else {
      return Scrobble.ServiceAnswer(status: 413, body: "", waitsUntil: waits)
    }
    return Scrobble.ServiceAnswer(
      status: status, body: String(decoding: response.body, as: UTF8.self), waitsUntil: waits)
  }

  /// Returns the status of an answer of Last.fm, which reports errors with the status 200 as well
  /// (last.fm/api/errorcodes).
  private static func lastFMStatus(_ response: HTTPResponse) -> Int {
    guard let view = JSONView(response.body), view.isObject, let code = view["error"]?.integer else {
      return response.status
    }
    switch code {
    case 29: return 429
    case 8, 11, 16: return 503
    case 6, 7: return 404
    case 4, 9, 10, 13, 14, 15, 17, 26: return 403
    default: return response.status == 200 ? 400 : response.status
    }
  }
}
