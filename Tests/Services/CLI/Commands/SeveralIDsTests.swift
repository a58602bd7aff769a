import Bus
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara

/// A command whose usage says `ID…` does the same for each of several ids.
@Suite(.timeLimit(.minutes(2))) struct SeveralIDsTests {
  private func household() async throws -> CommandFixture {
    let fixture = try CommandFixture()
    let library = try await fixture.library()
    await library.serve(Library.SetOpinion.self) { request, _ in
      fixture.record("\(request.opinion?.rawValue ?? "none") \(request.id)")
      return Library.OpinionBefore(before: nil)
    }
    await library.serve(Library.Pin.self) { request, _ in
      fixture.record("pin \(request.id)")
      return Done()
    }
    await library.serve(Library.PreferEdition.self) { request, _ in
      fixture.record("prefer \(request.id)")
      return Done()
    }
    await library.serve(Library.ReadLyrics.self) { request, _ in
      fixture.record("lyrics \(request.id)")
      return Library.Lyrics(source: .tags, lines: [.init(text: "\(request.id)")])
    }
    await library.serve(Library.ListThemes.self) { _, _ in
      Library.ThemeList(
        items: [3, 8].map {
          Library.Theme(
            id: $0, title: "Boat \($0)", look: .init(first: "#1f5f8b", second: "#e8f0f2", texture: .paper),
            albumCount: 1, revision: 4)
        })
    }
    await library.serve(Library.DeleteTheme.self) { request, _ in
      fixture.record("delete \(request.id)")
      return Done()
    }
    let discovery = try await fixture.add("discovery@main")
    await discovery.serve(Discovery.ShowLess.self) { request, _ in
      fixture.record("less \(request.album)")
      return Done()
    }
    await discovery.serve(Discovery.ListGenres.self) { _, _ in
      Discovery.GenreList(
        genres: ["jazz", "rock"].map { .init(id: $0, name: $0.uppercased(), albums: 1) }, tagged: 2, matched: 2)
    }
    await discovery.serve(Discovery.ReadWall.self) { request, _ in
      fixture.record("feed \(request.genre ?? "-") \(request.count ?? 0)")
      throw LunaraError("discovery.notReady", "Not yet.")
    }
    return fixture
  }

  @Test(arguments: [
    ("like files:a1 files:a2", "like files:a1, like files:a2"),
    ("unlike files:a1 files:a2 files:a3", "none files:a1, none files:a2, none files:a3"),
    ("pin plex:c1 plex:c2", "pin plex:c1, pin plex:c2"),
    ("editions prefer files:a1 files:a2", "prefer files:a1, prefer files:a2"),
    ("less files:a1 files:a2", "less files:a1, less files:a2"),
    ("lyrics files:t1 files:t2", "lyrics files:t1, lyrics files:t2"),
    ("themes delete 3 8", "delete 3, delete 8"),
  ])
  func eachOfSeveralIDsIsDone(line: String, asked: String) async throws {
    let fixture = try await household()
    let (status, printed) = await fixture.run(line.split(separator: " ").map(String.init))
    #expect(status == .done, "\(printed.errors)")
    #expect(fixture.asked.withLock { $0 }.joined(separator: ", ") == asked)
    await fixture.close()
  }

  @Test func programsGetALineForEach() async throws {
    let fixture = try await household()
    let (_, printed) = await fixture.run("like", "files:a1", "files:a2", "--json")
    #expect(
      printed.output == """
        {"id":"files:a1","opinion":"like","before":null}
        {"id":"files:a2","opinion":"like","before":null}

        """)
    let (_, albums) = await fixture.run("album", "files:a1", "files:a2", "--json")
    #expect(albums.output.split(separator: "\n").count == 2)
    await fixture.close()
  }

  @Test func wordsWithoutAnIDAreOneTitleAndQuotedTitlesAreSeveral() async throws {
    let fixture = try await household()
    #expect(await fixture.run("like", "night", "lines").0 == .done)
    #expect(await fixture.run("like", "Album 1", "Album 2").0 == .done)
    #expect(await fixture.run("like", "files:a3", "Night Lines").0 == .done)
    #expect(
      fixture.asked.withLock { $0 } == [
        "like files:a4", "like files:a1", "like files:a2", "like files:a3", "like files:a4",
      ])
    await fixture.close()
  }

  @Test func nothingIsDoneIfOneIsNotFound() async throws {
    let fixture = try await household()
    let (status, printed) = await fixture.run("like", "files:a1", "Nowhere")
    #expect(status == .failed && printed.errors.contains("There is no album “Nowhere”."))
    let (_, together) = await fixture.run("like", "Night", "Nowhere")
    #expect(together.errors.contains("There is no album “Night Nowhere”."))
    #expect(fixture.asked.withLock { $0 }.isEmpty)
    await fixture.close()
  }

  @Test func severalGenresAreFeedsOfTheirOwnAndAnythingElseIsOneName() async throws {
    let fixture = try await household()
    _ = await fixture.run("feed", "jazz", "--count", "3")
    _ = await fixture.run("feed", "hip", "hop", "--count", "3")
    #expect(fixture.asked.withLock { $0 } == ["feed jazz 3", "feed hip hop 3"])
    let (status, printed) = await fixture.run("feed", "jazz", "Rock", "--count", "3")
    #expect(status == .failed && printed.errors.contains("discovery.notReady"))
    #expect(fixture.asked.withLock { $0.last } == "feed jazz 3")
    await fixture.close()
  }

  @Test func aWrongCommandLineIsToldWhereNoHouseholdRuns() async throws {
    let fixture = try CommandFixture()
    for line in ["similar files:a1 --count 99", "stop --cancel", "seek x", "notes due --album x", "plays --by shoe"] {
      let (status, _) = await fixture.run(line.split(separator: " ").map(String.init))
      #expect(status == .wrongUsage, "\(line)")
    }
    await fixture.close()
  }
}
