import Synchronization
import Testing

@testable import lunara

/// The commands that make and edit playlists.
@Suite(.timeLimit(.minutes(2)))
struct PlaylistCommandTests {
  @Test func playlistsAreMadeAndEdited() async throws {
    let fixture = try CommandFixture()
    try await fixture.shelves()
    let made = await fixture.run("playlists", "new", "Sunday", "files:a1", "files:t2", "--summary", "Slow")
    #expect(made.1.output == "lunara:p7 · Sunday · 3 tracks · made\n")
    #expect(await fixture.run("playlists", "new", "Again", "--copy", "plex:p1").0 == .done)
    #expect(await fixture.run("playlists", "add", "lunara:p7", "files:a1").0 == .done)
    #expect(await fixture.run("playlists", "add", "lunara:p7", "files:a1", "--first").0 == .done)
    #expect(await fixture.run("playlists", "remove", "lunara:p7", "4", "5").0 == .done)
    #expect(await fixture.run("playlists", "move", "lunara:p7", "4", "--after", "9").0 == .done)
    #expect(await fixture.run("playlists", "move", "lunara:p7", "4", "--last").0 == .done)
    #expect(await fixture.run("playlists", "rename", "drive home", "Monday").0 == .done)
    #expect(await fixture.run("playlists", "describe", "lunara:p7", "").0 == .done)
    #expect(await fixture.run("playlists", "undo", "lunara:p7").0 == .done)
    let deleted = await fixture.run("playlists", "delete", "lunara:p7", "--json")
    #expect(deleted.1.output == #"{"id":"lunara:p7","isDeleted":true}"# + "\n")
    #expect(
      fixture.asked.withLock { $0 } == [
        "create Sunday [files:a1, files:t2] Slow -", "create Again [] - plex:p1", "add lunara:p7 [files:a1] -1",
        "add lunara:p7 [files:a1] 0", "remove lunara:p7 [4, 5]", "move lunara:p7 [4] 9", "move lunara:p7 [4] -1",
        "describe plex:p1 Monday -", "describe lunara:p7 - ", "undo lunara:p7", "delete lunara:p7",
      ])
    await fixture.close()
  }

  @Test(arguments: [
    ["add", "lunara:p7"], ["move", "lunara:p7", "4"], ["move", "lunara:p7", "4", "--first", "--last"],
    ["remove", "lunara:p7", "x"], ["remove", "lunara:p7"], ["add", "lunara:p7", "files:a1", "--after", "0"],
  ])
  func whatSaysTooLittleIsRefused(words: [String]) async throws {
    let fixture = try CommandFixture()
    try await fixture.shelves()
    #expect(await fixture.run(["playlists"] + words).0 == .wrongUsage)
    #expect(fixture.asked.withLock { $0 }.isEmpty)
    await fixture.close()
  }
}
