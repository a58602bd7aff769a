import Bus
import Client
import Glibc
import HTTP
import Model

extension Endpoint {
  static let sessions: [Endpoint] = [
    Endpoint("GET", "/api/v1/session", "readSession", .open) { api, call in
      .json(await api.authenticator.status(of: call.client.session))
    },
    Endpoint("POST", "/api/v1/session", "signIn", .open) { api, call in
      struct Body: Decodable { var password: String }
      let token = try await api.authenticator.signIn(try call.body(Body.self).password, from: call.client.address)
      var response = HTTPServerResponse.json(await api.authenticator.status(of: token))
      if let token { response.headers.append(("Set-Cookie", token.cookie(isEncrypted: call.client.isEncrypted))) }
      return response
    },
    Endpoint("DELETE", "/api/v1/session", "signOut", .open) { api, call in
      if let token = call.client.session {
        await api.authenticator.signOut(token)
        await api.household.end(sessions: [token])
      }
      var response = HTTPServerResponse.json(await api.authenticator.status(of: nil))
      response.headers.append(("Set-Cookie", SessionToken.expiredCookie(isEncrypted: call.client.isEncrypted)))
      return response
    },
  ]
}

/// The proof of a session: a random secret in a cookie that scripts cannot read and that requests of other sites do not
/// carry.
struct SessionToken: Hashable, Sendable {
  /// The length of a session, in seconds.
  static let life = 30 * 24 * 3600
  private static let name = "lunara_session"
  /// The largest number of cookies of this name that are read.
  private static let cookieLimit = 8

  private let secret: DrawnSecret

  init() { secret = DrawnSecret() }

  private init(_ secret: DrawnSecret) { self.secret = secret }

  /// Reads the token from a `Cookie` header (RFC 6265, 4.2); nil if there is none. Another port of this machine or a
  /// parent domain may have set a cookie of the same name: of several tokens, the first known one is used, otherwise
  /// the first.
  init?(cookies: String?, isKnown: (SessionToken) -> Bool = { _ in false }) {
    let pairs = (cookies ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
    let tokens = pairs.filter { $0.hasPrefix("\(Self.name)=") }.prefix(Self.cookieLimit)
      .compactMap { DrawnSecret(String($0.dropFirst(Self.name.count + 1))).map(SessionToken.init) }
    guard let token = tokens.first(where: isKnown) ?? tokens.first else { return nil }
    self = token
  }

  /// The digest that is stored instead of the secret.
  var digest: String { secret.digest }

  /// Returns the value of the header `Set-Cookie` that stores the token in a browser.
  func cookie(isEncrypted: Bool) -> String { Self.cookie(secret.text, life: Self.life, isEncrypted) }

  /// Returns the value of the header `Set-Cookie` that removes the token from a browser.
  static func expiredCookie(isEncrypted: Bool) -> String { cookie("", life: 0, isEncrypted) }

  private static func cookie(_ value: String, life: Int, _ isEncrypted: Bool) -> String {
    "\(name)=\(value); Path=/; Max-Age=\(life); HttpOnly; SameSite=Strict\(isEncrypted ? "; Secure" : "")"
  }
}

/// The existing sessions: for each the digest of its token, with which nobody can sign in, and its end.
struct SessionList: Codable, Equatable {
  /// The largest number of sessions; a further one ends the oldest.
  static let most = 64

  struct Session: Codable, Equatable {
    var digest: String
    var until: Timestamp
  }

  /// The sessions, the oldest first.
  private(set) var sessions: [Session] = []

  /// Adds a session, and removes expired ones.
  mutating func add(_ digest: String, until: Timestamp, now: Timestamp) {
    sessions.removeAll { $0.until <= now || $0.digest == digest }
    sessions.append(Session(digest: digest, until: until))
    if sessions.count > Self.most { sessions.removeFirst(sessions.count - Self.most) }
  }

  /// Removes a session; returns false if there was none.
  mutating func remove(_ digest: String) -> Bool {
    let count = sessions.count
    sessions.removeAll { $0.digest == digest }
    return sessions.count < count
  }

  /// Returns true if there is a session with this digest that has not expired.
  func contains(_ digest: String, now: Timestamp) -> Bool {
    sessions.contains { $0.digest == digest && $0.until > now }
  }
}

/// Limits how often a password may be tried, for each address and for all addresses together.
struct SignInLimiter {
  /// The number of tries that an address has at once, and the time after which it gets one more.
  static let tries = 5
  static let pause = Duration.seconds(20)
  /// The same limits for all addresses together, so that many addresses cannot guess faster.
  static let triesOfAll = 30
  static let pauseOfAll = Duration.seconds(4)
  /// The largest number of addresses that are stored.
  static let addresses = 1024

  private struct Allowance {
    var used: Duration
    var at: ContinuousClock.Instant

    /// Returns the time that is still used up at `now`.
    func used(at now: ContinuousClock.Instant) -> Duration { max(.zero, used - (now - at)) }
  }

  private var all: Allowance?
  private var each: [String: Allowance] = [:]

  /// Records a try. If no try is left, records nothing and returns the time to wait.
  mutating func recordTry(from address: String, now: ContinuousClock.Instant) -> Duration? {
    let key = Self.network(of: address)
    let used = each[key]?.used(at: now) ?? .zero
    let usedByAll = all?.used(at: now) ?? .zero
    if let wait = Self.wait(used, Self.pause, Self.tries) { return wait }
    if let wait = Self.wait(usedByAll, Self.pauseOfAll, Self.triesOfAll) { return wait }
    if each.count >= Self.addresses, each[key] == nil { each = each.filter { $0.value.used(at: now) > .zero } }
    // If more addresses than this try at once, the limit for all addresses applies.
    if each.count < Self.addresses || each[key] != nil { each[key] = Allowance(used: used + Self.pause, at: now) }
    all = Allowance(used: usedByAll + Self.pauseOfAll, at: now)
    return nil
  }

  /// Restores all tries of an address, after the right password.
  mutating func reset(_ address: String) { each[Self.network(of: address)] = nil }

  private static func wait(_ used: Duration, _ pause: Duration, _ tries: Int) -> Duration? {
    let most = pause * tries
    return used + pause > most ? used + pause - most : nil
  }

  /// Returns the key of an address. IPv6 addresses are counted by their 64-bit network, as one household has at least a
  /// whole one.
  private static func network(of address: String) -> String {
    var storage = in6_addr()
    guard address.contains(":"), inet_pton(AF_INET6, address, &storage) == 1 else { return address }
    return withUnsafeBytes(of: &storage) { $0.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") }
  }
}
