import Bus

/// What a browser shows to be known: a drawn secret in a cookie that no script sees and no other site sends.
struct SessionToken: Hashable, Sendable {
  /// How long a session lasts.
  static let life = 30 * 24 * 3600
  private static let name = "lunara_session"

  private let secret: DrawnSecret

  /// Draws one.
  init() { secret = DrawnSecret() }

  /// Takes the one of a `Cookie` header (RFC 6265, 4.2); nil where there is none.
  init?(cookies: String?) {
    for pair in (cookies ?? "").split(separator: ";") {
      let pair = pair.drop { $0 == " " }
      guard pair.hasPrefix("\(Self.name)="), let secret = DrawnSecret(String(pair.dropFirst(Self.name.count + 1)))
      else { continue }
      self.secret = secret
      return
    }
    return nil
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
