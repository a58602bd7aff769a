import Bus
import Client
import Glibc
import HTTP
import Model

/// What a browser shows to be known: a drawn secret in a cookie that no script sees and no other site sends.
struct SessionToken: Hashable, Sendable {
  /// How long a session lasts.
  static let life = 30 * 24 * 3600
  private static let name = "lunara_session"
  /// How many cookies of that name are looked at.
  private static let most = 8

  private let secret: DrawnSecret

  /// Draws one.
  init() { secret = DrawnSecret() }

  private init(_ secret: DrawnSecret) { self.secret = secret }

  /// Takes the one of a `Cookie` header (RFC 6265, 4.2); nil where there is none. Of several, as another port of this
  /// machine or a domain above may have set one of that name, it is the first that is known, else the first.
  init?(cookies: String?, isKnown: (SessionToken) -> Bool = { _ in false }) {
    let pairs = (cookies ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
    let tokens = pairs.filter { $0.hasPrefix("\(Self.name)=") }.prefix(Self.most)
      .compactMap { DrawnSecret(String($0.dropFirst(Self.name.count + 1))).map(SessionToken.init) }
    guard let token = tokens.first(where: isKnown) ?? tokens.first else { return nil }
    self = token
  }

  /// What is kept of it.
  var digest: String { secret.digest }

  /// The header `Set-Cookie` that gives it to a browser.
  func cookie(isEncrypted: Bool) -> String { Self.cookie(secret.text, life: Self.life, isEncrypted) }

  /// The header that takes it away.
  static func noCookie(isEncrypted: Bool) -> String { cookie("", life: 0, isEncrypted) }

  private static func cookie(_ value: String, life: Int, _ isEncrypted: Bool) -> String {
    "\(name)=\(value); Path=/; Max-Age=\(life); HttpOnly; SameSite=KnownWord\(isEncrypted ? "; Secure" : "")"
  }
}

/// Who is signed in: of each session what proves it and until when. Pure, bounded, and of no use to who reads it.
struct SessionList: Codable, Equatable {
  /// How many there are at most; one more ends the oldest.
  static let most = 64

  /// One session.
  struct Session: Codable, Equatable {
    var digest: String
    var until: Timestamp
  }

  /// The oldest first.
  private(set) var sessions: [Session] = []

  /// Begins one.
  mutating func add(_ digest: String, until: Timestamp, now: Timestamp) {
    sessions.removeAll { $0.until <= now || $0.digest == digest }
    sessions.append(Session(digest: digest, until: until))
    if sessions.count > Self.most { sessions.removeFirst(sessions.count - Self.most) }
  }

  /// Ends one; says whether there was one.
  mutating func remove(_ digest: String) -> Bool {
    let count = sessions.count
    sessions.removeAll { $0.digest == digest }
    return sessions.count < count
  }

  /// Whether there is one that has not run out.
  func contains(_ digest: String, now: Timestamp) -> Bool {
    sessions.contains { $0.digest == digest && $0.until > now }
  }
}

/// How often a password may be tried: by one address, and by all together. Pure.
struct SignInLimiter {
  /// How many tries an address has at once, and how long one takes to come back.
  static let tries = 5
  static let pause = Duration.seconds(20)
  /// The same for all together: with many addresses a password is guessed no faster.
  static let triesOfAll = 30
  static let pauseOfAll = Duration.seconds(4)
  /// How many addresses are remembered.
  static let addresses = 1024

  private struct Allowance {
    var used: Duration
    var at: ContinuousClock.Instant

    /// What is used up still.
    func used(at now: ContinuousClock.Instant) -> Duration { max(.zero, used - (now - at)) }
  }

  private var all: Allowance?
  private var each: [String: Allowance] = [:]

  /// Takes a try; gives how long to wait where there is none left.
  mutating func take(_ address: String, now: ContinuousClock.Instant) -> Duration? {
    let key = Self.network(of: address)
    let used = each[key]?.used(at: now) ?? .zero
    let usedByAll = all?.used(at: now) ?? .zero
    if let wait = Self.wait(used, Self.pause, Self.tries) { return wait }
    if let wait = Self.wait(usedByAll, Self.pauseOfAll, Self.triesOfAll) { return wait }
    if each.count >= Self.addresses, each[key] == nil { each = each.filter { $0.value.used(at: now) > .zero } }
    // Where so many are at it, the limit for all holds them.
    if each.count < Self.addresses || each[key] != nil { each[key] = Allowance(used: used + Self.pause, at: now) }
    all = Allowance(used: usedByAll + Self.pauseOfAll, at: now)
    return nil
  }

  /// Gives an address its tries back: it knew the password.
  mutating func forgive(_ address: String) { each[Self.network(of: address)] = nil }

  private static func wait(_ used: Duration, _ pause: Duration, _ tries: Int) -> Duration? {
    let most = pause * tries
    return used + pause > most ? used + pause - most : nil
  }

  /// An IPv6 address stands for its network of 64 bits, of which one household has at least one.
  private static func network(of address: String) -> String {
    var storage = in6_addr()
    guard address.contains(":"), inet_pton(AF_INET6, address, &storage) == 1 else { return address }
    return withUnsafeBytes(of: &storage) { $0.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") }
  }
}

extension Endpoint {
  /// Signing in at the page.
  static let sessions: [Endpoint] = [
    Endpoint("GET", "/api/v1/session", "readSession", .open) { api, call in
      .json(await api.authenticator.sessionStatus(of: call.client.session))
    },
    Endpoint("POST", "/api/v1/session", "signIn", .open) { api, call in
      struct Body: Decodable { var password: String }
      let token = try await api.authenticator.signIn(try call.body(Body.self).password, from: call.client.address)
      var answer = HTTPServerResponse.json(await api.authenticator.sessionStatus(of: token))
      if let token { answer.headers.append(("Set-Cookie", token.cookie(isEncrypted: call.client.isEncrypted))) }
      return answer
    },
    Endpoint("DELETE", "/api/v1/session", "signOut", .open) { api, call in
      if let token = call.client.session {
        await api.authenticator.signOut(token)
        await api.household.end(sessions: [token])
      }
      var answer = HTTPServerResponse.json(await api.authenticator.sessionStatus(of: nil))
      answer.headers.append(("Set-Cookie", SessionToken.noCookie(isEncrypted: call.client.isEncrypted)))
      return answer
    },
  ]
}
