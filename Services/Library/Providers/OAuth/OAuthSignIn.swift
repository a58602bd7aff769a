import Digests
import FoundationEssentials
import Model

/// The addresses of a service at which people sign in by OAuth 2 (RFC 6749) with a proof key (RFC 7636).
struct OAuthServer: Sendable {
  /// The service's name on screen.
  var title: String
  /// The page that people open.
  var authorizeAddress: String
  /// The address that exchanges codes and refreshes tokens.
  var tokenAddress: String
  /// The permissions that are asked for.
  var scopes: [String]
  /// The address of this machine at which the browser ends. Nothing answers there: the person copies the address.
  var redirect = "http://127.0.0.1:8888/callback"
}

/// A sign-in that a person has begun and not finished.
struct OAuthSignIn: Hashable, Sendable {
  /// The time within which it has to be finished.
  static let lifetime = Milliseconds(10 * 60_000)

  let clientID: String
  /// The secret that only this process knows until the code is exchanged.
  let verifier: String
  /// The text by which the answer is recognised.
  let state: String
  let begunAt: Timestamp

  init(clientID: String, at now: Timestamp) {
    self.init(clientID: clientID, verifier: Self.random(), state: Self.random(), begunAt: now)
  }

  init(clientID: String, verifier: String, state: String, begunAt: Timestamp) {
    (self.clientID, self.verifier, self.state, self.begunAt) = (clientID, verifier, state, begunAt)
  }

  /// Returns 32 random bytes as text.
  private static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return base64URL((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }

  /// Returns bytes in base64url without padding (RFC 4648, 5).
  static func base64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// The challenge that goes with the verifier (RFC 7636, 4.2). Throws `internal.noDigest`.
  static func challenge(of verifier: String) throws -> String { base64URL(try SHA256.digest(verifier)) }

  /// Returns the address that the person opens. Throws `internal.noDigest`.
  func address(at server: OAuthServer) throws -> String {
    let query = Self.form([
      ("response_type", "code"), ("client_id", clientID), ("scope", server.scopes.joined(separator: " ")),
      ("redirect_uri", server.redirect), ("state", state), ("code_challenge_method", "S256"),
      ("code_challenge", try Self.challenge(of: verifier)), ("show_dialog", "true"),
    ])
    return "\(server.authorizeAddress)?\(query)"
  }

  /// Returns the parameters of the address at which the person's browser ended.
  static func parameters(of redirect: String) -> [String: String] {
    let query = redirect.trimmingPrefix { $0 == " " }.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    var parameters: [String: String] = [:]
    for part in query.prefix(while: { $0 != "#" && !$0.isWhitespace }).split(separator: "&") {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2, let bytes = PercentCoding.decode(words[1], plusIsSpace: true) else { continue }
      parameters[String(words[0])] = String(decoding: bytes, as: UTF8.self)
    }
    return parameters
  }

  /// Returns the code of the address at which the person's browser ended.
  ///
  /// - Throws: `library.signInFailed`, with what the person may do.
  func code(from redirect: String, at now: Timestamp, _ title: String) throws -> String {
    let parameters = Self.parameters(of: redirect)
    guard parameters["state"] == state else {
      throw Self.failed("This is not the address of this sign-in. Copy the whole address at which the browser ended.")
    }
    let age = now - begunAt
    guard age >= .zero, age <= Self.lifetime else {
      throw Self.failed("This sign-in began more than ten minutes ago. Begin again.")
    }
    if let error = parameters["error"] {
      throw error == "access_denied"
        ? Self.failed("\(title) was told not to allow it. Begin again, and allow it.")
        : Self.failed("\(title) refused the sign-in. Check the client id and the redirect address there.", cause: error)
    }
    guard let code = parameters["code"], !code.isEmpty else {
      throw Self.failed("The address has no code. Copy the whole address at which the browser ended.")
    }
    return code
  }

  static func failed(_ message: String, cause: String? = nil) -> LunaraError {
    LunaraError("library.signInFailed", message, cause: cause.map { String($0.prefix(100)) })
  }

  /// Returns pairs as a form (`application/x-www-form-urlencoded`).
  static func form(_ pairs: [(String, String)]) -> String {
    pairs.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
  }
}
