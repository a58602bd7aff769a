import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara

/// The commands that narrow lists and browse by people, works and folders, over a real bus.
@Suite(.timeLimit(.minutes(2)))
struct BrowseCommandTests {
  private func fixture() async throws -> CommandFixture {
    let fixture = try CommandFixture()
    try await fixture.shelves()
    return fixture
  }

  @Test func tagsAreCombinedAndExcluded() async throws {
    let fixture = try await fixture()
    let words = ["albums", "--tag", "jazz", "--tag", "decade:1960", "--tag", "unplayed", "--without", "type:live"]
    #expect(await fixture.run(words).0 == .done)
    #expect(await fixture.run("tracks", "--tag", "composer:Bach").0 == .done)
    #expect(await fixture.run("tags", "style", "--among", "jazz", "--sort", "albums", "--limit", "1").0 == .done)
    #expect(
      fixture.asked.withLock { $0 } == [
        "albums name genre jazz, decade 1960, unplayed , !type live -", "tracks name 0 composer Bach",
        "tags style - genre jazz albums",
      ])
    #expect(await fixture.run("albums", "--tag", "").0 == .wrongUsage)
    for word in ["moood:wistful", "rating:", "unknown:x"] {
      let (status, refused) = await fixture.run("albums", "--tag", word)
      #expect(status == .wrongUsage && refused.errors.contains("genre, "), "\(word)")
    }
    // A genre may have a colon.
    #expect(await fixture.run("albums", "--tag", "Score: Film").0 == .done)
    #expect(await fixture.run("tags", "style", "--sort", "albums", "--starting-at", "m").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func artistsAndTheirTracksAreListedByRole() async throws {
    let fixture = try await fixture()
    #expect(await fixture.run("artists", "--role", "composer").1.output == "files:r3\tBach\t2 tracks\n")
    let page = await fixture.run("artist", "files:r3").1.output
    #expect(page.contains("appears on: 1 track on 1 album\ncomposer: 2 tracks on 1 album\n"))
    #expect(await fixture.run("artist", "files:r3", "--role", "performer").1.output.contains("\torgan\n"))
    let json = await fixture.run("artist", "files:r3", "--role", "performer", "--json").1.output
    let credit = #""credit":{"role":"performer","name":"Bach","artistID":"files:r3","instrument":"organ"}"#
    #expect(json.contains(credit))
    #expect(await fixture.run("artists", "--role", "painter").0 == .wrongUsage)
    #expect(
      fixture.asked.withLock { $0 } == [
        "artists composer -", "credits files:r3 performer 100", "credits files:r3 performer 100",
      ])
    await fixture.close()
  }

  @Test func artistsAndTagsAreSortedInBothDirections() async throws {
    let fixture = try await fixture()
    #expect(await fixture.run("artists", "--sort", "albums").0 == .done)
    #expect(await fixture.run("artists", "--sort", "albums", "--reverse", "--role", "composer").0 == .done)
    #expect(await fixture.run("artists", "--reverse", "--starting-at", "m").0 == .done)
    #expect(await fixture.run("tags", "style", "--reverse", "--limit", "1").0 == .done)
    #expect(
      fixture.asked.withLock { $0 } == [
        "artists - - albums", "artists composer - albums reversed", "artists - m reversed", "tags style - reversed",
      ])
    #expect(await fixture.run("artists", "--sort", "albums", "--starting-at", "m").0 == .wrongUsage)
    #expect(await fixture.run("artists", "--sort", "year").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func worksAreListedAndRead() async throws {
    let fixture = try await fixture()
    #expect(await fixture.run("works").1.output == "library:w3\tSuite\tBach\t2 tracks\n")
    #expect(await fixture.run("works", "files:r3").0 == .done)
    // Both pages are read.
    #expect(await fixture.run("work", "library:w3").1.output.split(separator: "Last Tram").count == 3)
    #expect(await fixture.run("work", "Suite").0 == .wrongUsage)
    #expect(fixture.asked.withLock { $0 } == ["works -", "works files:r3"])
    await fixture.close()
  }

  @Test func foldersAreListed() async throws {
    let fixture = try await fixture()
    #expect(await fixture.run("folders").1.output.hasPrefix("library:folder:/m/Jazz\tJazz/\n"))
    let (_, listed) = await fixture.run("folders", "/m", "--json")
    #expect(
      listed.output.hasPrefix(
        #"{"path":"/m","folders":[{"name":"Jazz","path":"/m/Jazz","id":"library:folder:/m/Jazz"}],"albums":[],"#))
    #expect(listed.output.contains(#""file":"1.flac""#) && listed.output.hasSuffix("\"next\":null}\n"))
    #expect(await fixture.run("folders", "Jazz").0 == .wrongUsage)
    #expect(
      fixture.asked.withLock { $0 } == ["folder - - 200", "folder - n 200", "folder /m - 200", "folder /m n 200"])
    await fixture.close()
  }
}
