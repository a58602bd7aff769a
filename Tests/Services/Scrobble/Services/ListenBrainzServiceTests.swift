import HTTP
import Messages
import Model
import Testing

@testable import lunara_scrobble

@Suite(.timeLimit(.minutes(1)))
struct ListenBrainzServiceTests {
  @Test func aBatchIsAnImportAndOneIsASingle() async throws {
    let server = try await FakeScrobbleServer("listenbrainz")
    let client = try server.listenBrainz()
    let batch = try FakeScrobbleServer.batch(0..<100) {
      $0.artistIDs = ["0383dadf-2a4e-4d10-a46a-e9e041da8eb3"]
      $0.releaseGroupID = "9162580e-5df4-32de-80cc-f45a8d8a9b1d"
      $0.isrc = "USRE17100017"
    }
    #expect(
      try await client.submit(batch).outcome
        == .answered(Array(repeating: .accepted(nil), count: 100)))
    #expect(try await client.submit(FakeScrobbleServer.batch(100..<101)).outcome == .answered([.accepted(nil)]))
    #expect(try await server.order("summary")["batches"]?.elements.compactMap(\.integer) == [100, 1])
    let row = try #require(try await server.order("listens").elements.first?["row"])
    let more = try #require(row["track_metadata"]?["additional_info"])
    #expect(row["listened_at"]?.integer == 1_700_000_000)
    #expect(more["media_player"]?.string == "Lunara")
    #expect(more["duration_ms"]?.integer == 200_000)
    #expect(more["recording_mbid"]?.string == "b1a9c0e9-d987-4042-ae91-78d6a3267d69")
    #expect(more["artist_mbids"]?.elements.map(\.string) == ["0383dadf-2a4e-4d10-a46a-e9e041da8eb3"])
    #expect(more["release_group_mbid"]?.string == "9162580e-5df4-32de-80cc-f45a8d8a9b1d")
    #expect(more["isrc"]?.string == "USRE17100017")
    #expect(more["release_artist_name"]?.string == "Various")
  }

  @Test func oneBadListenFailsTheBatch() async throws {
    let server = try await FakeScrobbleServer("listenbrainz")
    let batch = try FakeScrobbleServer.batch(0..<4) {
      if $0.title == "Track 2" { $0.title += String(repeating: "x", count: 11_000) }
    }
    guard case .rejected(let words) = try await server.listenBrainz().submit(batch).outcome else {
      Issue.record("it was not refused")
      return
    }
    #expect(words.hasSuffix("(400)"))
    #expect(try await server.titles().isEmpty)
  }

  @Test func aTokenNamesItsUserOrIsInvalid() async throws {
    let server = try await FakeScrobbleServer("listenbrainz")
    #expect(try await server.listenBrainz().api.user() == "tester")
    let other = try server.listenBrainz(token: "other")
    #expect(try await other.api.user() == nil)
    guard case .refused(.signedOut, _) = try await other.submit(FakeScrobbleServer.batch(0..<1)).outcome else {
      Issue.record("it was not refused")
      return
    }
  }

  @Test func itsLimitIsHeededBeforeItIsReachedAndAfter() async throws {
    let server = try await FakeScrobbleServer("listenbrainz")
    let client = try server.listenBrainz()
    try await server.order("policy", #"{"limit":2,"window":60}"#)
    #expect(try await client.submit(FakeScrobbleServer.batch(0..<1)).quiet == nil)
    let last = try await client.submit(FakeScrobbleServer.batch(1..<2))
    #expect(last.outcome == .answered([.accepted(nil)]))
    #expect(try #require(last.quiet) > .seconds(50))
    guard case .limited(_, let wait) = try await client.submit(FakeScrobbleServer.batch(2..<3)).outcome else {
      Issue.record("it was not limited")
      return
    }
    #expect(try #require(wait) > .seconds(50))
  }

  @Test func theLongerOfTwoWaitsIsKept() {
    func wait(_ headers: [(String, String)]) -> Duration? {
      let response = HTTPResponse(status: 429, headers: headers, body: Array("<html>".utf8))
      guard case .limited(_, let wait) = ListenBrainzScrobbleClient.result(response, of: 1).outcome else { return nil }
      return wait
    }
    #expect(wait([("Retry-After", "70")]) == .seconds(70))
    #expect(wait([("X-RateLimit-Reset-In", "9"), ("Retry-After", "70")]) == .seconds(70))
    #expect(wait([("X-RateLimit-Reset-In", "90"), ("Retry-After", "70")]) == .seconds(90))
  }

  @Test func anAnswerWithAnotherStatusThanOkIsNoAcceptance() {
    let response = HTTPResponse(status: 200, body: Array(#"{"status":"failed"}"#.utf8))
    guard case .failed(_, isAnswer: true) = ListenBrainzScrobbleClient.result(response, of: 1).outcome else {
      Issue.record("it is taken for an acceptance")
      return
    }
  }

  @Test func nowPlayingIsSentWithoutATime() async throws {
    let server = try await FakeScrobbleServer("listenbrainz")
    let one = try #require(try FakeScrobbleServer.batch(7..<8).first)
    #expect(try await server.listenBrainz().announce(one).outcome == .answered([.accepted(nil)]))
    let now = try #require(try await server.order("summary")["now"])
    #expect(now["track_metadata"]?["track_name"]?.string == "Track 7")
    #expect(now["listened_at"] == nil)
  }

  @Test func aTrackIsLovedByItsRecording() async throws {
    let server = try await FakeScrobbleServer("listenbrainz")
    let client = try server.listenBrainz()
    let one = try #require(try FakeScrobbleServer.batch(7..<8).first)
    #expect(try await client.love(one, true).outcome == .answered([.accepted(nil)]))
    let loved = try await server.order("summary")["loved"]
    #expect(loved?["b1a9c0e9-d987-4042-ae91-78d6a3267d69"]?.integer == 1)
    #expect(try await client.love(one, false).outcome == .answered([.accepted(nil)]))
    #expect(try await server.order("summary")["loved"]?.members.isEmpty == true)
  }

  @Test func theRecordingOfATrackWithoutAnIDIsLookedUpByItsNames() async throws {
    let server = try await FakeScrobbleServer("listenbrainz")
    let client = try server.listenBrainz()
    var one = try #require(try FakeScrobbleServer.batch(7..<8).first)
    one.recordingID = nil
    func why() async throws -> String? {
      guard case .answered(let items) = try await client.love(one, true).outcome, case .ignored(let why)? = items.first
      else { return nil }
      return why
    }
    #expect(try await why()?.contains("no MusicBrainz recording id") == true)
    // A recording that is found under another title is not used.
    try await server.order("policy", #"{"recordings":{"Track 7 (live)":"0383dadf-2a4e-4d10-a46a-e9e041da8eb3"}}"#)
    #expect(try await why() != nil)
    #expect(try await server.order("summary")["loved"]?.members.isEmpty == true)
    try await server.order("policy", #"{"recordings":{"track 7":"0383dadf-2a4e-4d10-a46a-e9e041da8eb3"}}"#)
    #expect(try await client.love(one, true).outcome == .answered([.accepted(nil)]))
    #expect(
      try await server.order("summary")["loved"]?["0383dadf-2a4e-4d10-a46a-e9e041da8eb3"]?.integer == 1)
    try await server.order("fault", #"{"path":"lookup","fault":"404"}"#)
    #expect(try await why()?.contains("cannot look it up") == true)
    try await server.order("fault", #"{"path":"lookup","fault":"500"}"#)
    guard case .failed(_, isAnswer: true) = try await client.love(one, true).outcome else {
      Issue.record("it may be known another time")
      return
    }
  }

  @Test func whatIsDocumentedToBeRefusedIsKnownWithoutAsking() async throws {
    let server = try await FakeScrobbleServer("listenbrainz")
    let client = try server.listenBrainz()
    let now = Timestamp(seconds: 1_800_000_000)
    var one = try #require(try FakeScrobbleServer.batch(0..<1).first)
    #expect(client.problem(with: one, at: now) == nil)
    for (time, isFine) in [
      (1_033_410_599, false), (1_033_410_600, true), (1_800_003_600, true), (1_800_003_601, false), (1000, false),
    ] as [(Int64, Bool)] {
      one.startedAt = time
      #expect((client.problem(with: one, at: now) == nil) == isFine, "\(time)")
    }
    one.startedAt = 1_700_000_000
    one.title = String(repeating: "x", count: 9000)
    #expect(client.problem(with: one, at: now) == nil)
    #expect(try await client.submit([one]).outcome == .answered([.accepted(nil)]))
    one.title = String(repeating: "x", count: 10_000)
    #expect(client.problem(with: one, at: now) != nil)
    guard case .rejected = try await client.submit([one]).outcome else {
      Issue.record("it is said to be too long, and is taken")
      return
    }
  }

  @Test(arguments: [
    (200, "{\"status\":\"ok\"}", "answered"), (200, "<html>", "failed"), (200, "", "failed"),
    (200, "{\"error\":\"x\",\"code\":500}", "failed"), (302, "", "failed"), (400, "{}", "rejected"),
    (413, "", "rejected"), (401, "", "refused"), (403, "", "refused"), (404, "<html>", "failed"),
    (400, "\r\n<html>", "failed"), (401, "<html>", "failed"), (403, "<html>", "failed"), (413, "<html>", "rejected"),
    (429, "{}", "limited"), (500, "{}", "failed"), (503, "<html>", "failed"),
  ]) func eachStatusHasItsConsequence(status: Int, body: String, expected: String) {
    let seen =
      switch ListenBrainzScrobbleClient.result(HTTPResponse(status: status, body: Array(body.utf8)), of: 1).outcome {
      case .answered: "answered"
      case .rejected: "rejected"
      case .failed: "failed"
      case .limited: "limited"
      case .refused: "refused"
      }
    #expect(seen == expected)
  }
}
