import Bus
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara

/// The commands of themes, with a library that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct ThemeCommandTests {
  private static let theme = Library.Theme(
    id: 3, title: "Boat", text: "The summer.", look: .init(first: "#1f5f8b", second: "#e8f0f2", texture: .paper),
    albumCount: 1, revision: 4)

  private func household(_ saved: Saved) async throws -> CommandFixture {
    let fixture = try CommandFixture()
    let node = try await fixture.library()
    await node.serve(Library.ListThemes.self) { _, _ in Library.ThemeList(items: saved.themes.withLock { $0 }) }
    await node.serve(Library.ReadTheme.self) { request, _ in
      Library.ThemePage(theme: Self.theme, albums: [Sample.album("a1", "Night Lines")], missing: ["Ada – Gone"])
    }
    await node.serve(Library.SaveTheme.self) { request, _ in
      saved.requests.withLock { $0.append(request) }
      return Self.theme
    }
    await node.serve(Library.DeleteTheme.self) { request, _ in
      fixture.record("\(request.isTakenBack == true ? "undo" : "delete") \(request.id)")
      return Done()
    }
    return fixture
  }

  private final class Saved: Sendable {
    let requests = Mutex<[Library.SaveTheme]>([])
    let themes = Mutex([ThemeCommandTests.theme])
    var lastText: String? { requests.withLock { $0.last }.map { Self.text($0) } }

    static func text(_ request: Library.SaveTheme) -> String {
      (try? MessageCoding.encode(request)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  @Test func themesAreListedAndShown() async throws {
    let fixture = try await household(Saved())
    let (_, listed) = await fixture.run("themes")
    #expect(listed.output == "3\tBoat\t1 album\tpicked\t#1f5f8b #e8f0f2 paper\n")
    let (_, json) = await fixture.run("themes", "--json")
    #expect(json.output.hasPrefix(#"[{"id":3,"title":"Boat","text":"The summer.","rules":null,"look":{"first":"#))
    #expect(json.output.contains(#""playable":"library:theme:3""#))
    let (_, shown) = await fixture.run("themes", "show", "boat")
    #expect(shown.output.contains("Night Lines") && shown.output.contains("The summer."))
    #expect(shown.errors.contains("Not here: Ada – Gone"))
    #expect(await fixture.run("themes", "show", "9").1.errors.contains("There is no theme “9”."))
    await fixture.close()
  }

  @Test func aTitleOfSeveralThemesIsRefusedWithTheCandidates() async throws {
    let saved = Saved()
    saved.themes.withLock { themes in
      var other = Self.theme
      (other.id, other.title) = (8, "boat")
      themes.append(other)
    }
    let fixture = try await household(saved)
    let (status, refused) = await fixture.run("themes", "delete", "Boat")
    #expect(
      status != .done
        && refused.errors.contains("“Boat” may mean several themes: 3 (Boat, 1 album); 8 (boat, 1 album)."))
    #expect(fixture.asked.withLock { $0 }.isEmpty)
    #expect(await fixture.run("themes", "delete", "8").0 == .done)
    #expect(fixture.asked.withLock { $0 } == ["delete 8"])
    await fixture.close()
  }

  @Test func aThemeIsMadeChangedAndDeleted() async throws {
    let saved = Saved()
    let fixture = try await household(saved)
    _ = await fixture.run(
      "themes", "new", "Boat", "files:a3", "Night Lines", "--colours", "#1f5f8b, #e8f0f2", "--text", "The summer.")
    #expect(
      saved.lastText
        == Saved.text(
          Library.SaveTheme(
            title: "Boat", text: "The summer.", look: .init(first: "#1f5f8b", second: "#e8f0f2", texture: .linen),
            adding: [AlbumID(source: "files", native: "a3"), AlbumID(source: "files", native: "a4")])))
    _ = await fixture.run("themes", "new", "Jazz", "--rules", "genre is Jazz")
    #expect(
      saved.lastText == Saved.text(Library.SaveTheme(title: "Jazz", rules: #"{"all":[{"is":{"genre":"Jazz"}}]}"#)))
    _ = await fixture.run("themes", "change", "3", "--texture", "wood", "--remove", "files:a3", "--cover", "files:a4")
    #expect(
      saved.lastText
        == Saved.text(
          Library.SaveTheme(
            id: 3, look: .init(first: "#1f5f8b", second: "#e8f0f2", texture: .wood),
            cover: AlbumID(source: "files", native: "a4"), removing: [AlbumID(source: "files", native: "a3")])))
    _ = await fixture.run("themes", "delete", "Boat")
    let (_, back) = await fixture.run("themes", "undo", "3")
    #expect(back.output.hasPrefix("3\tBoat\t"))
    #expect(fixture.asked.withLock { $0 } == ["delete 3", "undo 3"])
    #expect(await fixture.run("themes", "new", "X", "--colours", "#1f5f8b").0 == .wrongUsage)
    #expect(await fixture.run("themes", "new", "X", "--texture", "steel").0 == .wrongUsage)
    await fixture.close()
  }
}
