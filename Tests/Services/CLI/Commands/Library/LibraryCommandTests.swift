import System
import Bus
import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import lunara

/// The commands about the library, over a real bus.
@Suite(.timeLimit(.minutes(2)))
struct LibraryCommandTests {
  @Test func listsPassOnTheirOrderAndNarrowing() async throws {
    let fixture = try CommandFixture()
    try await fixture.shelves()
    #expect(await fixture.run("albums", "--sort", "random", "--tag", "mood:so what").0 == .done)
    #expect(await fixture.run("albums", "--tag", "Jazz", "--starting-at", "m").0 == .done)
    #expect(await fixture.run("tracks", "--sort", "random", "--seed", "-4").1.output.contains("Last Tram"))
    #expect(
      fixture.asked.withLock { $0 } == ["albums random mood so what -", "albums name genre Jazz m", "tracks random -4"])
    #expect(await fixture.run("albums", "--sort", "added", "--starting-at", "m").0 == .wrongUsage)
    #expect(await fixture.run("tracks", "--seed", "4").0 == .wrongUsage)
    let (_, collections) = await fixture.run("collections", "--json")
    #expect(
      collections.output.hasPrefix(#"{"items":[{"id":"plex:c1","title":"Key Albums","itemCount":1,"isPinned":true"#))
    #expect(await fixture.run("playlists").1.output.contains("plex:p1\tDrive Home\t2 tracks\t2:00"))
    await fixture.close()
  }

