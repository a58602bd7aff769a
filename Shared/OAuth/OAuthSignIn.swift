import Digests
import FoundationEssentials
import HTTP
public import Model

/// A sign-in that a person has begun and not finished.
public struct OAuthSignIn: Hashable, Sendable {
  /// The person's application.
  public let client: OAuthClient
  /// The secret that only this process knows until the code is exchanged.
  public let verifier: String
  /// The text by which the answer is recognised.
  public let state: String
  /// The time when it began.
  public let begunAt: Timestamp

  /// Begins a sign-in with a verifier and a state of its own, 32 random bytes each.
  public init(client: OAuthClient, at now: Timestamp) {
    self.init(client: client, verifier: Self.random(), state: Self.random(), begunAt: now)
  }

  public init(client: OAuthClient, verifier: String, state: String, begunAt: Timestamp) {
    self.client = client
    self.verifier = verifier
    self.state = state
    self.begunAt = begunAt
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
  public func address(at server: OAuthServer) throws -> String {
    let scopes = server.scopes.isEmpty ? [] : [("scope", server.scopes.joined(separator: " "))]
    let query = Self.form(
      [("response_type", "code"), ("client_id", client.id)] + scopes + [
        ("redirect_uri", server.redirect), ("state", state), ("code_challenge_method", "S256"),
        ("code_challenge", try Self.challenge(of: verifier)),
      ] + server.parameters)
    return "\(server.authorizeAddress)?\(query)"
  }

  /// Returns the parameters of the address at which the person's browser ended.
  public static func parameters(of redirect: String) -> [String: String] {
    let parts = redirect.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.dropFirst().first ?? ""
    var parameters: [String: String] = [:]
    for part in query.prefix(while: { $0 != "#" && !$0.isWhitespace }).split(separator: "&") {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2, let bytes = PercentCoding.decode(words[1], plusIsSpace: true) else { continue }
      parameters[String(words[0])] = String(decoding: bytes, as: UTF8.self)
    }
    return parameters
  }

  /// Returns true while the sign-in may still be finished.
  public func isOpen(at now: Timestamp, _ server: OAuthServer) -> Bool {
    let age = now - begunAt
    return age >= .zero && age <= server.signInTime
  }

  /// Returns the code of the address at which the person's browser ended.
  ///
  /// - Throws: `OAuthServer.error` of a failed sign-in, with what the person may do.
  public func code(from redirect: String, at now: Timestamp, _ server: OAuthServer) throws -> String {
    func failed(_ message: String, cause: String? = nil) -> LunaraError {
      server.error(OAuthFailure(.signInFailed, message, cause: cause))
    }
    let parameters = Self.parameters(of: redirect)
    guard Self.isSamePlace(redirect, server.redirect), parameters["state"] == state else {
      throw failed("This is not the address of this sign-in. Copy the whole address at which the browser ended.")
    }
    guard isOpen(at: now, server) else {
      throw failed("This sign-in began more than \(server.signInTime.rawValue / 60_000) minutes ago. Begin again.")
    }
    if let error = parameters["error"] {
      throw error == "access_denied"
        ? failed("\(server.title) was told not to allow it. Begin again, and allow it.")
        : failed(
          "\(server.title) refused the sign-in. Check the client id and the redirect address there.", cause: error)
    }
    guard let code = parameters["code"], !code.isEmpty else {
      throw failed("The address has no code. Copy the whole address at which the browser ended.")
    }
    return code
  }

  /// Returns true for an address at the server and the path of another one, whatever its query. People may leave out
  /// its scheme, as browsers do on screen.
  static func isSamePlace(_ address: String, _ other: String) -> Bool {
    func place(_ address: String) -> (server: Origin, path: Substring)? {
      let address = address.contains("://") ? address : "http://\(address)"
      guard let server = Origin(address) else { return nil }
      let rest = address.drop { $0 != ":" }.dropFirst(3)
      guard !rest.prefix(while: { $0 != "/" && $0 != "?" }).contains("@") else { return nil }
      return (server, rest.drop { $0 != "/" && $0 != "?" && $0 != "#" }.prefix { $0 != "?" && $0 != "#" })
    }
    guard let one = place(String(address[...].trimming(" \t\r\n"))), let two = place(other) else { return false }
    return one.server == two.server && one.path == two.path
  }

  /// Returns pairs as a form (`application/x-www-form-urlencoded`), with each name and value escaped.
  public static func form(_ pairs: [(String, String)]) -> String {
    pairs.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
  }
}
