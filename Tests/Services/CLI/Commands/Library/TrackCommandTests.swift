import Bus
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara

@Suite(.timeLimit(.minutes(2)))
struct TrackCommandTests {
  private func fixture() async throws -> CommandFixture {
    let fixture = try CommandFixture()
    let node = try await fixture.add("library@main")
    await node.serve(Library.ReadTrackTags.self) { request, _ in
      fixture.record("\(request.id)")
      return Library.TrackTags(
        id: request.id, path: LocalPath("/m/a.mp3"),
        tags: [
          .init(kind: "ID3v2.4", name: "TIT2", value: "One\u{1B}[31m"),
          .init(kind: "ID3v2.4", name: "APIC", value: "image/png", length: 70),
          .init(kind: "ID3v2.4", name: "PRIV:me", value: "", length: 1),
          .init(kind: "APE", name: "Comment", value: String(repeating: "x", count: 4096), length: 9000),
        ], omitted: 2)
    }
    return fixture
  }

  @Test func allTagsAreShownByTheirKinds() async throws {
    let fixture = try await fixture()
    let lines = await fixture.run("track", "files:t14", "--tags").1.output.split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(3) == ["/m/a.mp3", "", "ID3v2.4"])
    #expect(lines[3].hasPrefix("  TIT2: One") && !lines[3].contains("\u{1B}"))
    #expect(lines[4...7] == ["  APIC: image/png (70 bytes)", "  PRIV:me: 1 byte", "", "APE"])
    #expect(lines[8].hasPrefix("  Comment: xxx") && lines[8].hasSuffix("x … (cut, of 9000 bytes)"))
    #expect(fixture.asked.withLock { $0 } == ["files:t14"])
    await fixture.close()
  }

  @Test func programsGetTheTagsInOrder() async throws {
    let fixture = try await fixture()
    let json = await fixture.run("track", "files:t14", "--tags", "--json").1.output
    #expect(json.hasPrefix(#"{"id":"files:t14","path":"/m/a.mp3","tags":[{"kind":"ID3v2.4","name":"TIT2","value":"#))
    #expect(json.contains(#"{"kind":"ID3v2.4","name":"APIC","value":"image/png","length":70}"#))
    #expect(json.hasSuffix("],\"omitted\":2}\n"))
    await fixture.close()
  }

  @Test func guessesAreShown() async throws {
    let fixture = try CommandFixture()
    let node = try await fixture.add("library@main")
    let track = Sample.item("e0", "One").track
    await node.serve(Library.ReadTrack.self) { _, _ in
      Library.TrackDetail(track: track, copies: [], guessed: [.title, .number])
    }
    await node.serve(Library.ReadAlbum.self) { _, _ in
      Library.AlbumPage(
        album: Sample.album("a1", "Blue"), tracks: [track], guesses: [.init(track: track.id, fields: [.artist, .year])])
    }
    #expect(await fixture.run("track", "\(track.id)").1.output.contains("guessed from names: title, number\n"))
    #expect(
      await fixture.run("track", "\(track.id)", "--json").1.output.contains(#""guessed":["title","number"]"#))
    #expect(
      await fixture.run("album", "files:a1").1.output.contains("guessed from names: artist (1 track), year (1 track)\n")
    )
    #expect(await fixture.run("album", "files:a1", "--json").1.output.contains(#""guessed":["artist","year"]}"#))
    await fixture.close()
  }
}
