import FoundationEssentials
import HTTP
import Messages
import TestSupport
import Testing

@testable import lunara_scrobble

/// Answers of real servers and documented examples, read as in use.
@Suite(
  .enabled(
    if: RecordedAnswers.folder != nil, "needs the recordings of real servers: set LUNARA_RECORDINGS to their folder"))
struct RecordedAnswerTests {
  private func answer(_ name: String, status: Int = 200) throws -> LastFMAnswer {
    let data = try Data(contentsOf: URL(filePath: "\(try #require(RecordedAnswers.folder))/scrobble/lastfm/\(name)"))
    return LastFMAnswer(HTTPResponse(status: status, body: Array(data)))
  }

  @Test(arguments: ["doc-scrobble-ok.xml", "third-party-scrobble-ok.json"])
  func aListenThatWasTakenIs(name: String) throws {
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
