import System
import Bus
import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import lunara

/// Commands over a real bus.
@Suite(.timeLimit(.minutes(1)))
struct CommandTests {
  @Test func albumsReadAsManyPagesAsTheLimitAsksFor() async throws {
    let fixture = try CommandFixture()
    _ = try await fixture.library()
    let (status, all) = await fixture.run("albums")
    #expect(status == .done)
    #expect(
      all.output.split(separator: "\n").map { $0.split(separator: "\t").first.map(String.init) }
        == ["files:a1", "files:a2", "files:a3", "files:a4"])
    let (_, first) = await fixture.run("albums", "--limit", "3", "--json")
    #expect(first.output.hasSuffix("],\"next\":\"3\"}\n") && first.output.hasPrefix(#"{"items":[{"id":"files:a1","#))
    let (_, rest) = await fixture.run("albums", "--after", "3", "--json")
    #expect(rest.output.hasPrefix(#"{"items":[{"id":"files:a4","#) && rest.output.hasSuffix("],\"next\":null}\n"))
    await fixture.close()
  }

  @Test func anAlbumIsFoundByIDAndByTitleWithAllItsTracks() async throws {
    let fixture = try CommandFixture()
    _ = try await fixture.library()
    for words in [["files:a4"], ["Night Lines"], ["night", "lines"]] {
      let (status, printed) = await fixture.run("album", words.joined(separator: " "), "--json")
      #expect(
        status == .done && printed.output.contains(#""title":"One""#) && printed.output.contains(#""title":"Two""#))
    }
    let (status, printed) = await fixture.run("album", "files:none", "--json")
    #expect(status == .failed && printed.errors.contains(#"{"error":{"code":"library.unknownID","#))
    await fixture.close()
  }

  @Test func moveNamesTheRoomThatIsLeftAndTheOneThatIsGoneTo() async throws {
    let fixture = try CommandFixture()
    try await fixture.router()
    let (status, printed) = await fixture.run("move", "den", "bath", "--json")
    #expect(status == .done && printed.output.hasPrefix(#"{"name":"bath","state":"playing","#))
    #expect(fixture.asked.withLock { $0 } == ["move den to bath"])
    #expect(await fixture.run("move", "den").0 == .wrongUsage)
    // The answer says how many tracks were replaced, and how they come back.
    try await fixture.room("bath")
    #expect(await fixture.run("move", "den", "bath", "--json").1.output.contains(#""replacedTracks":3"#))
    let (_, told) = await fixture.run("move", "den", "bath")
    #expect((told.output + told.errors).contains("3 tracks that were queued in bath were replaced."))
    #expect((told.output + told.errors).contains("lunara queue restore --room bath"))
    let (_, kept) = await fixture.run("move", "den", "bath", "--keep")
    #expect(!(kept.output + kept.errors).contains("replaced"))
    #expect(fixture.asked.withLock { $0.last } == "move den to bath keeping its queue")
    await fixture.close()
  }

  @Test func playTakesIDsAndTitles() async throws {
    let fixture = try CommandFixture()
    _ = try await fixture.library()
    try await fixture.router()
    try await fixture.room("den")
    _ = await fixture.run("play", "files:a1", "files:a2", "--later")
    _ = await fixture.run("play", "night", "lines", "--from", "3")
    let (status, printed) = await fixture.run("play", "Album 2", "--shuffle", "--json")
    #expect(status == .done)
    #expect(
      printed.output == #"{"room":"den","tracks":5,"queue":{"revision":4,"count":5,"current":0}}"# + "\n")
    #expect(
      fixture.asked.withLock { $0 } == [
        "play files:a1 files:a2 in den later from 0 shuffled - seeded false goes on -",
        "play files:a4 in den now from 2 shuffled - seeded false goes on -",
        "play files:a2 in den now from 0 shuffled tracks seeded true goes on -",
      ])
    await fixture.close()
  }

  @Test func anAmbiguousTitlePlaysNothingAndListsTheCandidates() async throws {
    let fixture = try CommandFixture()
    _ = try await fixture.library()
    try await fixture.router()
    try await fixture.room("den")
    let (status, printed) = await fixture.run("play", "album")
    #expect(
      status == .failed && printed.errors.contains("Album 1 by Nova, files:a1 (2020); Album 2 by Nova, files:a2 (2020)")
    )
    #expect(fixture.asked.withLock { $0 }.isEmpty)
    #expect(await fixture.run("play", "files:a1", "--next", "--later").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func transportCommandsSteerTheRoomThatIsMeant() async throws {
    let fixture = try CommandFixture()
    try await fixture.room("den")
    try await fixture.room("kitchen", .playing)
    let (status, printed) = await fixture.run("pause", "--json")
    #expect(status == .done && printed.output.hasPrefix(#"{"name":"kitchen","state":"playing","#))
    _ = await fixture.run("seek", "-15", "--room", "den")
    _ = await fixture.run("volume", "60", environment: ["LUNARA_ROOM": "den"])
    #expect(
      fixture.asked.withLock { $0 } == [
        "kitchen pause", "den skip(by: \(Milliseconds(-15_000)))", "den volume(60)",
      ])
    #expect(await fixture.run("volume", "101").0 == .wrongUsage)
    #expect(await fixture.run("pause", "--room", "attic").1.errors.contains("Rooms: den, kitchen."))
    await fixture.close()
  }

  @Test func aJumpPrintsTheTrackOnceItSounds() async throws {
    let fixture = try CommandFixture()
    let node = try await fixture.add("playback@den")
    await node.serve(Playback.Transport.self) { _, _ in
      var state = Sample.room("den", .playing, item: Sample.item("e1", "Two"), offset: 0)
      state.position.takenAt = .now()
      await node.publish(state)
      state.state = .buffering
      state.item = nil
      return state
    }
    let (_, printed) = await fixture.run("next", "--json")
    #expect(printed.output.hasPrefix(#"{"name":"den","state":"playing","#) && printed.output.contains("Two"))
    await fixture.close()
  }

  @Test func theQueueIsReadWholeAndEditedByPlace() async throws {
    let fixture = try CommandFixture()
    try await fixture.room("den")
    let (_, printed) = await fixture.run("queue", "--json")
    #expect(printed.output.hasPrefix(#"{"room":"den","current":0,"items":[{"entry":"e0","place":1,"#))
    #expect(printed.output.contains(#""entry":"e2","place":3"#) && printed.output.contains(#""positionSeconds":5,"#))
    _ = await fixture.run("queue", "remove", "3")
    _ = await fixture.run("queue", "move", "3", "e0")
    _ = await fixture.run("queue", "clear")
    _ = await fixture.run("queue", "shuffle", "albums")
    #expect(
      fixture.asked.withLock { $0 } == [
        "den remove 2 of e2", "den move 2 to 0 of e2", "den clear", "den order albums",
      ])
    #expect(await fixture.run("queue", "shuffle", "songs").0 == .wrongUsage)
    #expect(await fixture.run("queue", "remove", "4").0 == .failed)
    await fixture.close()
  }

  @Test func musicGoesOnOnlyWhereThatIsAskedFor() async throws {
    let fixture = try CommandFixture()
    _ = try await fixture.library()
    try await fixture.router()
    try await fixture.room("den")
    _ = await fixture.run("play", "files:a2", "--continue")
    _ = await fixture.run("play", "--random", "--continue")
    _ = await fixture.run("play", "Album 2", "--shuffle", "--albums")
    _ = await fixture.run("play", "--search", "night")
    #expect(
      fixture.asked.withLock { $0 } == [
        "play files:a2 in den now from 0 shuffled - seeded false goes on name",
        "play files:a1 in den now from 0 shuffled - seeded false goes on random seeded",
        "play files:a2 in den now from 0 shuffled albums seeded true goes on -",
        "play library:search:night in den now from 0 shuffled - seeded false goes on -",
      ])
    for words in [["a", "--continue", "--next"], ["--all", "--continue"], ["a", "--albums"], ["--search"]] {
      #expect(await fixture.run(["play"] + words).0 == .wrongUsage, "\(words)")
    }
    #expect(await fixture.run("play", "--search", "nothing").1.errors.contains("Nothing is found for “nothing”"))
    await fixture.close()
  }

  @Test func theModesOfARoomAreSet() async throws {
    let fixture = try CommandFixture()
    try await fixture.room("den")
    for line in [
      "repeat one", "repeat off", "mute on", "mute off", "sleep 30m", "sleep off", "stop", "stop --after-current",
      "stop --after-current --cancel", "stop --after-album", "queue continue on", "queue continue off",
    ] { #expect(await fixture.run(line.split(separator: " ").map(String.init)).0 == .done, "\(line)") }
    #expect(
      fixture.asked.withLock { $0 } == [
        "den repeats(Messages.Playback.Repeat.one)", "den repeats(Messages.Playback.Repeat.off)", "den mute(true)",
        "den mute(false)", "den sleep(after: \(Optional(Milliseconds(1_800_000)) as Any))", "den sleep(after: nil)",
        "den stop", "den stopAfterCurrent(true)", "den stopAfterCurrent(false)", "den stopAfterAlbum(true)",
        "den continues(true)", "den continues(false)",
      ])
    for line in [
      "repeat twice", "mute yes", "sleep 0", "sleep 2d", "sleep soon", "stop --cancel",
      "stop --after-current --after-album", "queue continue", "queue continue maybe",
    ] {
      #expect(await fixture.run(line.split(separator: " ").map(String.init)).0 == .wrongUsage, "\(line)")
    }
    await fixture.close()
  }

  @Test func anOutputIsShownListedAndSet() async throws {
    let fixture = try CommandFixture()
    try await fixture.room("den")
    let (_, shown) = await fixture.run("output", "--json")
    #expect(
      shown.output == #"{"room":"den","devices":[],"chosen":null,"used":"alsa/dac","levels":"off","preamp":0,"#
        + #""startVolume":null,"maxVolume":100,"resumesAfterCrash":false,"resumesLongTracks":false}"# + "\n")
    let (_, list) = await fixture.run("output", "list")
    #expect(list.output == "\talsa/hdmi\tTelevision\t\n▶\talsa/dac\tThe DAC\t\n")
    let line =
      "output alsa/hdmi --levels smart --preamp -3.5 --max-volume 60 --start-volume last --resume-after-crash on "
      + "--resume-long-tracks on"
    let (status, _) = await fixture.run(line.split(separator: " ").map(String.init))
    #expect(status == .done)
    _ = await fixture.run("output", "auto")
    #expect(
      fixture.asked.withLock { $0 } == [
        "den output alsa/hdmi smart -3.5 -1 60 true true", "den output auto - - - - - -",
      ])
    for line in ["output list --levels off", "output --levels loud", "output --preamp 16", "output --max-volume 0"] {
      #expect(await fixture.run(line.split(separator: " ").map(String.init)).0 == .wrongUsage, "\(line)")
    }
    await fixture.close()
  }

  @Test func theHistoryComesNewestFirst() async throws {
    let fixture = try CommandFixture()
    try await fixture.room("den")
    let (_, printed) = await fixture.run("queue", "--played", "--limit", "1", "--json")
    #expect(
      printed.output == #"[{"entry":"e9","id":"files:t-e9","albumID":"files:a1","title":"Song 1","artist":"Nova","#
        + #""album":"Night Lines","art":null,"startedAt":"2023-11-14T22:13:20.000000Z","heardSeconds":12,"#
        + #""reason":"skipped","skipped":true,"described":false}]"#
        + "\n")
    await fixture.close()
  }

  @Test func scrobblesComeNewestFirst() async throws {
    let fixture = try CommandFixture()
    try await fixture.scrobbler()
    let (_, printed) = await fixture.run("scrobbles", "--json")
    #expect(
      printed.output.hasPrefix(#"[{"listen":"l1","room":"den","id":"files:t1","albumID":"files:a1","track":"Track 1","#)
    )
    #expect(printed.output.contains(#"{"listen":"l2","#))
    #expect(await fixture.run("scrobbles", "--last", "1").1.output.split(separator: "\n").count == 1)
    await fixture.close()
  }

  @Test func statusShowsNodesRoomsAndSources() async throws {
    let fixture = try CommandFixture()
    _ = try await fixture.library()
    try await fixture.room("den")
    try await fixture.scrobbler()
    let (status, printed) = await fixture.run("status", "--json")
    #expect(status == .done)
    #expect(printed.output.hasPrefix(#"{"nodes":[{"role":"library","name":"main","pid":"#))
    let node =
      #""version":"dev","away":false,"lag":0,"journalHead":null,"address":null,"retired":false,"problem":null}"#
    #expect(printed.output.contains(node))
    #expect(printed.output.contains(#""rooms":[{"name":"den","state":"paused","away":false,"#))
    #expect(
      printed.output.contains(
        #""sources":[{"name":"files","kind":"files","health":"ready","lastRefreshed":"2023-11-14T22:13:20.000000Z","#
          + #""albums":4,"tracks":20,"problemCount":1,"problems":[{"code":"library.unreadable","#))
    #expect(printed.output.contains(#""scrobbles":{"counted":2,"pending":1,"failed":0,"accounts":[],"#))
    let (_, text) = await fixture.run("status")
    #expect(text.output.contains("/m/x.flac cannot be read. Check it."))
    await fixture.close()
  }

  @Test func withoutServicesTheExitStatusIsThree() async throws {
    let fixture = try CommandFixture()
    let (status, printed) = await fixture.run("status")
    #expect(status == .nothingReachable && printed.errors.contains("lunara up"))
    try await fixture.room("den")
    #expect(await fixture.run("rooms").0 == .done)
    await fixture.close()
  }

  @Test func aTapEndsAfterTheNumberAskedFor() async throws {
    let fixture = try CommandFixture()
    try await fixture.room("den")
    let (status, printed) = await fixture.run("tap", "--kind", "playback.state", "--count", "1")
    #expect(status == .done)
    #expect(printed.output.contains(#""node":"playback@den","class":"state","topic":"playback.den.state.","#))
    #expect(printed.output.split(separator: "\n").count == 1)
    await fixture.close()
  }

  @Test func aTapEndsAfterItsTimeAndKeepsARecording() async throws {
    let fixture = try CommandFixture()
    try await fixture.room("den")
    let folder = TemporaryDirectory()
    let file = "\(folder.path)/record"
    let (status, printed) = await fixture.run(
      "tap", "--topic", "playback.den", "--for", "600ms", "--record", file, "--stats")
    #expect(status == .done)
    #expect(Files.text(of: file)?.contains(#""kind":"playback.state""#) == true)
    #expect(printed.output.contains(#"{"topic":"playback.den.state.","class":"state","count":1,"#))
    await fixture.close()
  }

  @Test func aRefreshIsWaitedForAndItsCountsPrinted() async throws {
    let fixture = try CommandFixture()
    let database = try fixture.bus.database("library")
    let journal = try await Journal(database)
    let node = try await Node.start(.library, in: fixture.bus.directory, journal: journal)
    let source = Library.SourceStatus(
      name: "files", kind: "files", health: "ready", lastRefreshed: nil, albums: 0, tracks: 0, problemCount: 0,
      problems: [])
    await node.publish(Library.CatalogueState(generation: 1, albums: 0, tracks: 0, sources: [source]))
    await node.serve(Library.Sync.self) { _, _ in
      try await database.write { transaction in
        let counts = Library.SyncCounts(new: 3, changed: 1, unchanged: 0, deleted: 2, seconds: 0.5, unused: 4)
        let before = Library.SyncCounts(new: 0, changed: 0, unchanged: 5, deleted: 0, seconds: 9)
        // The end of a refresh that ran already, and of the one that answers the request.
        try journal.append(Library.SyncFinished(source: "files", counts: before, refresh: 6), in: transaction)
        try journal.append(Library.SyncFinished(source: "files", counts: counts, refresh: 7), in: transaction)
      }
      return Library.SyncStarted(refreshes: [.init(source: "files", refresh: 7)])
    }
    let (status, printed) = await fixture.run("sync", "--wait", "--json")
    #expect(status == .done)
    #expect(
      printed.output == #"{"source":"files","new":3,"changed":1,"unchanged":0,"deleted":2,"seconds":0.5,"#
        + #""unused":4,"ignored":null}"# + "\n")
    #expect(await fixture.run("sync").1.output.hasPrefix("Refreshing all sources"))
    await node.close()
    await database.close()
  }
}
