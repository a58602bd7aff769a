import FoundationEssentials
import HTTP
import Messages
import TestSupport
import Testing

@testable import lunara_scrobble

struct LastFMAnswerTests {
  private func result(_ text: String, status: Int = 200, of count: Int = 1) -> SendOutcome {
    LastFMAnswer(HTTPResponse(status: status, body: Array(text.utf8))).result(of: count).outcome
  }

  @Test func oneItemWithoutItsListAndManyAreReadAlike() {
    let one =
      ##"{"scrobbles":{"@attr":{"accepted":1,"ignored":0},"scrobble":{"ignoredMessage":{"code":"0","#text":""}}}}"##
    #expect(result(one) == .answered([.accepted(nil)]))
    let two =
      ##"{"scrobbles":{"scrobble":[{"ignoredMessage":{"code":0}},{"ignoredmessage":{"code":"3","#text":""}}]}}"##
    #expect(result(two, of: 2) == .answered([.accepted(nil), .ignored("the time is too long ago (ignored: 3)")]))
  }

  @Test func namesInOtherCaseAndNumbersAsTextsAreRead() {
    let text =
      ##"{"Scrobbles":{"@attr":{"Accepted":"0","IGNORED":"1"},"SCROBBLE":{"IgnoredMESSAGE":{"CODE":"1","#text":"no"}}}}"##
    #expect(result(text) == .answered([.ignored("no (ignored: 1)")]))
  }

  @Test(arguments: [1, 2, 3, 4, 6, 77]) func anIgnoredListenIsKeptWithItsReason(code: Int) {
    let text = ##"{"scrobbles":{"scrobble":{"ignoredMessage":{"code":\##(code),"#text":"why"}}}}"##
    #expect(result(text) == .answered([.ignored("why (ignored: \(code))")]))
  }

  @Test func listensOverTheDailyLimitAreSentLater() {
    let text = ##"{"scrobbles":{"scrobble":{"ignoredMessage":{"code":5,"#text":""}}}}"##
    #expect(result(text) == .answered([.later("daily scrobble limit exceeded (ignored: 5)")]))
  }

  @Test func whatItWasCorrectedToIsShown() {
    let text =
      ##"{"scrobbles":{"scrobble":{"artist":{"corrected":"1","#text":"Röyksopp"},"ignoredMessage":{"code":0}}}}"##
    #expect(result(text) == .answered([.accepted("corrected to artist “Röyksopp”")]))
  }

  @Test func anAnswerWithOnlyACountIsAcceptedWhereItCountsAll() {
    #expect(
      result(#"{"scrobbles":{"@attr":{"ignored":0}}}"#, of: 3)
        == .answered([.accepted(nil), .accepted(nil), .accepted(nil)]))
    guard case .rejected = result(#"{"scrobbles":{"@attr":{"accepted":2,"ignored":1}}}"#, of: 3) else {
      Issue.record("three of which one was ignored are asked about one by one")
      return
    }
  }

  /// Answers that end a request without an error, but say of no listen that the service has it.
  @Test(
    arguments: [
      #"{"scrobbles":{"@attr":{"accepted":0,"ignored":1},"scrobble":[]}}"#,
      #"{"scrobbles":{"@attr":{"accepted":0,"ignored":1},"scrobble":{}}}"#,
      #"{"scrobbles":{"@attr":{"accepted":0,"ignored":1},"scrobble":{"artist":"A","track":"T"}}}"#,
      #"{"scrobbles":{"@attr":{"accepted":0,"ignored":1},"scrobble":{"ignoredMessage":{"code":0}}}}"#,
      #"{"scrobbles":{"@attr":{"accepted":1,"ignored":0},"scrobble":[]}}"#,
      #"{"scrobbles":{"scrobble":[]}}"#, #"{"scrobbles":{"scrobble":{"track":"T"}}}"#, #"{"scrobbles":[]}"#,
      #"{"scrobbles":{}}"#, "{}", #"{"scrobbles":{"@attr":{"accepted":0}}}"#,
      #"<lfm status="ok"><scrobbles accepted="0" ignored="1"><scrobble/></scrobbles></lfm>"#,
      #"<lfm status="ok"><scrobbles/></lfm>"#,
    ], [1, 4]) func anAnswerThatDoesNotConfirmAListenLosesNone(text: String, count: Int)
  {
    switch result(text, of: count) {
    case .rejected, .failed(_, isAnswer: true): break
    case let outcome: Issue.record("\(text) of \(count): \(outcome)")
    }
  }

  @Test func oneEntryThatConfirmsNothingIsNotCountedWithTheOthers() {
    let entries = #"{"ignoredMessage":{"code":0}},{"ignoredMessage":{"code":0}}"#
    for other in ["{}", #"{"ignoredMessage":{"code":0}}"#] {
      let text = #"{"scrobbles":{"@attr":{"accepted":2,"ignored":1},"scrobble":[\#(entries),\#(other)]}}"#
      guard case .rejected = result(text, of: 3) else {
        Issue.record("three of which one was ignored without a word are sent again in parts")
        return
      }
    }
  }

  @Test func anIgnoredListenNeedsNoCode() {
    let text = #"{"scrobbles":{"scrobble":{"ignoredMessage":"the artist is filtered"}}}"#
    #expect(result(text) == .answered([.ignored("the artist is filtered")]))
  }

