import HTTP
import Model

/// Calls of Last.fm's protocol to one server. Keys and sessions go into the bodies of requests and nowhere else.
struct LastFMClient: Sendable {
  let http: HTTPClient
  /// The root of the interface, for example `https://ws.audioscrobbler.com/2.0/`.
  let address: String
  let key: Secret
  let secret: Secret

  /// The largest answer that is read.
  private static let answerLimit = 256 * 1024

  /// Calls a method: signed, by POST, with everything in the body.
  ///
  /// - Throws: `http.…`, `internal.noDigest`, `CancellationError`.
  func call(_ method: String, _ parameters: [String: String] = [:], session: Secret? = nil) async throws -> LastFMAnswer
  {
    var all = parameters
    all["method"] = method
    all["api_key"] = key.text
    all["sk"] = session?.text
    all["api_sig"] = try LastFMSignature.of(all, secret: secret.text)
    all["format"] = "json"
    // A redirection would hand the session on to somebody else.
    let request = HTTPRequest(
      method: "POST", url: address, headers: [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")],
      body: FormBody.encoded(all), timeout: .seconds(30), responseLimit: Self.answerLimit, redirectLimit: 0)
    let response = try await http.send(request)
    if (300..<400).contains(response.status) {
      return .nonsense("the server sends elsewhere (\(response.status)); set the address that it means")
    }
    return LastFMAnswer(response)
  }
}
