import Bus
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara

/// The command of rediscovered albums, with a library that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct RediscoverCommandTests {
  private func household(empty: Bool = false) async throws -> CommandFixture {
    let fixture = try CommandFixture()
    let node = try await fixture.library()
    await node.serve(Library.ReadRediscovery.self) { request, _ in
      fixture.record("\(request.day ?? "today") \(request.limit)")
      let album = Library.ExplainedAlbum(album: Sample.album("a1", "Night Lines"), reason: "Never heard.")
      let shelf = Library.RediscoveryShelf(
        shelf: .halfHeard, title: "Half heard", reason: "You began these albums.", items: [album])
      return Library.RediscoveryDay(day: "2026-11-26", shelves: empty ? [] : [shelf])
    }
    return fixture
  }

  @Test func theShelvesOfADayAreShownWithTheirReasons() async throws {
    let fixture = try await household()
    let (status, printed) = await fixture.run("rediscover")
    #expect(status == .done)
    #expect(printed.output == "Half heard\nfiles:a1\tNight Lines\tNova\t2020\tNever heard.\n")
    _ = await fixture.run("rediscover", "--day", "2026-12-24", "--limit", "4")
    #expect(fixture.asked.withLock { $0 } == ["today 12", "2026-12-24 4"])
    #expect(await fixture.run("rediscover", "--limit", "25").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func asJSONEachShelfHasItsAlbums() async throws {
    let fixture = try await household()
    let (_, printed) = await fixture.run("rediscover", "--json")
    #expect(
      printed.output.hasPrefix(
        #"[{"shelf":"half-heard","title":"Half heard","reason":"You began these albums.","items":[{"id":"files:a1","#))
    #expect(printed.output.hasSuffix(#""reason":"Never heard."}]}]"# + "\n"))
    await fixture.close()
  }

  @Test func anEmptyLibraryIsSaidToBeEmpty() async throws {
    let fixture = try await household(empty: true)
    let (status, printed) = await fixture.run("rediscover")
    #expect(status == .done && printed.output.isEmpty && printed.errors.contains("There is no album yet."))
    await fixture.close()
  }
}
