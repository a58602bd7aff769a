import Client
import FoundationEssentials
import Messages
import Model
import Synchronization
import System
import TestSupport
import Testing

@testable import lunara

@Suite(.timeLimit(.minutes(1)))
struct ScrobbleCommandTests {
  @Test func accountsAreShownWithWhatIsWrong() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts()
    let (status, text) = await fixture.run("scrobbles", "accounts")
    #expect(status == .done)
    #expect(text.output.contains("lastfm/ann\tsigned-out\t3 pending\t1 failed"))
    #expect(text.errors.contains("lastfm/ann: Sign in again."))
    let (_, json) = await fixture.run("scrobbles", "accounts", "--json")
    #expect(json.output.contains(#""service":"lastfm","account":"ann""#))
    await fixture.close()
  }

  @Test func oneAccountOrAllAreSwitched() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts()
    for words in [["off"], ["on", "lastfm"], ["off", "listenbrainz/ann/x"]] {
      #expect(await fixture.run(["scrobbles"] + words).0 == .done)
    }
    #expect(
      fixture.asked.withLock { $0 } == ["switch - - false", "switch lastfm - true", "switch listenbrainz ann/x false"])
    await fixture.close()
  }

  @Test func aSignInShowsEachLinkOnceAndWaitsForItsEnd() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts(signIn: [
      .init(state: "waiting", link: "https://last.fm/one"), .init(state: "waiting", link: "https://last.fm/two"),
      .init(state: "done", account: "ann"),
    ])
    let (status, printed) = await fixture.run("login", "lastfm", "--url", "https://libre.fm")
    #expect(status == .done)
    #expect(printed.output.split(separator: "https://last.fm/one").count == 2)
    #expect(printed.output.contains("https://last.fm/two") && printed.output.contains("Signed in as ann at lastfm"))
    #expect(fixture.asked.withLock { $0.first } == "begin lastfm https://libre.fm -")
    #expect(await fixture.run("logout", "lastfm/ann").0 == .done)
    #expect(fixture.asked.withLock { $0.last } == "sign out lastfm ann")
    await fixture.close()
  }

  @Test func aSignInThatFailsSaysWhy() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts(signIn: [.init(state: "failed", error: LunaraError("scrobble.refused", "No."))])
    let (status, printed) = await fixture.run("login", "lastfm")
    #expect(status == .failed && printed.errors.contains("scrobble.refused"))
    await fixture.close()
  }

  @Test func whatFailedIsTriedAgainOrGivenUp() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts()
    #expect(await fixture.run("scrobbles", "retry").1.output == "4 tried again.\n")
    #expect(await fixture.run("scrobbles", "drop", "l1", "--json").1.output == "{\"count\":1}\n")
    #expect(fixture.asked.withLock { $0 } == ["retry -", "drop l1"])
    await fixture.close()
  }

  @Test func listeningIsPrivateForAWhile() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts()
    #expect(await fixture.run("scrobbles", "private", "2h").0 == .done)
    #expect(await fixture.run("scrobbles", "private", "off").0 == .done)
    for wrong in ["soon", "0", "-1h"] { #expect(await fixture.run("scrobbles", "private", wrong).0 == .wrongUsage) }
    #expect(fixture.asked.withLock { $0 } == ["private 7200000", "private 0"])
    await fixture.close()
  }

  @Test func anExportCanBeImported() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts()
    let folder = TemporaryDirectory()
    let file = "\(folder.path)/listens.jsonl"
    #expect(await fixture.run("scrobbles", "export", file).0 == .done)
    // An export does not overwrite a file.
    #expect(await fixture.run("scrobbles", "export", file).0 == .failed)
    #expect(await fixture.run("scrobbles", "import", file, "--send").1.output == "1 are new, 0 were known.\n")
    #expect(await fixture.run("scrobbles", "import", "\(folder.path)/none").0 == .failed)
    #expect(fixture.asked.withLock { $0 } == ["import 1 true"])
    await fixture.close()
  }

  @Test func anExportThatBreaksOffLeavesNoFile() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts(cursor: "2")
    let folder = TemporaryDirectory()
    let (status, printed) = await fixture.run("scrobbles", "export", "\(folder.path)/listens.jsonl")
    #expect(status == .failed && printed.errors.contains("storage.corrupt"))
    #expect(!Files.exists("\(folder.path)/listens.jsonl"))
    await fixture.close()
  }

  private static let line = #"{"listened_at":1600000000,"track_metadata":{"artist_name":"Ada","track_name":"T"}}"#

  @Test(arguments: [
    (line + "\n{\"listened_at\":17}\n" + line, "Line 2 of"),
    // A time in milliseconds is refused as one in seconds.
    (line + "\n" + line.replacing("1600000000", with: "1600000000000"), "Line 2 of"),
    (line + "\n[" + String(repeating: "1,", count: 200_000), "longer than a listen"),
  ]) func aBrokenLineIsNamedAndWhatStandsBeforeItIsTakenIn(text: String, expected: String) async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts()
    let folder = TemporaryDirectory()
    let file = "\(folder.path)/listens.jsonl"
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    let (status, printed) = await fixture.run("scrobbles", "import", file)
    #expect(status == .failed && printed.errors.contains(expected), "\(printed.errors)")
    #expect(fixture.asked.withLock { $0 } == ["import 1 false"])
    await fixture.close()
  }

  @Test func aFolderIsNoFileOfListens() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts()
    let folder = TemporaryDirectory()
    #expect(await fixture.run("scrobbles", "import", folder.path).0 == .failed)
    await fixture.close()
  }

  @Test func lovesThatWereNotTakenAreShownWithTheReason() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts(
      loves: [.init(service: "lastfm", account: "ann", title: "Tram", artist: "Ada", isLoved: true, reason: "filtered")]
    )
    let (_, failed) = await fixture.run("scrobbles", "--failed")
    #expect(failed.output.contains("love\tTram\tAda\tlastfm/ann: filtered"), "\(failed.output)")
    let (_, json) = await fixture.run("scrobbles", "--failed", "--json")
    #expect(json.output.contains(#"{"listen":"l1","#))
    #expect(
      json.output.hasSuffix(
        #"""
        {"listen":null,"room":null,"id":null,"albumID":null,"track":"Tram","artist":"Ada","album":null,"art":null,"startedAt":null,\#
        "heardSeconds":null,"destinations":[{"service":"lastfm","account":"ann","state":"failed","attempts":null,\#
        "answer":"filtered"}],"withheld":null,"isLoved":true}]

        """#), "\(json.output)")
    let (_, pending) = await fixture.run("scrobbles", "--pending", "--json")
    #expect(!pending.output.contains("Tram\",\"artist\":\"Ada"))
    let (_, all) = await fixture.run("scrobbles")
    #expect(all.errors.contains("A love was not taken; see `lunara scrobbles --failed`."), "\(all.errors)")
    // The private listening time is over.
    #expect(!all.errors.contains("private"))
    await fixture.close()
  }

  @Test func whatWasHeardInPrivateIsExportedOnlyWhereThatIsAsked() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts(withheld: "private")
    let folder = TemporaryDirectory()
    let (_, some) = await fixture.run("scrobbles", "export", "\(folder.path)/a", "--json")
    #expect(some.output == "{\"written\":0,\"leftOut\":1}\n")
    let (_, all) = await fixture.run("scrobbles", "export", "\(folder.path)/b", "--all", "--json")
    #expect(all.output == "{\"written\":1,\"leftOut\":0}\n")
    await fixture.close()
  }

  @Test func aListenSurvivesExportAndImport() throws {
    var track = Sample.track("t1", "Last “Tram”")
    track.recordingID = "b1a9c0e9-d987-4042-ae91-78d6a3267d69"
    let entry = Scrobble.Entry(
      listen: ListenID(rawValue: "l1"), room: RoomName(from: "den"), track: track, startedAt: Sample.moment,
      heard: Milliseconds(31_000), destinations: [])
    let listen = try #require(ListenLine.listen(Array("\(ListenLine.json(entry))".utf8)))
    #expect(listen.listen == entry.listen && listen.startedAt == Sample.moment)
    #expect(listen.title == track.title && listen.artist == track.artist && listen.album == track.album)
    #expect(listen.duration == track.duration && listen.recordingID == track.recordingID)
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"listened_at":1}"#, #"{"listened_at":0,"track_metadata":{"artist_name":"a","track_name":"b"}}"#,
    #"{"listened_at":1,"track_metadata":{"artist_name":"","track_name":"b"}}"#,
  ]) func whatIsNoListenIsNone(line: String) {
    #expect(ListenLine.listen(Array(line.utf8)) == nil)
  }
}
