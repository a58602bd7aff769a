import HTTP
import Messages
import Model
import Plugins
import System

/// Asks the network for plugins, which have no access of their own, and bounds what each of them may ask.
actor PluginNetwork {
  /// The bounds of a plugin.
  struct Limits: Sendable {
    /// The most bytes of the body of a request, and of an answer.
    var body = 256 << 10
    var answer = 8 << 20
    /// The time that a request may take.
    var time = Duration.seconds(20)
    /// The most requests at the same time.
    var atOnce = 4
    /// The most requests within a minute.
    var perMinute = 60
    /// The most redirections of a request.
    var redirects = 5
  }

  /// The answer of a server.
  struct Answer: Sendable {
    var status: Int
    var text: String
    var url: String
  }

  private struct Usage {
    var starts: [Milliseconds] = []
    var running = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// Headers that a plugin may not set, in lower case: they belong to the connection, or to another program.
  private static let refusedHeaders: Set = [
    "host", "cookie", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "expect",
    "proxy-authorization", "proxy-connection", "keep-alive",
  ]
  /// The code of the client's error for an address that `mayConnect` refuses.
  private static let refusedAddress = "http.addressRefused"
  private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

  private let http: HTTPClient
  private let household: HouseholdServers
  private let limits: Limits
  private let now: @Sendable () -> Milliseconds
  private var usages: [String: Usage] = [:]
  private var apple = ApplePacing()

  init(
    http: HTTPClient, household: HouseholdServers, limits: Limits = Limits(),
    now: @escaping @Sendable () -> Milliseconds = { MonotonicClock.milliseconds() }
  ) {
    self.http = http
    self.household = household
    self.limits = limits
    self.now = now
  }

  /// Sends a request of a plugin.
  ///
  /// - Parameters:
  ///   - fields: `url`, `method`, `headers` and `body`, as the plugin wrote them.
  ///   - plugin: its id.
  ///   - access: the servers that it may ask.
  /// - Throws: `resolver.hostRefused`, `resolver.householdRefused`, `resolver.requestRefused`, and the errors of
  ///   `HTTPClient.send`.
  func send(_ fields: JSONView, of plugin: String, _ access: PluginAccess) async throws -> Answer {
    let request = try request(fields, access)
    try await begin(plugin)
    defer { end(plugin) }
    let response: HTTPResponse
    do { response = try await http.send(request) } catch let error as LunaraError
      where error.code == Self.refusedAddress
    {
      throw HouseholdServers.refusal(of: Origin(request.url)?.address ?? "It")
    }
    return Answer(
      status: response.status, text: String(decoding: response.body, as: UTF8.self), url: response.url ?? request.url)
  }

  /// Sends a request at the pace that Apple's search wants, and again where it asks for patience or gives no answer.
  func sendToApple(_ fields: JSONView, of plugin: String, _ access: PluginAccess) async throws -> Answer {
    for attempt in 0... {
      let start = apple.next(at: now())
      let pause = start - now()
      if pause > .zero { try await Task.sleep(for: .milliseconds(pause.rawValue)) }
      let wait: Milliseconds
      do {
        let answer = try await send(fields, of: plugin, access)
        guard let patience = apple.wait(after: answer.status, attempt: attempt) else { return answer }
        wait = patience
      } catch {
        // A request that is refused here is refused the next time as well. One that may have changed something is sent
        // once.
        guard ["GET", "HEAD"].contains(Self.method(of: fields)), !LunaraError(error).code.hasPrefix("resolver."),
          !(error is CancellationError),
          let patience = apple.wait(after: nil, attempt: attempt)
        else { throw error }
        wait = patience
      }
      try await Task.sleep(for: .milliseconds(wait.rawValue))
    }
    throw CancellationError()
  }

  /// Forgets a plugin.
  func forget(_ plugin: String) { if usages[plugin]?.running == 0 { usages[plugin] = nil } }

  // MARK: - The bounds

  /// Waits until another request of the plugin may begin.
  private func begin(_ plugin: String) async throws {
    let time = now()
    var usage = usages[plugin] ?? Usage()
    usage.starts.removeAll { $0 + Milliseconds(60_000) <= time }
    guard usage.starts.count < limits.perMinute else {
      throw Self.refused("too many requests: \(limits.perMinute) a minute are allowed")
    }
    usage.starts.append(time)
    if usage.running < limits.atOnce {
      usage.running += 1
      usages[plugin] = usage
      return
    }
    usages[plugin] = usage
    await withCheckedContinuation { usages[plugin]?.waiting.append($0) }
  }

  /// Allows the next request of a plugin to begin.
  private func end(_ plugin: String) {
    guard var usage = usages[plugin] else { return }
    if usage.waiting.isEmpty { usage.running -= 1 } else { usage.waiting.removeFirst().resume() }
    usages[plugin] = usage
  }

  private func request(_ fields: JSONView, _ access: PluginAccess) throws -> HTTPRequest {
    guard let url = fields["url"]?.string, url.utf8.count <= 8192, let origin = Origin(url) else {
      throw Self.refused("its address is not valid")
    }
    guard !url.dropFirst(origin.scheme.count + 3).prefix(while: { !"/?#".contains($0) }).contains("@") else {
      throw Self.refused("its address has a name or a password")
    }
    guard !household.contains(origin) else { throw HouseholdServers.refusal(of: origin.address) }
    let permission = access.permission(for: origin)
    guard case .allowed(let isPublic) = permission else {
      throw LunaraError("resolver.hostRefused", "\(origin.address) may not be asked.")
    }
    let method = Self.method(of: fields)
    guard Self.methods.contains(method) else { throw Self.refused("its method is not allowed") }
    let body = fields["body"]?.string.map { Array($0.utf8) }
    guard body?.count ?? 0 <= limits.body else { throw Self.refused("its body is larger than 256 KiB") }
    let headers = (fields["headers"]?.members ?? []).prefix(50).compactMap { member in
      member.value.string.map { (member.name, $0) }
    }
    for (name, value) in headers {
      guard !Self.refusedHeaders.contains(name.lowercased()), value.utf8.count <= 8192 else {
        throw Self.refused("its header \(name.prefix(40)) is not allowed")
      }
    }
    // A plugin may change something by any method.
    return HTTPRequest(
      .changes, method: method, url: url, headers: headers, body: method == "GET" || method == "HEAD" ? nil : body,
      timeout: access.time ?? limits.time, responseLimit: limits.answer, redirectLimit: limits.redirects,
      refusesPrivateAddresses: isPublic,
      mayRedirect: { [household] in access.permission(for: $0) == permission && !household.contains($0) },
      mayConnect: { [household] in !household.contains($0) })
  }

  private static func method(of fields: JSONView) -> String { (fields["method"]?.string ?? "GET").uppercased() }

  private static func refused(_ reason: String) -> LunaraError {
    LunaraError("resolver.requestRefused", "A request of the plugin is refused: \(reason).")
  }
}

/// The pace of requests to Apple's search, which has no key and limits all that come from one address.
struct ApplePacing: Hashable, Sendable {
  private var lastStart: Milliseconds?
  private var errors: Int64 = 0

  /// Returns the time when the next request may start, and notes that it starts then.
  mutating func next(at now: Milliseconds) -> Milliseconds {
    let start = max(now, lastStart.map { $0 + Milliseconds(1200 + 500 * errors) } ?? now)
    lastStart = start
    return start
  }

  /// Notes the status of an answer, nil for none. Returns the time after which the request is sent again; nil if it
  /// is not.
  mutating func wait(after status: Int?, attempt: Int) -> Milliseconds? {
    if let status, status != 403, status != 429 {
      errors = max(0, errors - 1)
      return nil
    }
    errors += 1
    return attempt < 3 ? Milliseconds(2000 << Int64(attempt)) : nil
  }
}
