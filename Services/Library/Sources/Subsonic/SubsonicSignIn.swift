import Digests
import Model
import Records
import System
import Text

enum SubsonicSecret: Hashable, Sendable {
  case password(user: String, password: String)
  case apiKey(String)
}

/// The ways to authenticate a request (opensubsonic.netlify.app, "API reference", "Authentication").
enum SubsonicProof: Hashable, Sendable {
  /// The MD5 digest of the password and a salt, which does not show the password.
  case token
  /// The password itself, in hexadecimal digits.
  case password
  /// A key that the server made for this program.
  case apiKey
}

/// Decides which way to sign in is tried next, from the answers so far.
enum SubsonicSignIn {
  /// Returns the ways to try, in order. The password itself is sent only over a safe connection, or if a person agreed.
  static func proofs(for secret: SubsonicSecret, mayExposePassword: Bool) -> [SubsonicProof] {
    switch secret {
    case .apiKey: [.apiKey]
    case .password: mayExposePassword ? [.token, .password] : [.token]
    }
  }

  /// Returns true if an error means that the server does not support the way, and not that the secret is wrong. Servers
  /// that store only digests of passwords answer that a parameter is missing (10).
  static func isUnknownWay(_ code: Int) -> Bool { code == 10 || code == 41 || code == 42 }

  /// Returns the parts of a query that authenticate it. Throws `internal.noDigest`.
  static func parts(_ secret: SubsonicSecret, _ proof: SubsonicProof, salt: String) throws -> [(String, String)] {
    switch (secret, proof) {
    case (.apiKey(let key), _): [("apiKey", key)]
    case (.password(let user, let password), .password): [("u", user), ("p", "enc:" + Hexadecimal.text(password.utf8))]
    case (.password(let user, let password), _):
      [("u", user), ("t", try MD5.hex(password + salt)), ("s", salt)]
    }
  }
}

struct SubsonicAddress: Hashable, Sendable {
  /// The base address without a slash at its end, and without `/rest`.
  let base: String

  /// Reads an address as a person types it: `https://music.example.org/navidrome/`, `nas:4533`. Throws
  /// `library.badAddress`.
  init(_ text: String) throws(LunaraError) {
    var base = text.trimmed
    if !base.contains("://") { base = "http://\(base)" }
    while base.hasSuffix("/") { base.removeLast() }
    if base.hasSuffix("/rest") { base.removeLast(5) }
    let rest = base.drop { $0 != ":" }.dropFirst(3)
    guard base.hasPrefix("http://") || base.hasPrefix("https://"), let first = rest.first, first != "/",
      !base.contains(where: { $0 == "?" || $0 == "#" || $0 == "@" || $0.isWhitespace })
    else {
      // A value that may be secret is not repeated.
      if text.contains(where: { $0 == "@" || $0 == "?" }) { throw SourceError.carriesSecret(SubsonicServer.kind) }
      throw LunaraError(
        "library.badAddress", "\(text) is no address of a server. Give one such as https://music.example.org.")
    }
    self.base = base
  }

  /// The host, with its port where one is given: what people call the server.
  var server: String { String(base.drop { $0 != ":" }.dropFirst(3).prefix { $0 != "/" }) }

  /// True if nobody else can read the requests: they are encrypted, or do not leave this machine.
  var isSafe: Bool { base.hasPrefix("https://") || Loopback.isCertain(of: base) }
}
