import HTTP
import Messages
import Model
import Sync
import Synchronization
import TestSupport
import Testing

@testable import Providers

/// The pauses that a caller took, without waiting for them.
final class TakenPauses: Sendable {
  private let pauses = Mutex<[Duration]>([])

  /// The pauses, without those between two calls.
  var values: [Duration] { pauses.withLock { $0.filter { $0 > .zero } } }

  /// Returns a caller that takes its pauses here, at a time that does not pass.
  ///
  /// - Parameter token: the token, which is not renewed.
  func caller(
    title: String = "ListenBrainz", http: HTTPClient, gap: Duration = .zero, token: String
  ) -> ProviderCaller {
    let now = Timestamp(seconds: 1_800_000_000)
    return ProviderCaller(
      title: title, http: http, pacing: ProviderPacing(linkedAt: now), gap: gap, now: { now },
      sleep: { pause in self.pauses.withLock { $0.append(pause) } },
      authorisation: { refused in
        if refused != nil { throw ProviderError.signedOut(title) }
        return ("Authorization", "Token \(token)")
      })
  }
}

/// A stand-in for ListenBrainz as a process of its own, with a provider for it.
final class FakeListenBrainz: Sendable {
  let standIn: StandIn
  let http = HTTPClient(userAgent: "Lunara/test")
  let pauses = TakenPauses()

  init() async throws { standIn = try await StandIn("listenbrainz", []) }

  var address: String { "http://127.0.0.1:\(standIn.port)" }

  func token() throws -> String { try #require(standIn.announced["token"]?.string) }

  func provider(token: String? = nil) throws -> ListenBrainzProvider {
    ListenBrainzProvider(
      user: "tester", address: address, caller: pauses.caller(http: http, token: try token ?? self.token()))
  }

  /// Sends an order to the stand-in.
  @discardableResult
  func order(_ verb: String, _ json: String = "{}") async throws -> JSONView {
    let response = try await http.send(
      HTTPRequest(.changes, method: "POST", url: "\(address)/__control__/\(verb)", body: Array(json.utf8)))
    try #require(response.status == 200, "\(verb): \(String(decoding: response.body, as: UTF8.self))")
    return try #require(JSONView(response.body))
  }

  /// Makes a list at the stand-in, and returns its id.
  func list(_ title: String, _ natives: [String] = [], more: String = "") async throws -> String {
    let recordings = natives.map { "\"\($0)\"" }.joined(separator: ",")
    let made = try await order("playlist", #"{"title":"\#(title)","recordings":[\#(recordings)]\#(more)}"#)
    return try #require(made["id"]?.string)
  }

  /// Returns the recordings of a list at the stand-in.
  func recordings(of id: String) async throws -> [String] {
    let list = try #require(try await order("playlists").elements.first { $0["id"]?.string == id })
    return list["recordings"]?.elements.compactMap(\.string) ?? []
  }

  /// Returns the number of requests to a path that the stand-in received.
  func requests(_ path: String) async throws -> Int {
    try await order("log")["requests"]?.elements.count { $0["path"]?.string == path } ?? 0
  }

  /// Returns the id of a recording.
  static func recording(_ number: Int) -> String {
    let digits = String(number)
    return "b1a9c0e9-d987-4042-ae91-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  static func recordings(_ numbers: Range<Int>) -> [String] { numbers.map(recording) }
}
