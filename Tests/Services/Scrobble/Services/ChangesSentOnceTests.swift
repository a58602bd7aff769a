import HTTP
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_scrobble

/// Each request that changes something at a scrobble service is sent once: to a server that carries it out, and then
/// closes the kept connection without a byte.
@Suite(.timeLimit(.minutes(1)))
struct ChangesSentOnceTests {
  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The words that its request has in its path or body.
    var words: String
    /// Makes the change, and returns its result; throws where it has none.
    var call: @Sendable (_ address: String, HTTPClient) async throws -> SendResult
  }

  @Test(arguments: lastFM + listenBrainz)
  func aChangeWhoseAnswerIsLostIsNotSentAgain(_ change: Change) async throws {
    let isIt = { @Sendable (request: DroppingServer.Request) in
      request.method == "POST" && (request.path + "?" + request.body).contains(change.words)
    }
    let http = HTTPClient(userAgent: "test/1")
    let server = try await DroppingServer.losing(isIt, answer: { _ in #"{"valid":true,"user_name":"ada"}"# }) {
      try await http.send(HTTPRequest(.reads, url: $0)).status
    }
    let result = try await change.call(server.address, http)
    #expect(result.mayHaveArrived, "\(result)")
    let sent = server.requests
    #expect(sent.count(where: isIt) == 1, "\(sent.map { "\($0.method) \($0.target)" })")
  }

  private static func lastFM(_ address: String, _ http: HTTPClient) -> LastFMScrobbleClient {
    let api = LastFMAPI(http: http, address: address + "/2.0/", key: Secret("k"), secret: Secret("s"))
    return LastFMScrobbleClient(api: api, session: Secret("t"))
  }

  /// Signs in, which has no result but an error.
  private static func signIn(
    _ name: String, _ words: String, _ call: @escaping @Sendable (LastFMAuth, ServerAddress) async throws -> Void
  ) -> Change {
    Change(testDescription: "Last.fm: \(name)", words: words) { address, http in
      let auth = LastFMAuth(http: http, key: "k", secret: "s")
      let server = try ServerAddress(address, of: LastFMService.self)
      let error = await #expect(throws: LunaraError.self) { try await call(auth, server) }
      #expect(error?.code == "scrobble.serviceAway")
      return SendResult(.failed("", isAnswer: false), mayHaveArrived: true)
    }
  }

  private static let lastFM = [
    Change(testDescription: "Last.fm: scrobble", words: "method=track.scrobble") {
      try await lastFM($0, $1).submit(try FakeScrobbleServer.batch(0..<3))
    },
    Change(testDescription: "Last.fm: now playing", words: "method=track.updateNowPlaying") {
      try await lastFM($0, $1).announce(try one())
    },
    Change(testDescription: "Last.fm: love", words: "method=track.love") {
      try await lastFM($0, $1).love(try one(), true)
    },
    Change(testDescription: "Last.fm: end a love", words: "method=track.unlove") {
      try await lastFM($0, $1).love(try one(), false)
    },
    signIn("token", "method=auth.getToken") { _ = try await $0.token(at: $1) },
    signIn("session", "method=auth.getSession") { _ = try await $0.session(of: Secret("x"), at: $1) },
    signIn("password", "method=auth.getMobileSession") {
      _ = try await $0.signIn(user: "ada", password: Secret("x"), at: $1)
    },
  ]

  private static func listenBrainz(_ address: String, _ http: HTTPClient) -> ListenBrainzScrobbleClient {
    ListenBrainzScrobbleClient(api: ListenBrainzAPI(http: http, address: address, token: Secret("t")))
  }

  private static let listenBrainz = [
    Change(testDescription: "ListenBrainz: submit", words: "/1/submit-listens") {
      try await listenBrainz($0, $1).submit(try FakeScrobbleServer.batch(0..<3))
    },
    Change(testDescription: "ListenBrainz: now playing", words: "/1/submit-listens") {
      try await listenBrainz($0, $1).announce(try one())
    },
    Change(testDescription: "ListenBrainz: love", words: "/1/feedback/recording-feedback") {
      try await listenBrainz($0, $1).love(try one(), true)
    },
  ]

  private static func one() throws -> Submission {
    let batch = try FakeScrobbleServer.batch(0..<1) { $0.recordingID = "f32fab67-77dd-3937-addc-000000000001" }
    return try #require(batch.first)
  }
}
