import HTTP
import Messages
import Model
import Records
import Synchronization

/// Sends requests to one Subsonic server. Finds out once which sign-in, version and extensions the server accepts.
final class SubsonicClient: Sendable {
  struct Profile: Hashable, Sendable {
    var proof: SubsonicProof
    var version = SubsonicClient.version
    /// The name of the server's software; nil with servers that do not say.
    var type: String?
    var serverVersion = ""
    /// True if the server accepts the query in the body, where the secret does not get into logs.
    var acceptsFormPost = false
    /// True if the server gives lyrics by the id of a song.
    var hasSongLyrics = false
    /// True if the server gives songs that sound like one.
    var hasSonicSimilarity = false

    /// Returns true if the server supports at least this minor version of the protocol: `1.12` is newer than `1.9.3`.
    func supports(atLeast minor: Int) -> Bool {
      let parts = serverVersion.split(separator: ".").map { Int($0) ?? 0 }
      return parts.count >= 2 && (parts[0] > 1 || parts[0] == 1 && parts[1] >= minor)
    }
  }

  static let version = "1.16.1"
  private static let timeout = Duration.seconds(30)
  /// The largest answer, in bytes, decompressed: a playlist comes as a whole, with some 700 bytes a track.
  private static let longestAnswer = 32 << 20

  let address: SubsonicAddress
  private let secret: SubsonicSecret
  private let mayExposePassword: Bool
  private let http: HTTPClient
  private let found = Mutex<Profile?>(nil)

  /// Creates a client. `hasConsent` is true if a person agreed to send the password itself over an unencrypted
  /// connection.
  init(_ address: SubsonicAddress, _ secret: SubsonicSecret, hasConsent: Bool, http: HTTPClient) {
    self.address = address
    self.secret = secret
    self.http = http
    mayExposePassword = hasConsent || address.isSafe
  }

  var server: String { address.server }

  /// True once the server has accepted the sign-in.
  private var isKnown: Bool { found.withLock { $0 != nil } }

  /// Calls a method and returns the content of its answer. Throws `library.signedOut`, `library.passwordExposed`,
  /// `library.gone`, `library.sourceAway`, `CancellationError`.
  func call(_ effect: HTTPRequest.Effect, _ method: String, _ parts: [(String, String)] = []) async throws -> JSONView {
    switch try await ask(effect, method, parts) {
    case .content(let content): return content
    case .failed(let code, let message, _): throw SubsonicError.from(code, message, server)
    }
  }

  /// Calls a reading method and returns the named part of its answer. Throws `library.sourceAway` if that is missing: a
  /// server without items sends an empty part.
  func part(_ name: StaticString, of method: String, _ parts: [(String, String)] = []) async throws -> JSONView {
    guard let part = try await call(.reads, method, parts)[name] else {
      throw SourceError.unreadableAnswer(server, kind: "Subsonic", cause: "\(method) gave no \(name)")
    }
    return part
  }

  /// Calls a method and returns the content of its answer; nil if the server does not know the method, or not for
  /// this user.
  func callIfKnown(_ effect: HTTPRequest.Effect, _ method: String, _ parts: [(String, String)] = []) async throws
    -> JSONView?
  {
    switch try await ask(effect, method, parts) {
    case .content(let content): return content
    case .failed(let code, let message, _):
      if code == 0 || code == 50 || code == 70 { return nil }
      throw SubsonicError.from(code, message, server)
    }
  }

  /// Calls a method and returns its answer, which may be a refusal.
  func ask(_ effect: HTTPRequest.Effect, _ method: String, _ parts: [(String, String)] = []) async throws
    -> SubsonicAnswer
  {
    let answer = try await send(effect, method, parts, try await profile())
    // Codes 41 and 42: the server was changed and now accepts another way to sign in.
    guard case .failed(let code, _, _) = answer, code == 41 || code == 42 else { return answer }
    found.withLock { $0 = nil }
    return try await send(effect, method, parts, try await profile())
  }

