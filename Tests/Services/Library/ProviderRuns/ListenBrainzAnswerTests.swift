import HTTP
import Messages
import Model
import Sync
import Testing

@testable import Providers

/// Answers that no server of ListenBrainz's interface gives. None of them is an empty list.
@Suite(.timeLimit(.minutes(1)))
struct ListenBrainzAnswerTests {
  private static let list = "b1a9c0e9-d987-4042-ae91-78d6a3267d69"
  static let deep = String(repeating: #"{"playlist":"#, count: 10_000) + "1" + String(repeating: "}", count: 10_000)

  private func failure(of answer: String, _ body: (ListenBrainzProvider) async throws -> Void) async throws -> String? {
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse(text: answer) }
    let http = HTTPClient(userAgent: "Lunara/test")
    let provider = ListenBrainzProvider(
      user: "tester", address: "http://127.0.0.1:\(server.port)", caller: TakenPauses().caller(http: http, token: "t"))
    let code = try await code { try await body(provider) }
    await server.stop()
    return code
  }

  @Test(arguments: [
    "", "<html>", "[]", "null", "{}", #"{"playlist":null}"#, #"{"playlist":[]}"#, #"{"playlist":{}}"#,
    #"{"playlist":{"track":null}}"#, #"{"playlist":{"track":{}}}"#, #"{"playlist":{"track":"none"}}"#,
    #"{"playlist":{"track":0}}"#, #"{"playlist":{"track":false}}"#, #"{"playlist":{"track":[1]}}"#,
    #"{"playlist":{"track":[{}]}}"#, #"{"playlist":{"track":[{"identifier":[]}]}}"#,
    #"{"playlist":{"track":[{"identifier":{"a":1}}]}}"#, deep,
  ]) func aListThatIsNotUnderstoodIsAnError(answer: String) async throws {
    #expect(try await failure(of: answer) { _ = try await $0.reading(of: Self.list) } == "library.providerAway")
    #expect(
      try await failure(of: answer) { try await $0.apply(.removeAt(0, expecting: ["x"]), to: Self.list) }
        == "library.providerAway")
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"playlists":[]}"#, #"{"playlist_count":0}"#, #"{"playlists":{},"playlist_count":0}"#,
    #"{"playlists":false,"playlist_count":0}"#, #"{"playlists":[],"playlist_count":-1}"#,
    #"{"playlists":[],"playlist_count":"many"}"#, #"{"playlists":[{}],"playlist_count":1}"#,
    #"{"playlists":[{"playlist":{"identifier":"x","title":"T"}}],"playlist_count":1}"#, deep,
  ]) func anOverviewThatIsNotUnderstoodIsAnError(answer: String) async throws {
    #expect(try await failure(of: answer) { _ = try await $0.lists() } == "library.providerAway")
  }

  @Test(arguments: [
    "{}", #"{"feedback":[]}"#, #"{"feedback":0,"total_count":0}"#, #"{"feedback":[{}],"total_count":1}"#,
    #"{"feedback":[{"score":1}],"total_count":1}"#, #"{"feedback":[{"recording_msid":"x"}],"total_count":1}"#,
  ]) func scoresThatAreNotUnderstoodAreAnError(answer: String) async throws {
    let failure = try await failure(of: answer) { _ = try await $0.reading(of: ListenBrainzProvider.liked) }
    #expect(failure == "library.providerAway")
  }

  @Test func aTotalThatIsNeverReachedIsNoReading() async throws {
    // The same page comes again and again.
    let row = #"{"playlist":{"identifier":"https://listenbrainz.org/playlist/\#(Self.list)","title":"T"}}"#
    for answer in [#"{"playlists":[],"playlist_count":5}"#, #"{"playlists":[\#(row)],"playlist_count":30}"#] {
      var lists: [RemoteList]? = []
      #expect(try await failure(of: answer) { lists = try await $0.lists() } == nil)
      #expect(lists == nil)
    }
  }

  @Test func aListThatIsMadeWithoutAnIDIsUnclear() async throws {
    for answer in [#"{"status":"ok"}"#, #"{"status":"ok","playlist_mbid":"7"}"#, "{}", #"{"status":"error"}"#] {
      let failure = try await failure(of: answer) { _ = try await $0.create(title: "T", summary: "") }
      #expect(failure == "library.providerUnclear", "\(answer)")
    }
  }

  @Test(arguments: [
    ("plain", "plain"), ("a &amp; b &lt;3 &#39;x&#x27; &quot;", "a & b <3 'x' \""),
    ("I <3 & you; & more", "I <3 & you; & more"),
    ("<p>One <b>two</b></p><p>three<br/>four</p>", "One two\nthree\nfour"), ("<a href=\"x\">link</a>", "link"),
    ("&#1114112; &unknown; &;", "&#1114112; &unknown; &;"), ("<", "<"), ("<b", "<b"), ("", ""),
  ]) func aDescriptionIsReadAsText(html: String, text: String) {
    #expect(PlaylistAnnotation.text(html) == text)
  }

  @Test(arguments: ["plain", "a & b", "<b>x</b>", "&amp;", "I <3 you", "two\nlines"])
  func aDescriptionIsTheSameAfterItWasSent(text: String) {
    #expect(PlaylistAnnotation.text(PlaylistAnnotation.html(text)) == text)
  }
}
