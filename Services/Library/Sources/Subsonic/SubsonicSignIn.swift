import Digests
import System
import Model

/// What one signs in with.
enum SubsonicSecret: Hashable, Sendable {
  case password(user: String, password: String)
  case apiKey(String)
}

/// How a request proves who asks (opensubsonic.netlify.app, "API reference", "Authentication").
enum SubsonicProof: Hashable, Sendable {
  /// The digest of the password and a salt, which nobody can use to find the password.
  case token
  /// The password itself, in hexadecimal digits.
  case password
  /// A key that the server made for this program.
  case apiKey
}

/// Which way to sign in is tried next. A pure function of the answers.
enum SubsonicSignIn {
  /// The ways in their order. The password itself goes only where nobody listens, or where a person agreed.
  static func proofs(for secret: SubsonicSecret, mayExposePassword: Bool) -> [SubsonicProof] {
    switch secret {
    case .apiKey: [.apiKey]
    case .password: mayExposePassword ? [.token, .password] : [.token]
    }
  }

  /// Whether an error says that the server does not know the way, and not that the secret is wrong. Servers that keep
  /// only digests of passwords say that a parameter is missing (10).
  static func isUnknownWay(_ code: Int) -> Bool { code == 10 || code == 41 || code == 42 }

  /// The parts of a query that prove who asks.
  ///
  /// - Throws: `internal.noDigest`.
  static func parts(
    _ secret: SubsonicSecret, _ proof: SubsonicProof, salt: () -> String
  ) throws -> [(String, String)] {
    switch (secret, proof) {
    case (.apiKey(let key), _): return [("apiKey", key)]
    case (.password(let user, let password), .token), (.password(let user, let password), .apiKey):
      let salt = salt()
      return [("u", user), ("t", try MD5.hex(password + salt)), ("s", salt)]
    case (.password(let user, let password), .password):
      return [("u", user), ("p", "enc:" + hex(Array(password.utf8)))]
    }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