  /// Calls a method that answers with bytes, such as those of a picture, and returns them.
  func bytes(_ method: String, _ parts: [(String, String)]) async throws -> [UInt8] {
    let response = try await transfer(.reads, method, parts, try await profile())
    let type = response.header("Content-Type") ?? ""
    // Errors are documents with any status, so only the content type tells them apart.
    if type.contains("json") || type.contains("xml") || type.contains("html") || response.status >= 400 {
      if case .failed(let code, let message, _)? = SubsonicAnswer(response.body) {
        // Some servers send the general error 0 where there is no picture.
        throw SubsonicError.from(code == 0 ? 70 : code, message, server)
      }
      if [401, 403, 407].contains(response.status) {
        throw SourceError.noSuchServer(server, kind: "Subsonic", status: response.status)
      }
      throw SubsonicError.from(70, "HTTP status \(response.status), \(type)", server)
    }
    return response.body
  }

  /// Returns the address of a call of a method, which needs no headers. It contains a secret.
  func url(_ method: String, _ parts: [(String, String)]) async throws -> String {
    let profile = try await profile()
    return "\(address.base)/rest/\(method)?\(Self.query(try common(profile) + parts))"
  }

  func profile() async throws -> Profile {
    if let profile = found.withLock({ $0 }) { return profile }
    let profile = try await negotiate()
    found.withLock { $0 = profile }
    return profile
  }

  private func negotiate() async throws -> Profile {
    let proofs = SubsonicSignIn.proofs(for: secret, mayExposePassword: mayExposePassword)
    for proof in proofs {
      var profile = Profile(proof: proof)
      var answer = try await send(.reads, "ping", [], profile)
      if case .failed(30, _, let version?) = answer {
        // Old servers refuse newer clients, so the client states the server's own version.
        profile.version = version
        answer = try await send(.reads, "ping", [], profile)
      }
      switch answer {
      case .content(let content):
        profile.serverVersion = content["version"]?.string ?? ""
        profile.type = content["type"]?.string
        let extensions = content["openSubsonic"]?.isTrue == true ? try await extensions(profile) : []
        profile.hasSongLyrics = extensions.contains("songLyrics")
        profile.hasSonicSimilarity = extensions.contains("sonicSimilarity")
        if extensions.contains("formPost") {
          profile.acceptsFormPost = true
          // A redirection may lose the body, so this is tried once.
          if case .failed = try await send(.reads, "ping", [], profile) { profile.acceptsFormPost = false }
        }
        return profile
      case .failed(let code, let message, _):
        guard SubsonicSignIn.isUnknownWay(code) else { throw SubsonicError.from(code, message, server) }
        if proof == proofs.last {
          if proof == .token { throw SubsonicError.exposed(server) }
          throw SubsonicError.signedOut(server, "error \(code): \(message.prefix(200))")
        }
      }
    }
    throw SubsonicError.signedOut(server, nil)
  }

  /// Returns the names of the server's extensions; none where it does not know the method.
  private func extensions(_ profile: Profile) async throws -> [String] {
    guard case .content(let content) = try await send(.reads, "getOpenSubsonicExtensions", [], profile) else {
      return []
    }
    return content["openSubsonicExtensions"]?.elements.compactMap { $0["name"]?.string } ?? []
  }

  private func send(
    _ effect: HTTPRequest.Effect, _ method: String, _ parts: [(String, String)], _ profile: Profile
  ) async throws -> SubsonicAnswer {
    let response = try await transfer(effect, method, parts, profile)
    if let answer = SubsonicAnswer(response.body) { return answer }
    // Before the sign-in, or with such a status, it is not the server that answers. Later one answer may be broken.
    if !isKnown || [401, 403, 407].contains(response.status) {
      throw SourceError.noSuchServer(server, kind: "Subsonic", status: response.status)
    }
    throw SourceError.unreadableAnswer(server, kind: "Subsonic", cause: "HTTP status \(response.status)")
  }

