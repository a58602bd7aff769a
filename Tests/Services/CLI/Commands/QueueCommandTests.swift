import Bus
import Messages
import Model
import Synchronization
import System
import TestSupport
import Testing

@testable import lunara

/// Commands that change a queue, and what is played by its path.
@Suite(.timeLimit(.minutes(1)))
struct QueueCommandTests {
  @Test func severalPlacesAreRemovedAsOneChange() async throws {
    let fixture = try CommandFixture()
    try await fixture.room("den")
    #expect(await fixture.run("queue", "remove", "2-3").0 == .done)
    #expect(await fixture.run("queue", "remove", "3", "1").0 == .done)
    #expect(await fixture.run("queue", "remove", "2").0 == .done)
    #expect(await fixture.run("queue", "remove", "2-9").1.errors.contains("has the places 1 to 3, not 9"))
    #expect(await fixture.run("queue", "remove").0 == .wrongUsage)
    #expect(
      fixture.asked.withLock { $0 } == ["den remove 1-2 at 1", "den remove 0-0 2-2 at 1", "den remove 1 of e1"])
    await fixture.close()
  }

  @Test func theExplanationOfAQueueIsPrintedAndAsJSON() async throws {
    let fixture = try CommandFixture()
    try await fixture.room("den", .paused)
    let (status, printed) = await fixture.run("queue", "--why")
    #expect(status == .done)
    let lines = printed.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    #expect(lines.compactMap(\.first).filter { !$0.isEmpty } == ["Queued", "On disk", "Ends"])
    #expect(lines.first?.last?.hasSuffix(", 3 tracks") == true, "\(printed.output)")
    #expect(lines.last?.last?.contains("after 2 more tracks") == true, "\(printed.output)")
    let json = await fixture.run("queue", "--why", "--json").1.output
    #expect(json.contains("\"tracksLeft\":2") && json.contains("\"continuation\":null"), "\(json)")
    #expect(await fixture.run("queue", "--why", "--played").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func croppingKeepsWhatPlaysOrTheGivenPlaces() async throws {
    let fixture = try CommandFixture()
    try await fixture.room("den")
    let (_, printed) = await fixture.run("queue", "crop")
    #expect(printed.errors.contains("lunara queue restore --room den"))
    #expect(await fixture.run("queue", "crop", "2-3").0 == .done)
    // Nothing else is there to be removed.
    #expect(await fixture.run("queue", "crop", "1-3").1.output == "3 items in den\n")
    #expect(fixture.asked.withLock { $0 } == ["den remove 1-2 at 1", "den remove 0-0 at 1"])
    await fixture.close()
  }

  @Test func croppingWhileNothingPlaysIsRefused() async throws {
    let fixture = try CommandFixture()
    let room = try await fixture.add("playback@den")
    await room.publish(Sample.room("den", .idle))
    await room.serve(Playback.ReadQueue.self) { request, _ in
      Playback.QueueState(
        revision: 1, count: 1, current: nil, first: request.first,
        items: request.first > 0 ? [] : [Sample.item("e1", "One")])
    }
    #expect(await fixture.run("queue", "crop").1.errors.contains("cli.nothingPlays"))
    await fixture.close()
  }

  @Test func toggleAndRelativeVolumesGoToTheRoom() async throws {
    let fixture = try CommandFixture()
    try await fixture.room("den", .playing)
    for words in [["toggle"], ["volume", "+5"], ["volume", "-30", "--room", "den"], ["volume", "+50"]] {
      #expect(await fixture.run(words).0 == .done, "\(words)")
    }
    #expect(
      fixture.asked.withLock { $0 } == ["den toggle", "den volume(85)", "den volume(50)", "den volume(100)"])
    await fixture.close()
  }

  @Test func foldersAndFilesOfTheMusicFoldersArePlayedByPath() async throws {
    let fixture = try CommandFixture()
    try await fixture.roomWithFolders()
    for path in ["/music/Jazz/", "file:///music/Jazz", "/music/Jazz/../Jazz/1.flac"] {
      #expect(await fixture.run("play", path).0 == .done, "\(path)")
    }
    #expect(await fixture.run("queue", "add", "files:a1", "/music/Jazz").0 == .done)
    let asked = fixture.asked.withLock { $0 }
    let ids = [
      "library:folder:/music/Jazz", "library:folder:/music/Jazz", "files:t1", "files:a1 library:folder:/music/Jazz",
    ]
    #expect(asked.count == 4 && zip(asked, ids).allSatisfy { $0.hasPrefix("play \($1) in den ") }, "\(asked)")
    await fixture.close()
  }

  @Test func aPathWithoutMusicSaysWhatToDo() async throws {
    let fixture = try CommandFixture()
    try await fixture.roomWithFolders()
    let outside = await fixture.run("play", "/elsewhere/1.flac")
    #expect(outside.0 == .failed && outside.1.errors.contains("is outside the music folders. They are /music."))
    #expect(outside.1.errors.contains("lunara sources add FOLDER"))
    let unread = await fixture.run("play", "/music/Jazz/new.flac")
    #expect(unread.0 == .failed && unread.1.errors.contains("has no music at /music/Jazz/new.flac"))
    #expect(fixture.asked.withLock { $0 }.isEmpty)
    await fixture.close()
  }
}

extension CommandFixture {
  /// A room, a router, and a library with a file in `/music/Jazz`.
  fileprivate func roomWithFolders() async throws {
    try await room("den")
    try await router()
    let library = try await library()
    await library.serve(Library.ListFolder.self) { request, _ in
      func folder(_ path: String) -> Library.FolderPage.Folder {
        .init(name: path, path: LocalPath(path), id: PlayableID(source: "library", native: "folder:\(path)"))
      }
      switch request.path?.description {
      case nil: return Library.FolderPage(path: nil, folders: [folder("/music")])
      case "/music": return Library.FolderPage(path: request.path, folders: [folder("/music/Jazz")])
      case "/music/Jazz":
        return Library.FolderPage(
          path: request.path, folders: [], tracks: [.init(name: "1.flac", track: Sample.track("t1", "One"))])
      default: throw LunaraError("library.unknownFolder", "There is no such folder.")
      }
    }
  }
}
