import Synchronization
import System
import TestSupport
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
    #expect(await fixture.run("playlists", "remove", "lunara:p7", "1", "2").0 == .done)
    #expect(await fixture.run("playlists", "move", "lunara:p7", "1", "--after", "3").0 == .done)
    #expect(await fixture.run("playlists", "move", "lunara:p7", "1", "--last").0 == .done)
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

  @Test func entriesAreNamedByTheirPlacesAndByTheirIDs() async throws {
    let fixture = try CommandFixture()
    try await fixture.shelves()
    let rows = await fixture.run("playlist", "lunara:p7").1.output.split(separator: "\n").suffix(4)
    #expect(rows.map { String($0.prefix(2)) } == ["1\t", "2\t", "3\t", "4\t"])
    for words in [
      ["remove", "lunara:p7", "2-3"], ["remove", "lunara:p7", "e17", "1"], ["remove", "lunara:p7", "17"],
      ["move", "lunara:p7", "3", "1"], ["move", "lunara:p7", "1", "3"], ["move", "lunara:p7", "1-2", "4"],
    ] {
      #expect(await fixture.run(["playlists"] + words).0 == .done, "\(words)")
    }
    #expect(
      fixture.asked.withLock { $0 } == [
        "remove lunara:p7 [5, 9]", "remove lunara:p7 [17, 4]", "remove lunara:p7 [17]", "move lunara:p7 [9] 0",
        "move lunara:p7 [4] 9", "move lunara:p7 [4, 5] -1",
      ])
    let beyond = await fixture.run("playlists", "remove", "lunara:p7", "3-6")
    #expect(beyond.0 == .failed && beyond.1.errors.contains("“Sunday” has the places 1 to 4, not 6."))
    #expect(await fixture.run("playlists", "remove", "lunara:p7", "e3").1.errors.contains("cli.noSuchPlace"))
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

  @Test func aListFileIsImportedInParts() async throws {
    let folder = TemporaryDirectory()
    let path = "\(folder.path)/Long.m3u"
    let lines = (1...1100).map { "#EXTINF:60,Nova - Song \($0)\n\($0).flac\n" }.joined()
    try Files.replace(path, with: "#EXTM3U\n" + lines + "other.m3u\n")
    let fixture = try CommandFixture()
    try await fixture.shelves()
    let (status, printed) = await fixture.run("playlists", "import", path)
    #expect(status == .done)
    let shown = printed.output.split(separator: "\n").map(String.init)
    #expect(shown.first == "lunara:p7 · Drive · 3 entries · 3 by file · 1097 not in the library")
    #expect(shown.dropFirst().first == "  not here: Nova – Song 2")
    #expect(shown.suffix(2).first == "  and 1077 more" && shown.last?.hasPrefix("  left out: Entry 2202") == true)
    #expect(
      fixture.asked.withLock { $0 } == [
        "create Long [] - -", "import lunara:p7 500 \(folder.path)", "import lunara:p7 500 \(folder.path)",
        "import lunara:p7 100 \(folder.path)",
      ])
    await fixture.close()
  }

  @Test func anImportThatFailsLeavesNoPlaylist() async throws {
    let folder = TemporaryDirectory()
    try Files.replace("\(folder.path)/x.pls", with: "[playlist]\nFile1=a.mp3\nTitle1=Broken\n")
    let fixture = try CommandFixture()
    try await fixture.shelves()
    #expect(await fixture.run("playlists", "import", "\(folder.path)/x.pls").0 == .failed)
    #expect(fixture.asked.withLock { $0 }.last == "delete lunara:p7")
    #expect(await fixture.run("playlists", "import", "\(folder.path)/none.m3u").0 == .failed)
    #expect(fixture.asked.withLock { $0 }.count == 3)
    await fixture.close()
  }

  @Test func aListAtAnAddressIsReadByTheLibrary() async throws {
    let fixture = try CommandFixture()
    try await fixture.shelves()
    let (_, printed) = await fixture.run("playlists", "import", "https://example.org/x.xspf?y=1", "--json")
    #expect(printed.output.contains(#""matched":{"file":1},"missing":[],"missingCount":0,"problems":[]"#))
    #expect(
      fixture.asked.withLock { $0 } == [
        "read https://example.org/x.xspf?y=1", "create Far [] - -", "import lunara:p7 1 -",
      ])
    await fixture.close()
  }

  @Test func aPlaylistIsWrittenToANewFile() async throws {
    let folder = TemporaryDirectory()
    let fixture = try CommandFixture()
    try await fixture.shelves()
    let path = "\(folder.path)/x.m3u8"
    let (_, printed) = await fixture.run("playlists", "export", "lunara:p7", path, "--absolute")
    #expect(printed.output == "Wrote 2 entries to \(path). 1 of them has no file.\n")
    let expected =
      "#EXTM3U\n#PLAYLIST:Drive\n#EXTINF:60,Nova - One\n/m/one.flac\n#EXTINF:60,Nova - Two\n#LUNARA-MISSING\n"
    #expect(Files.text(of: path) == expected)
    // A file that is there stays as it is.
    let refused = await fixture.run("playlists", "export", "lunara:p7", path)
    #expect(refused.0 == .failed && refused.1.errors.contains("cli.fileExists"))
    #expect(Files.text(of: path) == expected)
    #expect(await fixture.run("playlists", "export", "lunara:p7", path, "--force").0 == .done)
    #expect(Files.text(of: path) != expected)
    let (_, output) = await fixture.run("playlists", "export", "lunara:p7", "-", "--format", "pls")
    #expect(output.output.hasPrefix("[playlist]\nFile1=/m/one.flac\nTitle1=Nova - One\nLength1=60\nNumberOfEntries=1"))
    #expect(await fixture.run("playlists", "export", "lunara:p7", "x.doc").0 == .wrongUsage)
    await fixture.close()
  }
}
