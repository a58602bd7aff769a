import Bus
import Messages
import Model
import Synchronization
import System
import TestSupport
import Testing

@testable import lunara

/// Commands for a room: which one is meant, what is shown without a value, and what is refused.
@Suite(.timeLimit(.minutes(1)))
struct RoomCommandTests {
  @Test func whileNoRoomPlaysEveryCommandIsForTheOneThatWasUsedLast() async throws {
    let fixture = try CommandFixture()
    try await fixture.room("den", .paused, usedSecondsAgo: 90)
    try await fixture.room("kitchen", .paused, usedSecondsAgo: 3)
    for words in [["resume"], ["volume", "60"], ["queue", "clear"], ["repeat", "all"]] {
      #expect(await fixture.run(words).0 == .done, "\(words)")
    }
    let asked = fixture.asked.withLock { $0 }
    #expect(asked.count == 4 && asked.allSatisfy { $0.hasPrefix("kitchen ") }, "\(asked)")
    #expect(await fixture.run("queue", "--json").1.output.hasPrefix(#"{"room":"kitchen","#))
    await fixture.close()
  }

  @Test(arguments: ["Küche", "KÜCHE", "kuche", "台所", "Kitchen, upstairs"])
  func aRoomIsMeantByItsNameAndByItsTitle(text: String) async throws {
    let fixture = try CommandFixture()
    let titles = ["kuche": "Küche", RoomName(from: "台所").rawValue: "台所", "attic": "Kitchen, upstairs"]
    for (name, title) in titles {
      let node = try await fixture.add("playback@\(name)")
      var room = Sample.room(name, .paused)
      room.title = title
      await node.publish(room)
      await node.serve(Playback.Transport.self) { [room] _, _ in room }
    }
    let output = await fixture.run("pause", "--room", text, "--json").1.output
    let title = titles[text] ?? titles.values.first { $0.lowercased() == text.lowercased() } ?? ""
    #expect(output.contains(#""title":"\#(title)""#), "\(output)")
    await fixture.close()
  }

  @Test func aCommandWithoutItsValueShowsIt() async throws {
    let fixture = try CommandFixture()
    let node = try await fixture.add("playback@den")
    var room = Sample.room("den", .paused)
    room.modes = Playback.Modes(
      repeats: .one, order: .queued, stopsAfterCurrent: false, sleepsAt: .now() - Milliseconds(-1_800_000),
      isMuted: true, maximumVolume: 100)
    await node.publish(room)
    let shown = [
      "volume": "volume 80, muted", "mute": "mute on", "repeat": "repeat one", "sleep": "sleep in 30 min",
    ]
    for (command, text) in shown {
      let (status, printed) = await fixture.run(command)
      #expect(status == .done && printed.output == "den\t\(text)\n", "\(command)")
      #expect(await fixture.run(command, "--json").1.output.hasPrefix(#"{"name":"den","state":"paused","#))
    }
    await fixture.close()
  }

  @Test func aVolumeThatIsNotKnownIsNotChanged() async throws {
    let fixture = try CommandFixture()
    let node = try await fixture.add("playback@den")
    await node.serve(Playback.Transport.self) { _, _ in
      fixture.record("changed")
      return Sample.room("den", .idle)
    }
    let (status, printed) = await fixture.run("volume", "+5")
    #expect(status == .failed && printed.errors.contains("cli.stateUnknown"))
    #expect(fixture.asked.withLock { $0 }.isEmpty)
    await fixture.close()
  }

  @Test func aPartOfTheQueueBeginsWithTheCurrentItem() async throws {
    let fixture = try CommandFixture()
    try await fixture.room("den")
    let (status, printed) = await fixture.run("queue", "--limit", "2")
    #expect(status == .done && printed.output.split(separator: "\n").count == 2)
    #expect(printed.output.hasPrefix("▶\t1\tOne\t") && printed.errors.contains("1 more follow."))
    let json = await fixture.run("queue", "--limit", "1", "--json").1.output
    #expect(json.contains(#""count":3,"first":0"#) && !json.contains("e1"))
    await fixture.close()
  }

