import HTTP
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_scrobble

/// A stand-in for Last.fm or ListenBrainz as a process of its own, with clients for it.
final class FakeScrobbleServer: Sendable {
  let standIn: StandIn
  let http = HTTPClient(userAgent: "Lunara/test")

  init(_ name: String, _ arguments: [String] = []) async throws {
    standIn = try await StandIn(name, arguments)
  }

  func announced(_ name: StaticString) throws -> String { try #require(standIn.announced[name]?.string) }

  /// The base address, as a person types it.
  var address: String { "http://127.0.0.1:\(standIn.port)" }

  func lastFM(session: String? = nil, secret: String? = nil) throws -> LastFMScrobbleClient {
    LastFMScrobbleClient(
      api: LastFMAPI(
        http: http, address: "\(address)/2.0/", key: Secret(try announced("key")),
        secret: Secret(try secret ?? announced("secret"))),
      session: Secret(try session ?? announced("session")))
  }

  func listenBrainz(token: String? = nil) throws -> ListenBrainzScrobbleClient {
    ListenBrainzScrobbleClient(
      api: ListenBrainzAPI(http: http, address: address, token: Secret(try token ?? announced("token"))))
  }

  /// Sends an order to the stand-in.
  @discardableResult
  func order(_ verb: String, _ json: String = "{}") async throws -> JSONView {
    let response = try await http.send(
      HTTPRequest(.changes, method: "POST", url: "\(address)/__control__/\(verb)", body: Array(json.utf8)))
    let text = String(decoding: response.body, as: UTF8.self)
    try #require(response.status == 200, "\(verb): \(text)")
    return try #require(JSONView(response.body))
  }

  /// Returns the titles that it keeps, in the order in which they came.
  func titles() async throws -> [String] {
    try await order("listens").elements.compactMap { $0["track"]?.string }
  }

  static func batch(_ numbers: Range<Int>, _ change: (inout Track) -> Void = { _ in }) throws -> [Submission] {
    try numbers.map { number in
      let subject = subject("l\(number)", number)
      var track = subject.item.track
      change(&track)
      return try Submission(track, startedAt: subject.startedAt)
    }
  }
}
