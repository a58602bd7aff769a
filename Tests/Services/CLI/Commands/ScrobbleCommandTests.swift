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
    let written = Files.text(of: file)
    #expect(await fixture.run("scrobbles", "export", file).1.errors.contains("cli.fileExists"))
    #expect(await fixture.run("scrobbles", "export", file, "--force").0 == .done)
    #expect(Files.text(of: file) == written && !Files.exists("\(file).new"))
    #expect(await fixture.run("scrobbles", "import", file, "--send").1.output == "1 are new, 0 were known.\n")
    #expect(await fixture.run("scrobbles", "import", "\(folder.path)/none").0 == .failed)
    #expect(
      fixture.asked.withLock { $0 } == [
        "plays of elsewhere", "plays of elsewhere", "history Last Tram true", "import 1 true",
      ])
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

  @Test func whatWasImportedIsExportedOnceThoughBothHistoriesHaveIt() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts(room: .elsewhere)
    let folder = TemporaryDirectory()
    let (_, printed) = await fixture.run("scrobbles", "export", "\(folder.path)/a", "--json")
    #expect(printed.output == "{\"written\":2,\"leftOut\":0}\n")
    await fixture.close()
  }

  @Test func anImportFeedsTheHistoryOfTheLibraryAndIsTakenBack() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts()
    let folder = TemporaryDirectory()
    let file = "\(folder.path)/listens.csv"
    try "uts,artist,album,track\n1600000000,Ada,,One\n,Ada,,Two\n1600000300,Ada,X,Three\n".write(
      toFile: file, atomically: false, encoding: .utf8)
    let (status, printed) = await fixture.run("scrobbles", "import", file)
    #expect(status == .done && printed.output == "2 are new, 0 were known.\n")
    #expect(
      printed.errors.contains("1 entry of \(file) without artist, title or time left out; the first is in line 3"))
    // The scrobbler is not asked.
    #expect(fixture.asked.withLock { $0 } == ["history One,Three true"])
    #expect(await fixture.run("scrobbles", "import", "--undo", "--json").1.output.contains(#""removed":7"#))
    #expect(await fixture.run("scrobbles", "import").0 == .wrongUsage)
    #expect(await fixture.run("scrobbles", "import", file, "--undo").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func whatStandsBeforeTheEndOfABrokenFileIsImported() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts()
    let folder = TemporaryDirectory()
    let file = "\(folder.path)/listens.jsonl"
    let line = #"{"listened_at":1600000000,"track_metadata":{"artist_name":"Ada","track_name":"T"}}"#
    try (line + "\n" + line.dropLast(4)).write(toFile: file, atomically: false, encoding: .utf8)
    let (status, printed) = await fixture.run("scrobbles", "import", file)
    #expect(status == .failed && printed.errors.contains("breaks off in line 2"), "\(printed.errors)")
    #expect(fixture.asked.withLock { $0 } == ["history T true"])
    await fixture.close()
  }

  @Test(arguments: ["hello\n", #"{"albums":[{"title":"X"}]}"#, ""]) func aFileWithoutListensIsRefused(text: String)
    async throws
  {
    let fixture = try CommandFixture()
    try await fixture.accounts()
    let folder = TemporaryDirectory()
    try text.write(toFile: "\(folder.path)/x", atomically: false, encoding: .utf8)
    let (status, printed) = await fixture.run("scrobbles", "import", "\(folder.path)/x")
    #expect(status == .failed && printed.errors.contains("cli.badListenFile"), "\(printed.errors)")
    // A folder without exports is not an export.
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
    let line = ListenLine(listen: ListenID(rawValue: "l1"), track: track, startedAt: Sample.moment)
    var scanner = ListenJSONScanner()
    let listen = try #require(scanner.listens(in: Array("\(line.json)".utf8)).first)
    #expect(listen.listen == line.listen && listen.startedAt == Sample.moment)
    #expect(listen.title == track.title && listen.artist == track.artist && listen.album == track.album)
    #expect(listen.duration == track.duration && listen.recordingID == track.recordingID)
  }
}