  private func transfer(
    _ effect: HTTPRequest.Effect, _ method: String, _ parts: [(String, String)], _ profile: Profile
  ) async throws -> HTTPResponse {
    let query = Self.query(try common(profile) + [("f", "json")] + parts)
    let url = "\(address.base)/rest/\(method)"
    var request = HTTPRequest(
      effect, url: profile.acceptsFormPost ? url : "\(url)?\(query)", timeout: Self.timeout,
      responseLimit: Self.longestAnswer)
    if profile.acceptsFormPost {
      request.method = "POST"
      request.headers = [("Content-Type", "application/x-www-form-urlencoded")]
      request.body = Array(query.utf8)
    }
    do {
      return try await http.send(request)
    } catch let error as LunaraError {
      throw SourceError.unreachable(server, error)
    }
  }

  /// Returns a query for an address or a form (application/x-www-form-urlencoded).
  private static func query(_ parts: [(String, String)]) -> String {
    parts.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
  }

  /// Returns the bytes of a parameter and its separator in an address.
  static func length(of parameter: (String, String)) -> Int { query([parameter]).utf8.count + 1 }

  private func common(_ profile: Profile) throws -> [(String, String)] {
    // A new salt of at least six letters for each request.
    let salt = String(UInt64.random(in: .min ... .max) | 1 << 63, radix: 36)
    return try SubsonicSignIn.parts(secret, profile.proof, salt: salt) + [("v", profile.version), ("c", "Lunara")]
  }
}

/// An answer of a server: a tree, or the code and message of an error.
enum SubsonicAnswer {
  case content(JSONView)
  /// A refusal, with the version that the server speaks.
  case failed(code: Int, message: String, version: String?)

  /// Reads an answer; nil for anything else, such as an error page of a proxy. The HTTP status is ignored: servers send
  /// errors with 200, and answers about unknown methods with 404.
  init?(_ body: [UInt8]) {
    guard let envelope = JSONView(body)?["subsonic-response"] else { return nil }
    if let error = envelope["error"] {
      self = .failed(
        code: Int(clamping: error["code"]?.integer ?? 0), message: error["message"]?.string ?? "",
        version: envelope["version"]?.string)
    } else if envelope["status"]?.string == "ok" {
      self = .content(envelope)
    } else {
      return nil
    }
  }
}

/// The errors of a Subsonic server, in the words of `MusicServer`. They name the server and never an address with a
/// secret.
enum SubsonicError {
  /// Returns the error of a code (opensubsonic.netlify.app, "Error handling").
  static func from(_ code: Int, _ message: String, _ server: String) -> LunaraError {
    let cause = "error \(code): \(message.prefix(200))"
    switch code {
    case 40...44: return signedOut(server, cause)
    case 70: return SourceError.gone(server, cause: cause)
    case 50:
      return LunaraError(
        "library.sourceAway", "\(server) does not let this user do that. Give the user the right there.", cause: cause)
    case 20, 30:
      return LunaraError(
        "library.sourceAway", "\(server) speaks another version of the interface. Update it.", cause: cause)
    default: return SourceError.refused(server, cause: cause)
    }
  }

  static func signedOut(_ server: String, _ cause: String?) -> LunaraError {
    LunaraError(
      "library.signedOut",
      "\(server) refuses the user name or the password. Set them with `lunara sources add subsonic ADDRESS --user NAME`; its music stays listed.",
      cause: cause)
  }

  /// There is nothing to sign in with, so the server was not asked.
  static func noSecret(_ server: String) -> LunaraError {
    LunaraError(
      "library.signedOut",
      "No password or key is known for \(server). Give it with `lunara sources add subsonic ADDRESS --user NAME`; its music stays listed."
    )
  }

  /// A server accepts only the password itself, and the connection is not encrypted.
  static func exposed(_ server: String) -> LunaraError {
    LunaraError(
      "library.passwordExposed",
      "\(server) accepts only the plain password, which others on the network could read. Give its address with https, or allow it with `--set exposesPassword=true` of `lunara sources add subsonic ADDRESS --user NAME`."
    )
  }
}
