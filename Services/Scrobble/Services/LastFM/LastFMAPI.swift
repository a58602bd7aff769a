import HTTP
import Model
import System

/// Calls methods of Last.fm's protocol at one server. Keys and sessions go into the bodies of requests and nowhere else.
struct LastFMAPI: Sendable {
  let http: HTTPClient
  /// The root of the interface, for example `https://ws.audioscrobbler.com/2.0/`.
  let address: String
  let key: Secret
  let secret: Secret

  /// The largest answer that is read, in bytes.
  private static let answerLimit = 256 * 1024

  /// Calls a method by POST, signed, with everything in the body.
  ///
  /// - Throws: `http.…`, `internal.noDigest`, `CancellationError`.
  func call(_ method: String, _ parameters: [String: String] = [:], session: Secret? = nil) async throws -> LastFMAnswer
  {
    var all = parameters
    all["method"] = method
    all["api_key"] = key.text
    all["sk"] = session?.text
    all["api_sig"] = try Self.signature(of: all, secret: secret.text)
    all["format"] = "json"
    // A redirection would hand the session on to another server.
    let request = HTTPRequest(
      method: "POST", url: address, headers: [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")],
      body: Self.form(all), timeout: .seconds(30), responseLimit: Self.answerLimit, redirectLimit: 0)
    let response = try await http.send(request)
    if (300..<400).contains(response.status) {
      return .unreadable("the server redirects to another address (\(response.status)); set that address")
    }
    return LastFMAnswer(response)
  }

  /// Returns `api_sig` (last.fm/api/authspec, 8. Signing Calls): the MD5 of all parameters, ordered by the bytes of their
  /// names, each name followed by its value, and of the secret. `format` and `callback` are left out.
  ///
  /// - Throws: `internal.noDigest`.
  static func signature(of parameters: [String: String], secret: String) throws(LunaraError) -> String {
    let signed = parameters.filter { !["format", "callback", "api_sig"].contains($0.key) }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return try MD5.hex(signed.reduce(into: "") { $0 += $1.key + $1.value } + secret)
  }

  /// Returns the bytes of a form (`application/x-www-form-urlencoded`), its fields ordered by name.
  static func form(_ parameters: [String: String]) -> [UInt8] {
    let fields = parameters.sorted { $0.key < $1.key }
      .map { "\(PercentCoding.encode($0.key))=\(PercentCoding.encode($0.value))" }
    return Array(fields.joined(separator: "&").utf8)
  }
}