  @Test(arguments: [
    "", "<html>slow down</html>", #"{"error":8,"message":"why"}"#, #"{"error":9,"message":"why"}"#, "{}",
    #"{"error":29,"message":"why"}"#, #"{"scrobbles":{"scrobble":{"ignoredMessage":{"code":0}}}}"#,
  ]) func aRateLimitIsObeyedWhateverItsBody(text: String) {
    func wait(_ headers: [(String, String)]) -> Duration? {
      let response = HTTPResponse(status: 429, headers: headers, body: Array(text.utf8))
      guard case .limited(_, let wait) = LastFMAnswer(response).result(of: 1).outcome else {
        Issue.record("“\(text)” is not taken for a limit")
        return nil
      }
      return wait
    }
    #expect(wait([]) == nil)
    #expect(wait([("Retry-After", "1800")]) == .seconds(1800))
    #expect(wait([("Retry-After", "0")]) == .seconds(1))
    let (date, later) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:37 GMT")
    #expect(wait([("Date", date), ("Retry-After", later)]) == .seconds(60))
    #expect(wait([("Retry-After", "99999999999")]) == .seconds(86_400))
  }

  @Test(arguments: [
    "", "<html><body><h1>502</h1></body></html>", "[1,2]", "{", "null", "<lfm status=\"ok\">", "{\"status\":\"ok\"}",
    "<!DOCTYPE x [<!ENTITY a \"b\">]><lfm status=\"ok\"><scrobbles/></lfm>", "OK", "<lfm status=\"failed\"></lfm>",
  ]) func nonsenseIsAskedAgain(text: String) {
    guard case .failed(_, isAnswer: true) = result(text) else {
      Issue.record("“\(text)” is taken for an answer")
      return
    }
  }

  @Test(arguments: [
    (4, "signedOut"), (9, "signedOut"), (14, "signedOut"), (15, "signedOut"), (10, "refused"), (13, "refused"),
    (26, "refused"), (8, "failed, answered"), (11, "failed"), (16, "failed"), (29, "limited"), (2, "rejected"),
    (3, "rejected"), (5, "rejected"), (6, "rejected"), (7, "rejected"), (27, "rejected"), (12, "rejected"),
    (99, "rejected"),
  ]) func eachErrorHasItsConsequence(code: Int, expected: String) {
    // The result does not depend on the HTTP status.
    for status in [200, 400, 403, 500] {
      #expect(name(of: result(#"{"error":\#(code),"message":"why"}"#, status: status)) == expected)
    }
    #expect("\(result("<lfm status='failed'><error code='\(code)'>why</error></lfm>"))".contains("why (error \(code))"))
  }

  private func name(of outcome: SendOutcome) -> String {
    switch outcome {
    case .answered: "answered"
    case .rejected: "rejected"
    case .failed(_, let isAnswer): isAnswer ? "failed, answered" : "failed"
    case .limited: "limited"
    case .refused(let pause, _): pause.rawValue
    }
  }
}

/// Recorded answers of real servers and documented examples, parsed as in use.
@Suite(
  .enabled(
    if: RecordedAnswers.folder != nil, "needs the recordings of real servers: set LUNARA_RECORDINGS to their folder"))
struct RecordedAnswerTests {
  private func answer(_ name: String, status: Int = 200) throws -> LastFMAnswer {
    let data = try Data(contentsOf: URL(filePath: "\(try #require(RecordedAnswers.folder))/scrobble/lastfm/\(name)"))
    return LastFMAnswer(HTTPResponse(status: status, body: Array(data)))
  }

  @Test(arguments: ["doc-scrobble-ok.xml", "third-party-scrobble-ok.json"])
  func anAcceptedListenIsReadAsAccepted(name: String) throws {
    #expect(try answer(name).result(of: 1) == SendResult(.answered([.accepted(nil)])))
  }

  @Test func whatWasIgnoredInSmallLettersIsSeen() throws {
    #expect(
      try answer("doc-scrobble-ignored-lowercase-variant.xml").result(of: 1)
        == SendResult(.answered([.ignored("Artist name failed filter: Unknown Artist (ignored: 1)")])))
  }

  @Test func aBatchThatIsOverTheDailyLimitIsTakenInPart() throws {
    #expect(
      try answer("third-party-batch-partial.json").result(of: 2)
        == SendResult(.answered([.accepted(nil), .later("Daily scrobble limit exceeded (ignored: 5)")])))
  }

  @Test func errorsAreRead() throws {
    #expect(
      try answer("live-error-10.http403.json", status: 403).result(of: 1)
        == SendResult(.refused(.refused, "Invalid API Key (error 10)")))
    #expect(
      try answer("doc-error-6.xml", status: 400).result(of: 1)
        == SendResult(.rejected("Missing required parameter artist (error 6)")))
  }

  @Test func tokensAndSessionsAreRead() throws {
    guard case .done(let token) = try answer("doc-getToken.xml"),
      case .done(let session) = try answer("doc-getSession.xml"),
      case .done(let now) = try answer("doc-nowplaying-ok.xml")
    else {
      Issue.record("they are answers")
      return
    }
    #expect(token["token"]?.plainText == "cf45fe5a3e3cebe168480a086d7fe481")
    #expect(session["session"]?["key"]?.plainText == "d580d57f32848f5dcf574d1ce18d78b2")
    #expect(session["session"]?["name"]?.plainText == "MyLastFMUsername")
    #expect(now["nowplaying"]?["ignoredmessage"]?["code"]?.integer == 0)
  }
}
