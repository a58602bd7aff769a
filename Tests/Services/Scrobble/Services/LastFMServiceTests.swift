import HTTP
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_scrobble

@Suite(.timeLimit(.minutes(1)))
struct LastFMServiceTests {
  @Test func aBatchOfFiftyIsSignedAndTaken() async throws {
    let server = try await FakeScrobbleServer("lastfm")
    let batch = try FakeScrobbleServer.batch(0..<50) { $0.title += " & Jürgen = “ÄÖ+%”" }
    let result = try await server.lastFM().submit(batch)
    #expect(result.outcome == .answered(Array(repeating: .accepted(nil), count: 50)))
    #expect(try await server.titles() == batch.map(\.title))
    let first = try #require(try await server.order("listens").elements.first)
    #expect(first["albumArtist"]?.string == "Various")
    #expect(first["duration"]?.string == "200")
    #expect(first["mbid"]?.string == "b1a9c0e9-d987-4042-ae91-78d6a3267d69")
    #expect(first["timestamp"]?.string == "1700000000")
  }

  @Test func aSingleListenIsSentWithoutIndices() async throws {
    let server = try await FakeScrobbleServer("lastfm")
    try await server.order("policy", #"{"brackets":false}"#)
    #expect(try await server.lastFM().submit(FakeScrobbleServer.batch(0..<1)).outcome == .answered([.accepted(nil)]))
  }

  @Test(arguments: [#"{"xml":true}"#, #"{"lowercase":true,"numbers":false}"#, #"{"statusOK":true}"#])
  func itsAnswersAreReadInAllTheirShapes(policy: String) async throws {
    let server = try await FakeScrobbleServer("lastfm")
    try await server.order("policy", policy)
    try await server.order("policy", #"{"ignore":{"Track 1":2},"correct":{"Ada":"ADA"}}"#)
    let result = try await server.lastFM().submit(FakeScrobbleServer.batch(0..<3))
    let words = "corrected to artist “ADA”"
    #expect(result.outcome == .answered([.accepted(words), .ignored("filter 2 (ignored: 2)"), .accepted(words)]))
    let refused = try await server.lastFM(session: "other").submit(FakeScrobbleServer.batch(3..<4)).outcome
    guard case .refused(.signedOut, _) = refused else {
      Issue.record("\(refused)")
      return
    }
  }

  @Test func aWrongSecretIsNoMatterOfTheSignIn() async throws {
    let server = try await FakeScrobbleServer("lastfm")
    let outcome = try await server.lastFM(secret: "wrong").submit(FakeScrobbleServer.batch(0..<1)).outcome
    #expect(outcome == .refused(.refused, "Invalid method signature supplied (error 13)"))
  }

  @Test(arguments: ["html", "500", "cut", "twice"]) func brokenAnswersAreNoAnswer(fault: String) async throws {
    let server = try await FakeScrobbleServer("lastfm")
    let client = try server.lastFM()
    try await server.order("fault", #"{"path":"/2.0","fault":"\#(fault)"}"#)
    let first = try await client.submit(FakeScrobbleServer.batch(0..<2)).outcome
    if fault == "twice" {
      #expect(first == .answered([.accepted(nil), .accepted(nil)]))
    } else if case .failed = first {
      // The expected result.
    } else {
      Issue.record("\(first)")
    }
    // The rest of the broken answer is not taken for the next answer.
    #expect(
      try await client.submit(FakeScrobbleServer.batch(0..<3)).outcome
        == .answered([.accepted(nil), .accepted(nil), .accepted(nil)]))
    #expect(try await server.titles().count == 3)
  }

  @Test func aSessionIsNotHandedOnToWhomTheServerRedirectsTo() async throws {
    let server = try await FakeScrobbleServer("lastfm")
    let other = try await FakeScrobbleServer("lastfm")
    try await server.order("fault", #"{"path":"/2.0","fault":"redirect","to":"\#(other.address)/2.0/","status":307}"#)
    guard case .failed = try await server.lastFM().submit(FakeScrobbleServer.batch(0..<1)).outcome else {
      Issue.record("it was followed")
      return
    }
    #expect(try await other.titles().isEmpty)
  }

  @Test func aServerThatCannotBeReachedIsNoAnswer() async throws {
    let api = LastFMAPI(
      http: HTTPClient(userAgent: "x"), address: "http://127.0.0.1:9/2.0/", key: Secret("k"), secret: Secret("s"))
    let result = try await LastFMScrobbleClient(api: api, session: Secret("t")).submit(
      FakeScrobbleServer.batch(0..<1))
    guard case .failed(let words, isAnswer: false) = result.outcome else {
      Issue.record("\(result)")
      return
    }
    #expect(words.contains("127.0.0.1") && !result.mayHaveArrived)
  }

  @Test func whatIsHeardNowAndWhatIsLovedIsTold() async throws {
    let server = try await FakeScrobbleServer("lastfm")
    let client = try server.lastFM()
    let one = try #require(try FakeScrobbleServer.batch(7..<8).first)
    #expect(try await client.announce(one).outcome == .answered([.accepted(nil)]))
    #expect(try await client.love(one, true).outcome == .answered([.accepted(nil)]))
    var summary = try await server.order("summary")
    #expect(summary["now"]?["track"]?.string == "Track 7")
    #expect(summary["loved"]?.members.map(\.name) == ["Ada\nTrack 7"])
    #expect(try await client.love(one, false).outcome == .answered([.accepted(nil)]))
    summary = try await server.order("summary")
    #expect(summary["loved"]?.members.isEmpty == true)
  }

  @Test func aSignInWaitsAsLongAsTheServerAsks() async throws {
    let server = try await FakeScrobbleServer("lastfm")
    let address = try ServerAddress(server.address, of: LastFMService.self)
    let settings = [
      "LUNARA_LASTFM_KEY": try server.announced("key"), "LUNARA_LASTFM_SECRET": try server.announced("secret"),
    ]
    let service = LastFMService(http: server.http) { settings[$0] }
    var signIn = try await service.beginSignIn(at: address, page: nil)
    #expect(signIn.pause == .seconds(1))
    try await server.order("fault", #"{"path":"/2.0","fault":"failed","code":29,"retryAfter":70}"#)
    #expect(try await signIn.poll()?.user == nil)
    #expect(signIn.pause == .seconds(70) && signIn.state.state == "waiting")
    // Nobody has allowed it yet; the server answers again.
    #expect(try await signIn.poll()?.user == nil)
    #expect(signIn.pause == .seconds(1) && signIn.state.state == "waiting")
  }

  @Test func nothingShowsASecret() throws {
    let api = LastFMAPI(
      http: HTTPClient(userAgent: "x"), address: "http://h/2.0/", key: Secret("open sesame"),
      secret: Secret("open sesame"))
    let client = LastFMScrobbleClient(api: api, session: Secret("open sesame"))
    var dumped = ""
    dump(client, to: &dumped)
    #expect(!dumped.contains("sesame") && !"\(client)".contains("sesame"))
  }
}

struct LastFMSignatureTests {
  @Test func theDocumentedExampleIsMatched() throws {
    let parameters = ["api_key": "xxxxxxxxxx", "method": "auth.getSession", "token": "yyyyyy"]
    #expect(try LastFMAPI.signature(of: parameters, secret: "ilovecher") == "b87d61da3cda91a8b6746c4aef55d6f8")
  }

  @Test func aBatchOfTwelveIsSignedByTheBytesOfItsNames() throws {
    var parameters = [
      "api_key": "0123456789abcdef0123456789abcdef", "sk": "d580d57f32848f5dcf574d1ce18d78b2",
      "method": "track.scrobble",
    ]
    for index in 0..<12 {
      parameters["artist[\(index)]"] = "Artist \(index)"
      parameters["track[\(index)]"] = "Träck \(index)"
      parameters["timestamp[\(index)]"] = "\(1_700_000_000 + 240 * index)"
    }
    #expect(try LastFMAPI.signature(of: parameters, secret: "secret") == "a6246c44125ed5d53b3bdec6a1a5bc89")
  }

  @Test func theFormatTheCallbackAndTheSignatureItselfAreNotSigned() throws {
    var parameters = ["api_key": "k", "method": "m"]
    let plain = try LastFMAPI.signature(of: parameters, secret: "s")
    parameters["format"] = "json"
    parameters["callback"] = "c"
    parameters["api_sig"] = plain
    #expect(try LastFMAPI.signature(of: parameters, secret: "s") == plain)
    parameters["sk"] = "x"
    #expect(try LastFMAPI.signature(of: parameters, secret: "s") != plain)
  }
}

struct LastFMSignInTests {
  private let start = Timestamp(seconds: 1_700_000_000)

  private func signIn() throws -> LastFMSignIn {
    LastFMSignIn(
      at: try ServerAddress(nil, of: LastFMService.self), page: nil, key: "k&y", token: Secret("t 1"), now: start)
  }

  private func later(_ seconds: Int64) -> Timestamp { Timestamp(seconds: start.seconds + seconds) }

  @Test func theLinkHoldsKeyAndToken() throws {
    let told = try signIn().started
    #expect(told.link == "https://www.last.fm/api/auth/?api_key=k%26y&token=t%201")
    #expect(told.expiresAt == later(3600))
  }

  @Test(arguments: [14, 8, 11, 16]) func itIsAskedAgainWhileNobodyHasAllowedIt(code: Int) throws {
    var signIn = try signIn()
    #expect(signIn.refuse(code, "", at: later(10)) == .askAgain)
    #expect(signIn.state.state == "waiting")
  }

  @Test(arguments: [4, 15]) func aTokenThatIsNoLongerGoodIsReplacedAFewTimes(code: Int) throws {
    var signIn = try signIn()
    for number in 2...5 {
      #expect(signIn.refuse(code, "", at: later(10)) == .getToken)
      signIn.begin(with: Secret("t\(number)"), at: later(10))
      #expect(signIn.state.link?.hasSuffix("token=t\(number)") == true)
    }
    #expect(signIn.refuse(code, "no", at: later(10)) == .end)
    #expect(signIn.state.error?.code == "scrobble.refused")
    // The sign-in keeps its original end, whichever token it has by then.
    #expect(signIn.started.expiresAt == later(3600))
  }

  @Test func aRefusedAPIKeyEndsTheSignIn() throws {
    var signIn = try signIn()
    #expect(signIn.refuse(10, "Invalid API Key", at: later(10)) == .end)
    #expect(signIn.state.error?.cause == "Invalid API Key")
  }

  @Test func aServerThatLimitsRequestsIsAskedLessOften() throws {
    var signIn = try signIn()
    #expect(signIn.pause == .seconds(1))
    var pauses: [Duration] = []
    for _ in 0..<6 {
      #expect(signIn.handleNoAnswer(at: later(10)) == .askAgain)
      pauses.append(signIn.pause)
    }
    #expect(pauses == [2, 4, 8, 16, 30, 30].map { .seconds($0) })
    #expect(signIn.handleNoAnswer(at: later(10), limit: .seconds(90)) == .askAgain)
    #expect(signIn.pause == .seconds(90))
    // The server says that nobody has allowed it yet: it answers again.
    #expect(signIn.refuse(14, "", at: later(100)) == .askAgain)
    #expect(signIn.pause == .seconds(1))
    #expect(signIn.refuse(11, "offline", at: later(100)) == .askAgain)
    #expect(signIn.pause == .seconds(2))
    // A limit beyond the end of the sign-in does not keep it waiting.
    #expect(signIn.handleNoAnswer(at: later(3590), limit: .seconds(86_400)) == .askAgain)
    #expect(signIn.pause == .seconds(10))
  }

  @Test func theSignInEndsAfterAnHour() throws {
    var signIn = try signIn()
    #expect(signIn.refuse(14, "", at: later(3599)) == .askAgain)
    #expect(signIn.handleNoAnswer(at: later(3599)) == .askAgain)
    #expect(signIn.handleNoAnswer(at: later(3600)) == .end)
    #expect(signIn.state.state == "expired")
  }
}
