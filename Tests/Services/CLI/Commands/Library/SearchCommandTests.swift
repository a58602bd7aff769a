import Bus
import Messages
import Model
import Synchronization
import System
import TestSupport
import Testing

@testable import lunara

/// The output of searches, and the messages of lists and searches that find nothing.
@Suite(.timeLimit(.minutes(1)))
struct SearchCommandTests {
  private static let note = Library.Note(
    note: 4,
    on: .init(kind: .album, id: PlayableID(source: "files", native: "a1"), title: "Blue", artist: "Ada"),
    text: "Rain.", at: Sample.moment)

  /// A library in which only `rain` is found: an album and a note.
  private func household() async throws -> (CommandFixture, Node) {
    let fixture = try CommandFixture()
    let node = try await fixture.add("library@main")
    await node.serve(Library.Search.self) { request, _ in
      guard request.words == "rain" else { return .init(artists: [], albums: [], tracks: [], notes: []) }
      return .init(
        artists: [], albums: [Sample.album("a1", "Rain Songs")], tracks: [],
        notes: request.inNotes == true ? [Self.note] : nil)
    }
    await node.serve(Library.ListAlbums.self) { _, _ in Library.Page(items: [], next: nil) }
    await node.serve(Library.ListNotes.self) { _, _ in .init(items: []) }
    await node.serve(Library.ListPlays.self) { _, _ in Library.Page(items: [], next: nil) }
    await node.serve(Library.ListProblems.self) { _, _ in .init(items: [], counts: []) }
    await node.serve(Library.ListTodos.self) { _, _ in .init(items: []) }
    return (fixture, node)
  }

  @Test func notesAreFoundWithoutAnOptionAndComeLast() async throws {
    let (fixture, _) = try await household()
    let found = await fixture.run("search", "rain").1.output
    #expect(found.hasPrefix("files:a1\tRain Songs") && found.hasSuffix("  Rain.\n"))
    let notes = await fixture.run("search", "rain", "--notes").1.output
    #expect(!notes.contains("Rain Songs") && notes.hasSuffix("  Rain.\n"))
    #expect(await fixture.run("search", "rain", "--notes", "--everywhere").0 == .wrongUsage)
    #expect(await fixture.run("search", "snow").1.errors == "Nothing found for “snow”.\n")
    #expect(await fixture.run("search", "snow", "--notes").1.errors == "No note has “snow”.\n")
    await fixture.close()
  }

  @Test func nothingIsReportedMissingBeforePluginsHaveAnswered() async throws {
    let (fixture, _) = try await household()
    let resolver = try await fixture.add("resolver@main")
    let found = Mutex([DescribedTrack(title: "Snow", artist: "Ada")])
    await resolver.serve(Resolver.ListPlugins.self) { _, _ in
      Resolver.PluginList(plugins: [
        Resolver.Plugin(
          id: "archive", name: "Archive", version: "1", digest: String(repeating: "0", count: 64),
          functions: ["search"], isEnabled: true)
      ])
    }
    await resolver.serve(Resolver.Search.self) { _, _ in
      Resolver.SearchHits(plugin: .init(id: "archive", name: "Archive"), tracks: found.withLock { $0 })
    }
    let hits = await fixture.run("search", "snow", "--everywhere").1
    #expect(hits.output.contains("Snow\tAda") && !hits.errors.contains("Nothing"))
    found.withLock { $0 = [] }
    #expect(await fixture.run("search", "snow", "--everywhere").1.errors.hasSuffix("Nothing found for “snow”.\n"))
    await fixture.close()
  }

  @Test func anEmptyListNamesItsFilter() async throws {
    let (fixture, _) = try await household()
    let remarks = [
      ["albums", "--tag", "mood:wistful", "--without", "jazz"]: "No albums for --tag mood:wistful --without jazz.",
      ["albums", "--after", "x"]: "There are no more albums.",
      ["notes", "thunder"]: "No note has “thunder”.", ["notes", "files:a1"]: "There are no notes about files:a1.",
      ["plays", "files:a1", "--since", "2h"]: "Nothing was heard for “files:a1” --since 2h.",
      ["plays"]: "Nothing was heard yet.", ["todos", "--state", "done"]: "No todo is done.",
      ["problems", "--kind", "cue", "--folder", "/m"]: "There are no problems of the kind cue in /m.",
    ]
    for (words, remark) in remarks {
      let printed = await fixture.run(words).1
      #expect(printed.output.isEmpty && printed.errors == remark + "\n", "\(words)")
    }
    await fixture.close()
  }

  @Test func anIDOfAnotherKindLeadsToTheCommandThatShowsIt() async throws {
    let fixture = try CommandFixture()
    try await fixture.shelves()
    let mistakes = [
      ["album", "files:t1"]: "files:t1 is a track: `lunara track files:t1` shows it.",
      ["artist", "files:a1"]: "files:a1 is an album: `lunara album files:a1` shows it.",
      ["track", "plex:p2"]: "plex:p2 is a playlist: `lunara playlist plex:p2` shows it.",
      ["collection", "files:r3"]: "files:r3 is an artist: `lunara artist files:r3` shows it.",
      ["playlist", "library:theme:3"]: "library:theme:3 is a theme: `lunara themes show 3` shows it.",
      ["work", "plex:c2"]: "plex:c2 is a collection: `lunara collection plex:c2` shows it.",
      ["album", "library:folder:/m/Jazz"]: "`lunara folders /m/Jazz` shows it.",
    ]
    for (words, message) in mistakes {
      let (status, printed) = await fixture.run(words)
      #expect(status == .failed && printed.errors.contains(message), "\(words)")
    }
    await fixture.close()
  }
}
