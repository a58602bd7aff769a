import HTTP
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_scrobble

@Suite(.timeLimit(.minutes(1)))
struct LastFMBackendTests {
  @Test func aBatchOfFiftyIsSignedAndTaken() async throws {
    let server = try await ScrobbleServer("lastfm")
    let batch = try ScrobbleServer.batch(0..<50) { $0.title += " & Jürgen = “ÄÖ+%”" }
    let result = try await server.lastFM().submit(batch)
    #expect(result.outcome == .answered(Array(repeating: .taken(nil), count: 50)))
    #expect(try await server.titles() == batch.map(\.title))
    let first = try #require(try await server.order("listens").elements.first)
    #expect(first["albumArtist"]?.string == "Various")
    #expect(first["duration"]?.string == "200")
    #expect(first["mbid"]?.string == "b1a9c0e9-d987-4042-ae91-78d6a3267d69")
    #expect(first["timestamp"]?.string == "1700000000")
  }

  @Test func oneGoesWithoutBracketsWhichSomeServersWant() async throws {
    let server = try await ScrobbleServer("lastfm")
    try await server.order("policy", #"{"brackets":false}"#)
    #expect(try await server.lastFM().submit(ScrobbleServer.batch(0..<1)).outcome == .answered([.taken(nil)]))
  }

  @Test(arguments: [#"{"xml":true}"#, #"{"lowercase":true,"numbers":false}"#, #"{"statusOK":true}"#])
  func itsAnswersAreReadInAllTheirShapes(policy: String) async throws {
    let server = try await ScrobbleServer("lastfm")
    try await server.order("policy", policy)
    try await server.order("policy", #"{"ignore":{"Track 1":2},"correct":{"Ada":"ADA"}}"#)
    let result = try await server.lastFM().submit(ScrobbleServer.batch(0..<3))
    let words = "corrected to artist “ADA”"
    #expect(result.outcome == .answered([.taken(words), .ignored("filter 2 (ignored: 2)"), .taken(words)]))
    let refused = try await server.lastFM(session: "other").submit(ScrobbleServer.batch(3..<4)).outcome
    guard case .refused(.signedOut, _) = refused else {
      Issue.record("\(refused)")
      return
    }
  }

  @Test func aWrongSecretIsNoMatterOfTheSignIn() async throws {
    let server = try await ScrobbleServer("lastfm")
    let outcome = try await server.lastFM(secret: "wrong").submit(ScrobbleServer.batch(0..<1)).outcome
    #expect(outcome == .refused(.refused, "Invalid method signature supplied (error 13)"))
  }

  @Test(arguments: ["html", "500", "cut", "twice"]) func whatGoesWrongOnTheWayIsNoAnswer(fault: String) async throws {
    let server = try await ScrobbleServer("lastfm")
    let backend = try server.lastFM()
    try await server.order("fault", #"{"path":"/2.0","fault":"\#(fault)"}"#)
    let first = try await backend.submit(ScrobbleServer.batch(0..<2)).outcome
    if fault == "twice" {
      #expect(first == .answered([.taken(nil), .taken(nil)]))
    } else if case .failed = first {
      // As it should be.
    } else {
      Issue.record("\(first)")
    }
    // What is left of it is not taken for the answer of the next.
    #expect(
      try await backend.submit(ScrobbleServer.batch(0..<3)).outcome
        == .answered([.taken(nil), .taken(nil), .taken(nil)]))
    #expect(try await server.titles().count == 3)
  }

  @Test func aSessionIsNotHandedOnToWhomTheServerRedirectsTo() async throws {
    let server = try await ScrobbleServer("lastfm")
    let other = try await ScrobbleServer("lastfm")
    try await server.order("fault", #"{"path":"/2.0","fault":"redirect","to":"\#(other.address)/2.0/","status":307}"#)
    guard case .failed = try await server.lastFM().submit(ScrobbleServer.batch(0..<1)).outcome else {
      Issue.record("it was followed")
      return
    }
    #expect(try await other.titles().isEmpty)
  }

  @Test func aServerThatCannotBeReachedIsNoAnswer() async throws {
    let client = LastFMClient(
      http: HTTPClient(userAgent: "x"), address: "http://127.0.0.1:9/2.0/", key: Secret("k"), secret: Secret("s"))
    let outcome = try await LastFMBackend(client: client, session: Secret("t")).submit(ScrobbleServer.batch(0..<1))
      .outcome
    guard case .failed(let words, isAnswer: false) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(words.contains("127.0.0.1"))
  }

  @Test func whatIsHeardNowAndWhatIsLovedIsTold() async throws {
    let server = try await ScrobbleServer("lastfm")
    let backend = try server.lastFM()
    let one = try #require(try ScrobbleServer.batch(7..<8).first)
    #expect(try await backend.announce(one).outcome == .answered([.taken(nil)]))
    #expect(try await backend.love(one, true).outcome == .answered([.taken(nil)]))
    var summary = try await server.order("summary")
    #expect(summary["now"]?["track"]?.string == "Track 7")
    #expect(summary["loved"]?.members.map(\.name) == ["Ada\nTrack 7"])
    #expect(try await backend.love(one, false).outcome == .answered([.taken(nil)]))
    summary = try await server.order("summary")
    #expect(summary["loved"]?.members.isEmpty == true)
  }

  @Test func nothingShowsASecret() throws {
    let client = LastFMClient(
      http: HTTPClient(userAgent: "x"), address: "http://h/2.0/", key: Secret("open sesame"),
      secret: Secret("open sesame"))
    let backend = LastFMBackend(client: client, session: Secret("open sesame"))
    var dumped = ""
    dump(backend, to: &dumped)
    #expect(!dumped.contains("sesame") && !"\(backend)".contains("sesame"))
  }
}