  @Test func theHintAtTheEndOfAPageIsACommandForTheNextOne() async throws {
    let fixture = try CommandFixture()
    _ = try await fixture.library()
    let words = ["albums", "--tag", "mood:it's late", "--limit", "3"]
    let hint = await fixture.run(words).1.errors
    let run = " --run \(fixture.bus.directory.path)"
    #expect(hint == #"more: lunara albums --tag 'mood:it'\''s late' --limit 3"# + run + " --after 3\n", "\(hint)")
    // A cursor may begin with a dash.
    let arguments = try Parser(root: .lunara).parse(["tags", "mood", "--after=-Za"]).arguments
    #expect(arguments.value(.after) == "-Za")
    #expect(arguments.commandLine(with: .after, "-Zx") == "lunara tags mood --after=-Zx")
    await fixture.close()
  }

  @Test func playSaysWhichWordsExcludeEachOther() async throws {
    let fixture = try CommandFixture()
    let mistakes = [
      ["--random", "files:a1"]: "--random draws an album itself", ["--all", "files:a1"]: "--all plays everything",
      ["--random", "--all"]: "--random and --all exclude each other", []: "Say what to play",
    ]
    for (words, message) in mistakes {
      let (status, printed) = await fixture.run(["play"] + words)
      #expect(status == .wrongUsage && printed.errors.contains(message), "\(words)")
    }
    await fixture.close()
  }

  @Test(arguments: ["plex:p2", "plex:c2"]) func playsAreNotThoseOfAList(id: String) async throws {
    let fixture = try CommandFixture()
    _ = try await fixture.library()
    let (status, printed) = await fixture.run("plays", id)
    #expect(status == .wrongUsage && printed.errors.contains("\(id) is a collection or a playlist"))
    await fixture.close()
  }

  @Test func anAmbiguousTitleListsFormatAndFolder() async throws {
    let fixture = try CommandFixture()
    let library = try await fixture.library()
    await library.serve(Library.Search.self) { _, _ in
      let albums = ["a1", "a2"].map { id in
        var album = Sample.album(id, "Album")
        (album.quality, album.folder) = ("FLAC 16/44.1", "/music/\(id)")
        return album
      }
      return Library.SearchResults(artists: [], albums: albums, tracks: [])
    }
    let errors = await fixture.run("album", "album").1.errors
    #expect(
      errors.contains("Album by Nova, files:a1 (2020, FLAC 16/44.1, /music/a1); Album by Nova, files:a2"), "\(errors)")
    await fixture.close()
  }

  @Test func helpIsThatOfTheCommand() throws {
    func text(_ words: String...) -> (lunara.ExitStatus, Printed) {
      let printed = Printed()
      let status = Program(root: .lunara).run(words, environment: Environment([:])) { _ in printed.console() }
      return (status, printed)
    }
    #expect(text("help", "queue", "move").1.output == text("queue", "move", "--help").1.output)
    #expect(text("help").1.output == text("--help").1.output)
    #expect(text("help", "plya").0 == .wrongUsage && text("help", "plya").1.errors.contains("Did you mean “play”?"))
  }

  @Test func completionsOfferRoomsAndIDs() async throws {
    let fixture = try CommandFixture()
    _ = try await fixture.library()
    try await fixture.room("den")
    #expect(await fixture.run("completions", "values", "rooms").1.output == "den\ta room\n")
    let albums = await fixture.run("completions", "values", "albums", "files:a4").1.output
    #expect(albums == "files:a4\tNight Lines by Nova\n")
    #expect(!CompletionValues.Value(text: "lastfm/$(reboot)", description: "").isPlain)
    await fixture.close()
    // Without a household the line that is being typed stays as it is.
    let (status, printed) = await fixture.run("completions", "values", "rooms")
    #expect(status == .done && printed.output.isEmpty && printed.errors.isEmpty)
  }
}
