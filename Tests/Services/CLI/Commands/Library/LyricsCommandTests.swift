import Bus
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara

@Suite(.timeLimit(.minutes(2)))
struct LyricsCommandTests {
  private func fixture() async throws -> CommandFixture {
    let fixture = try CommandFixture()
    let node = try await fixture.add("library@main")
    await node.serve(Library.ReadLyrics.self) { request, _ in
      fixture.record("\(request.id)")
      return Library.Lyrics(
        source: .tags, lines: [.init(start: Milliseconds(61_250), text: "La"), .init(text: "la")], language: "eng")
    }
    return fixture
  }

  @Test func linesAreShownWithTheirTimes() async throws {
    let fixture = try await fixture()
    #expect(await fixture.run("lyrics", "files:t14").1.output == "01:01.25  La\nla\n")
    let json = await fixture.run("lyrics", "files:t14", "--json").1.output
    #expect(
      json
        == #"{"source":"tags","lines":[{"startSeconds":61.25,"text":"La"},{"startSeconds":null,"text":"la"}],"#
        + #""language":"eng"}"#
        + "\n")
    #expect(fixture.asked.withLock { $0 } == ["files:t14", "files:t14"])
    await fixture.close()
  }

  @Test func withoutATrackThoseOfTheCurrentOneAreShown() async throws {
    let fixture = try await fixture()
    try await fixture.room("den")
    let current = Sample.item("e0", "One").track.id
    #expect(await fixture.run("lyrics").0 == .done)
    #expect(fixture.asked.withLock { $0 } == ["\(current)"])
    await fixture.close()
  }
}
