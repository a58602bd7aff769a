import Bus

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
    "\(name)=\(value); Path=/; Max-Age=\(life); HttpOnly; SameSite=Strict\(isEncrypted ? "; Secure" : "")"
  }
}