  @Test func ordersAreTurned() async throws {
    let fixture = try CommandFixture()
    try await fixture.shelves()
    #expect(await fixture.run("albums", "--sort", "plays", "--reverse").0 == .done)
    #expect(await fixture.run("tracks", "--sort", "rating", "--reverse").0 == .done)
    #expect(fixture.asked.withLock { $0 } == ["albums plays - - reversed", "tracks rating 0 reversed"])
    #expect(await fixture.run("albums", "--sort", "random", "--reverse").0 == .wrongUsage)
    #expect(await fixture.run("albums", "--sort", "colour").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func aSearchShowsItsBestResultAndWhatWasSearchedInstead() async throws {
    let fixture = try CommandFixture()
    try await fixture.shelves()
    let (_, found) = await fixture.run("search", "trma")
    #expect(found.errors.contains("Searched for “tram” instead."))
    #expect(found.output.hasPrefix("files:t1\tLast Tram"))
    #expect(
      found.output.contains("Dream Pop\t12 albums\tgenre\n") && found.output.contains("Ben\tcomposer\t2 tracks\n"))
    #expect(await fixture.run("search", "tram").1.errors.isEmpty)
    let (_, json) = await fixture.run("search", "trma", "--json")
    #expect(json.output.contains(#""best":{"kind":"track","id":"files:t1"}"#))
    #expect(json.output.contains(#""searchedWords":"tram""#))
    await fixture.close()
  }

  @Test func theWordsOfAlbumsAreListed() async throws {
    let fixture = try CommandFixture()
    try await fixture.shelves()
    #expect(await fixture.run("tags").1.output == "Dream Pop\t12 albums\nJazz\t1 album\n")
    let (_, json) = await fixture.run("tags", "mood", "--json", "--limit", "1")
    #expect(json.output.contains(#""name":"Dream Pop","#) && json.output.contains(#""albums":12"#))
    #expect(json.output.hasSuffix(#""next":"n"}"# + "\n"))
    #expect(await fixture.run("tags", "colour").0 == .wrongUsage)
    #expect(fixture.asked.withLock { $0 } == ["tags genre -", "tags genre n", "tags mood -"])
    await fixture.close()
  }

  @Test func aCollectionIsPinnedByIDOrTitle() async throws {
    let fixture = try CommandFixture()
    try await fixture.shelves()
    #expect(await fixture.run("pin", "key", "albums").1.output == "plex:c1: pinned\n")
    #expect(
      await fixture.run("pin", "plex:c7", "--off", "--json").1.output == #"{"id":"plex:c7","isPinned":false}"# + "\n")
    #expect(await fixture.run("pin").0 == .wrongUsage)
    #expect(fixture.asked.withLock { $0 } == ["pin plex:c1 true", "pin plex:c7 false"])
    await fixture.close()
  }

  @Test func aThingIsShownByIDOrTitle() async throws {
    let fixture = try CommandFixture()
    try await fixture.shelves()
    for word in ["files:t1", "last tram"] {
      let (_, track) = await fixture.run("track", word, "--json")
      #expect(
        track.output.contains(#""copies":[{"id":"files:t1","format":"flac","isLossless":true,"path":"/m/1.flac""#))
    }
    let (_, shown) = await fixture.run("track", "files:t1")
    #expect(
      shown.output.hasSuffix(
        "files:t1 · FLAC · 24 bit · 88.2 kHz · stereo · 2304 kbit/s · lossless\n  /m/1.flac\nplex:t9 · MP3\n"))
    let (_, collection) = await fixture.run("collection", "key", "--json")
    #expect(collection.output.contains("files:a1") && collection.output.contains("files:a2"))
    let (_, playlist) = await fixture.run("playlist", "Drive", "--json")
    #expect(playlist.output.hasPrefix(#"{"id":"plex:p0","title":"Drive""#))
    #expect(await fixture.run("playlist", "dri").1.errors.contains("client.titleAmbiguous"))
    #expect(await fixture.run("playlist", "zzz").1.errors.contains("client.nothingFound"))
    #expect(await fixture.run("playlist", "drive home").1.output.contains("Last Tram"))
    // An entry of a list file whose music is not here is shown as well, though it cannot be edited.
    #expect(await fixture.run("playlist", "files:p9").1.output.contains("not here\tGone Song\tSome One"))
    await fixture.close()
  }

  @Test(arguments: [("4.5", "9"), ("5", "10"), ("0", "none"), ("none", "none"), ("0.5", "1")])
  func aRatingIsGivenInStars(word: String, given: String) async throws {
    let fixture = try CommandFixture()
    try await fixture.sources()
    #expect(await fixture.run("rate", "files:a1", word).0 == .done)
    #expect(fixture.asked.withLock { $0 } == ["rate files:a1 \(given)"])
    #expect(await fixture.run("rate", "files:a1", "4.2").0 == .wrongUsage)
    #expect(await fixture.run("rate", "files:a1", "6").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func sourcesAreShownAddedSwitchedAndRemoved() async throws {
    let fixture = try CommandFixture()
    try await fixture.sources()
    let (_, json) = await fixture.run("sources", "--json")
    #expect(json.output.contains(#""account":"ann""#))
    #expect(
      json.output.hasSuffix(
        #""sections":[{"key":"2","title":"Music","isOn":true,"tracks":20,"isFromSettings":null},"#
          + #"{"key":"5","title":"Audiobooks","isOn":false,"tracks":0,"isFromSettings":null}]}]"# + "\n"))
    #expect(await fixture.run("sources").1.output.contains("Audiobooks"))
    _ = await fixture.run("sources", "on", "plex", "audiobooks")
    _ = await fixture.run("sources", "off", "plex", "2")
    #expect(await fixture.run("sources", "off", "plex", "Films").1.errors.contains("cli.unknownSection"))
    #expect(await fixture.run("sources", "off", "emby", "2").1.errors.contains("library.unknownSource"))
    // A password comes from the environment and never from the command line, which other processes can read.
    _ = await fixture.run(
      "sources", "add", "subsonic", "http://nas", "--user", "ann", environment: ["LUNARA_SUBSONIC_PASSWORD": "s3"])
    _ = await fixture.run("sources", "remove", "plex")
    #expect(await fixture.run("sources", "add", "emby", "http://nas").0 == .wrongUsage)
    #expect(await fixture.run("sources", "add", "plex").0 == .wrongUsage)
    #expect(
      fixture.asked.withLock { $0 } == [
        "switch plex 5 true", "switch plex 2 false", "add subsonic http://nas ann s3", "remove plex",
      ])
    await fixture.close()
  }

  @Test func aKindThatTheCommandLineDoesNotKnowIsAddedByItsDescription() async throws {
    let fixture = try CommandFixture()
    try await fixture.sources()
    _ = await fixture.run(
      "sources", "add", "tape", "http://nas", "--set", "side=b", "--set", "loud=true",
      environment: ["LUNARA_TAPE_KEY": "k"])
    #expect(fixture.asked.withLock { $0 } == ["add tape http://nas - k side=b loud=true"])
    for wrong in ["loud=yes", "side", "secret=x", "weight=2"] {
      let (status, printed) = await fixture.run("sources", "add", "tape", "http://nas", "--set", wrong)
      #expect(status == .wrongUsage && printed.errors.contains(wrong == "loud=yes" ? "loud" : "side (which side)"))
    }
    #expect(await fixture.run("login", "tape").1.errors.contains("lunara sources add tape"))
    await fixture.close()
  }

  @Test func settingsOfAKnownServerAreChangedWithoutItsPassword() async throws {
    let fixture = try CommandFixture()
    try await fixture.sources(kind: "tape")
    let environment = ["LUNARA_TAPE_KEY": "k"]
    let (status, printed) = await fixture.run(
      "sources", "add", "tape", "10.0.0.2:32400/", "--set", "loud=true", environment: environment)
    #expect(status == .done && printed.output.hasPrefix("Changed tape;"), "\(printed.output)")
    // Without a setting, with a user, or at another address it is a sign-in.
    for words in [
      ["10.0.0.2:32400"], ["10.0.0.2:32400", "--set", "loud=true", "--user", "ann"], ["nas", "--set", "side=b"],
    ] {
      _ = await fixture.run(["sources", "add", "tape"] + words, environment: environment)
    }
    #expect(
      fixture.asked.withLock { $0 } == [
        "add tape 10.0.0.2:32400/ - - loud=true", "add tape 10.0.0.2:32400 - k",
        "add tape 10.0.0.2:32400 ann k loud=true", "add tape nas - k side=b",
      ])
    await fixture.close()
  }

  @Test func sourcesNameTheirProblemsAndTheCommandThatListsTheRest() async throws {
    let fixture = try CommandFixture()
    let problems = (1...5).map { LunaraError("library.fileUnreadable", "File \($0) cannot be read.") }
    try await fixture.sources(problems: problems)
    let (_, text) = await fixture.run("sources")
    #expect(text.output.contains("! File 3 cannot be read. library.fileUnreadable") && !text.output.contains("File 4"))
    #expect(text.output.contains("and 2 more: `lunara problems`"), "\(text.output)")
    let (_, json) = await fixture.run("sources", "--json")
    #expect(json.output.contains(#""problemCount":5,"problems":[{"code":"library.fileUnreadable""#), "\(json.output)")
    #expect(json.output.contains("File 5"))
    await fixture.close()
  }

  @Test func aFolderIsRemovedByItsNameInTheWorkingDirectory() async throws {
    let fixture = try CommandFixture()
    let here = ProgramLocation.workingDirectory()
    let node = try await fixture.add("library@main")
    await node.serve(Library.ListSources.self) { _, _ in
      let sources = ["files", "plex"].map { name in
        Library.SourceDetail(
          status: .init(
            name: name, kind: name, health: "ready", lastRefreshed: nil, albums: 0, tracks: 0, problemCount: 0,
            problems: []), isFromSettings: false, account: nil,
          sections: ["music", "plex"].map { folder in
            let path = "\(here)/\(folder)"
            return .init(key: path, title: path, isOn: true, tracks: 0)
          })
      }
      return Library.SourceList(sources: sources, kinds: [])
    }
    await node.serve(Library.RemoveSource.self) { request, _ in
      fixture.record("remove \(request.name)")
      return Done()
    }
    // A name of a source comes first, and what is neither is left to the library to refuse.
    for word in ["music", "plex", "other"] { _ = await fixture.run("sources", "remove", word) }
    #expect(fixture.asked.withLock { $0 } == ["remove \(here)/music", "remove plex", "remove other"])
    await fixture.close()
  }

  @Test func foldersAreAddedAndRemovedByTheirWholePaths() async throws {
    let fixture = try CommandFixture()
    try await fixture.sources()
    let here = ProgramLocation.workingDirectory()
    #expect(
      await fixture.run("sources", "add", "/m/./jazz/", "--json").1.output == #"{"name":"files","folder":"/m/jazz"}"#
        + "\n")
    _ = await fixture.run("sources", "add", "music")
    _ = await fixture.run("sources", "add", "files", "/n")
    _ = await fixture.run("sources", "remove", "/m//jazz")
    _ = await fixture.run("sources", "remove", "./music")
    #expect(
      fixture.asked.withLock { $0 } == [
        "add files /m/jazz - -", "add files \(here)/music - -", "add files /n - -", "remove /m/jazz",
        "remove \(here)/music",
      ])
    #expect(Files.absolute("../a/../b", in: "/x/y") == "/x/b" && Files.absolute("/..", in: "/x") == "/")
    await fixture.close()
  }

  @Test func sourcesArePutInOrder() async throws {
    let fixture = try CommandFixture()
    try await fixture.sources()
    let (_, printed) = await fixture.run("sources", "order", "subsonic", "plex", "--json")
    #expect(printed.output == #"{"order":["subsonic","plex","files"]}"# + "\n")
    #expect(await fixture.run("sources", "order").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func aSignInShowsTheCodeAndWaitsForItsEnd() async throws {
    let fixture = try CommandFixture()
    try await fixture.sources(signIn: [
      .init(state: "waiting"), .init(state: "done", account: "ann", sources: ["plex"]),
    ])
    let (status, printed) = await fixture.run("login", "plex", "--json")
    #expect(status == .done)
    let lines = printed.output.split(separator: "\n")
    #expect(
      lines.first?.contains(#""code":"AB12","page":"https://plex.tv/link","link":"https://app.plex.tv/auth#?x""#)
        == true)
    #expect(lines.last == #"{"state":"done","account":"ann","sources":["plex"],"error":null}"#)
    #expect(await fixture.run("logout", "plex").0 == .done)
    // While the scrobbler is away the command cannot know whether the name is one of its services.
    #expect(await fixture.run("login", "myspace").1.errors.contains("bus."))
    try await fixture.accounts(hasLibrary: false)
    let (unknown, names) = await fixture.run("login", "myspace")
    #expect(unknown == .wrongUsage && names.errors.contains("plex, lastfm, listenbrainz"), "\(names.errors)")
    #expect(await fixture.run("logout", "subsonic").0 == .done)
    #expect(fixture.asked.withLock { $0.last } == "sign out subsonic")
    await fixture.close()
  }

  @Test func aSignInThatNobodyCompletesEndsWhenItsCodeExpires() async throws {
    let fixture = try CommandFixture()
    try await fixture.sources(expiresAt: Timestamp(seconds: 1000))
    let (status, printed) = await fixture.run("login", "plex")
    #expect(status == .failed && printed.errors.contains("cli.signInExpired") && printed.output.contains("AB12"))
    await fixture.close()
  }

  @Test func aSignInThatFailsSaysWhy() async throws {
    let fixture = try CommandFixture()
    try await fixture.sources(signIn: [.init(state: "failed", error: LunaraError("library.sourceAway", "No."))])
    let (status, printed) = await fixture.run("login", "plex")
    #expect(status == .failed && printed.errors.contains("library.sourceAway"))
    await fixture.close()
  }

  @Test func statusShowsWhereASourceIsAndItsLastRuns() async throws {
    let fixture = try CommandFixture()
    try await fixture.sources()
    let (_, json) = await fixture.run("status", "--json")
    #expect(
      json.output.contains(
        #""address":"http://10.0.0.2:32400","method":"counter","runs":[{"startedAt":"2023-11-14T22:13:20.000000Z","#
          + #""new":1,"changed":2,"unchanged":3,"deleted":4,"seconds":1.25}]"#))
    let (_, text) = await fixture.run("status")
    #expect(text.output.contains("http://10.0.0.2:32400") && text.output.contains("1 new, 2 changed, 3 unchanged"))
    await fixture.close()
  }

  @Test func aRefreshThatFailsEndsTheWaitWithItsError() async throws {
    let fixture = try CommandFixture()
    let database = try fixture.bus.database("library")
    let journal = try await Journal(database)
    let node = try await Node.start(.library, in: fixture.bus.directory, journal: journal)
    // Another source is being scanned throughout; the command must not wait for it.
    let sources = ["files", "plex"].map { name in
      Library.SourceStatus(
        name: name, kind: name, health: "scanning", lastRefreshed: nil, albums: 0, tracks: 0, problemCount: 0,
        problems: [], progress: .init(done: 1, total: 2))
    }
    await node.publish(Library.CatalogueState(generation: 1, albums: 0, tracks: 0, sources: sources))
    await node.serve(Library.Sync.self) { _, _ in
      try await database.write { transaction in
        let error = LunaraError("library.sourceAway", "It is away.")
        try journal.append(Library.SyncFailed(source: "plex", error: error), in: transaction)
      }
      // An older library does not number its refreshes.
      return Library.SyncStarted(refreshes: nil)
    }
    let (status, printed) = await fixture.run("sync", "plex", "--wait", "--json")
    #expect(status == .failed && printed.output.isEmpty)
    #expect(printed.errors == #"{"error":{"code":"library.sourceAway","message":"It is away.","cause":null}}"# + "\n")
    await node.close()
    await database.close()
  }

  @Test func playsAreListedAndCounted() async throws {
    let fixture = try CommandFixture()
    try await fixture.shelves()
    let (_, listed) = await fixture.run("plays", "--json")
    #expect(listed.output.contains(#""listen":"l1""#) && listed.output.contains(#""listen":"l2""#))
    #expect(listed.output.contains(#""counted":false,"skipped":true"#))
    #expect(await fixture.run("plays", "--last", "1").1.output.split(separator: "\n").count == 1)
    let (_, counted) = await fixture.run("plays", "--by", "album", "--room", "den", "--since", "30d", "--json")
    #expect(counted.output.hasPrefix(#"[{"key":"files:a1","title":"Night Lines","plays":3,"skips":1,"#))
    #expect(fixture.asked.withLock { $0 } == ["count album den true 50"])
    #expect(await fixture.run("plays", "--by", "mood").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func statisticsArePrintedForAPeriod() async throws {
    let fixture = try CommandFixture()
    try await fixture.shelves()
    let (_, printed) = await fixture.run("statistics", "--from", "2026-01-01", "--to", "2026-01-02", "--limit", "5")
    #expect(printed.output.hasPrefix("2026-01-01 to 2026-01-02\n3 plays · 2 h 5 min · 1 artist · 1 album · 2 tracks"))
    #expect(printed.output.contains("the period before: 1 play"))
    #expect(printed.output.contains("files:a1\tNight Lines\tNova\t3 plays\t2 h 5 min"))
    let (_, whole) = await fixture.run("statistics", "--json")
    #expect(
      whole.output.hasPrefix(#"{"from":"2026-01-01","to":"2026-01-02","firstDay":"2025-05-01","totals":{"plays":3,"#))
    #expect(await fixture.run("statistics", "--to", "1999-01-01").1.output.isEmpty)
    #expect(
      fixture.asked.withLock { $0 } == [
        "statistics 2026-01-01 2026-01-02 5", "statistics - - 10", "statistics - 1999-01-01 10",
      ])
    #expect(await fixture.run("statistics", "--limit", "1000").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func everythingOrAnAlbumByChanceIsPlayed() async throws {
    let fixture = try CommandFixture()
    try await fixture.shelves()
    try await fixture.router()
    try await fixture.room("den")
    _ = await fixture.run("play", "--random")
    _ = await fixture.run("play", "--all", "--shuffle")
    #expect(
      fixture.asked.withLock { $0 } == [
        "draw", "play files:a1 in den now from 0 shuffled - seeded false goes on -",
        "play library:all in den now from 0 shuffled tracks seeded true goes on -",
      ])
    #expect(await fixture.run("play").0 == .wrongUsage)
    #expect(await fixture.run("play", "--random", "files:a1").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func aBarShowsTheProgressOfARefresh() {
    #expect(
      Library.Progress(done: 250, total: 1000, rate: 312.4).bar(of: "plex")
        == "plex  ━━━━━━──────────────────  250 of 1000  312/s")
    #expect(Library.Progress(done: 3, total: nil).bar(of: "files") == "files  3")
    #expect(Library.Progress(done: 9, total: 3, rate: 2.25).bar(of: "a").hasSuffix("9 of 3  2.3/s"))
  }

  @Test func aSecretIsTheFirstLineOfWhatIsGiven() {
    #expect(SecretPrompt.line(Array("s3cret\r\nmore".utf8)) == "s3cret")
    #expect(SecretPrompt.line(Array("\n".utf8)) == nil && SecretPrompt.line([]) == nil)
  }
}
