import Bus
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara

/// The commands of notes, marks and todos, with a library that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct GardenCommandTests {
  private final class Asked: Sendable {
    let all = Mutex<[String]>([])
    var last: String { all.withLock { $0.last ?? "" } }
  }

  private static let on = Library.GardenSubject(
    kind: .album, id: PlayableID(source: "files", native: "a1"), title: "Blue\u{1B}[31m", artist: "Ada")
  private static let note = Library.Note(
    note: 4, on: on, text: "Rain.\n\u{1B}]0;x\u{7}Snow.", at: Timestamp(seconds: 1_800_000_000))

  private func household() async throws -> (CommandFixture, Asked) {
    let (fixture, asked) = (try CommandFixture(), Asked())
    let node = try await fixture.library()
    func serve<R: Request>(_ type: R.Type, _ answer: R.Answer) async {
      await node.serve(type) { request, _ in
        let text = String(decoding: try MessageCoding.encode(request), as: UTF8.self)
        asked.all.withLock { $0.append(text) }
        return answer
      }
    }
    let mark = Library.Mark(
      mark: 5, on: Self.on, text: "Twice.", at: Timestamp(seconds: 0), state: .marked, tracks: 2, bytes: 5 << 20,
      plays: 1, quality: "mp3, lossy",
      duplicates: [
        .init(id: AlbumID(source: "files", native: "a2"), title: "Blue", formats: ["flac"], isLossless: true)
      ])
    let todo = Library.Todo(todo: 6, on: Self.on, about: .year, text: "1970", at: Timestamp(seconds: 0))
    let record = Library.GardenRecord(
      form: .note, uid: "u1", on: Self.on, text: "Rain.\n```\nSnow.", at: Timestamp(seconds: 0))
    await serve(Library.WriteNote.self, Self.note)
    await serve(Library.ListNotes.self, .init(items: [Self.note]))
    await serve(Library.Search.self, .init(artists: [], albums: [], tracks: [], notes: [Self.note]))
    await serve(Library.ReadNote.self, .init(note: Self.note, texts: []))
    await serve(Library.EditNote.self, Self.note)
    await serve(Library.DeleteNote.self, Done())
    await serve(Library.ListDueNotes.self, .init(items: [.init(note: Self.note, reason: "A year ago.", years: 1)]))
    await serve(Library.KeepNotesShown.self, Done())
    await serve(Library.MarkForDeletion.self, mark)
    await serve(Library.ListMarks.self, .init(items: [mark]))
    await serve(Library.DecideMark.self, mark)
    await serve(Library.ExportMarks.self, .init(text: "/m/1\n", items: 1, leftOut: 1))
    await serve(Library.AddTodo.self, todo)
    await serve(Library.ListTodos.self, .init(items: [todo]))
    await serve(Library.SetTodo.self, todo)
    await serve(
      Library.ListSuggestedTodos.self,
      .init(items: [.init(on: Self.on, about: .cover, evidence: "It has no cover.")]))
    await serve(Library.DecideSuggestion.self, todo)
    await serve(Library.ReadTodoWebhook.self, .init())
    await serve(Library.SetTodoWebhook.self, .init())
    await serve(Library.RetryTodos.self, Done())
    let liked = Library.GardenRecord(
      form: .opinion, uid: "u2", on: Self.on, year: 1971, text: "", at: Timestamp(seconds: 0), state: "like")
    let theme = Library.ThemeRecord(
      title: "Boat\u{1B}[31m", text: "1994.\n```json\n{}",
      look: .init(first: "#1f5f8b", second: "#e8f0f2", texture: .wood),
      albums: [.init(title: "Blue", artist: "Ada", year: 1971), .init(title: "Gone", artist: "Ada")])
    await serve(Library.ExportGarden.self, .init(items: [record, liked], themes: [theme]))
    await serve(Library.ImportGarden.self, .init(added: 1))
    return (fixture, asked)
  }

  @Test func notesAreWrittenAndListedSafely() async throws {
    let (fixture, asked) = try await household()
    let (status, printed) = await fixture.run("note", "files:a1", "--session", "With", "Ada.")
    #expect(status == .done && printed.output.contains("Rain.") && !printed.output.contains("\u{1B}]"))
    #expect(asked.last == #"{"id":"files:a1","isOfSession":true,"text":"With Ada."}"#)
    let (_, json) = await fixture.run("notes", "files:a1", "--json")
    #expect(json.output.hasPrefix(#"[{"at":"#) && json.output.contains(#""note":4"#))
    #expect(asked.last == #"{"id":"files:a1","limit":200}"#)
    // A search that finds nothing but notes shows them.
    let (_, found) = await fixture.run("search", "rain", "--notes")
    #expect(found.output.contains("Rain.") && !found.output.contains("\u{1B}]") && found.errors.isEmpty)
    _ = await fixture.run("notes", "rain", "snow", "--limit", "3")
    #expect(asked.last == #"{"limit":3,"words":"rain snow"}"#)
    _ = await fixture.run("notes", "edit", "4", "Sun.")
    #expect(asked.last == #"{"note":4,"text":"Sun.","version":1}"#)
    _ = await fixture.run("notes", "delete", "4", "--undo")
    #expect(asked.last == #"{"isTakenBack":true,"note":4}"#)
    let (_, due) = await fixture.run("notes", "due")
    #expect(due.output.contains("A year ago.") && asked.last == #"{"notes":[4]}"#)
    #expect(await fixture.run("notes", "show", "x").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func marksAreDecidedAndWrittenOut() async throws {
    let (fixture, asked) = try await household()
    let (_, printed) = await fixture.run("mark", "files:a1", "Twice.")
    #expect(printed.output.contains("5 MiB") && asked.last == #"{"id":"files:a1","reason":"Twice."}"#)
    let (_, list) = await fixture.run("marks", "--json")
    #expect(list.output.hasPrefix("[{") && list.output.contains(#""mark":5"#))
    _ = await fixture.run("marks", "confirm", "5")
    #expect(asked.last == #"{"mark":5,"state":"confirmed"}"#)
    let (_, script) = await fixture.run("marks", "export", "--form", "script")
    #expect(script.output == "/m/1\n" && asked.last == #"{"form":"script"}"#)
    #expect(await fixture.run("marks", "export", "--form", "x").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func todosAreAddedDecidedAndSuggested() async throws {
    let (fixture, asked) = try await household()
    _ = await fixture.run("todo", "files:a1", "--kind", "year", "1970")
    #expect(asked.last == #"{"about":"year","id":"files:a1","text":"1970"}"#)
    let (_, list) = await fixture.run("todos", "--json")
    #expect(list.output.contains(#""todo":6"#))
    _ = await fixture.run("todos", "done", "6")
    #expect(asked.last == #"{"state":"done","todo":6}"#)
    let (_, suggested) = await fixture.run("todos", "suggested")
    #expect(suggested.output.contains("It has no cover."))
    _ = await fixture.run("todos", "dismiss", "files:a1", "cover")
    #expect(asked.last == #"{"about":"cover","id":"files:a1","isAccepted":false}"#)
    _ = await fixture.run("todos", "webhook", "https://a.example/", "--no-token")
    #expect(asked.last == #"{"address":"https://a.example/","token":""}"#)
    _ = await fixture.run("todos", "webhook", "none")
    #expect(asked.last == "{}")
    await fixture.close()
  }

  @Test(arguments: ["garden.md", "garden.json"]) func aFileIsReadAsItWasWritten(name: String) async throws {
    let (fixture, asked) = try await household()
    let folder = TemporaryDirectory()
    #expect(await fixture.run("garden", "export", "\(folder.path)/\(name)").0 == .done)
    let again = await fixture.run("garden", "export", "\(folder.path)/\(name)")
    #expect(again.0 == .failed && again.1.errors.contains("is there already"))
    #expect(await fixture.run("garden", "export", "\(folder.path)/\(name)", "--force").0 == .done)
    let (status, printed) = await fixture.run("garden", "import", "\(folder.path)/\(name)")
    #expect(status == .done && printed.output.hasPrefix("1 added"))
    #expect(asked.last.contains(#""text":"Rain.\n```\nSnow.""#) && asked.last.contains(#""uid":"u1""#))
    #expect(asked.last.contains(#""form":"opinion""#) && asked.last.contains(#""state":"like""#))
    #expect(asked.last.contains(#""title":"Gone""#) && asked.last.contains(#""texture":"wood""#))
    await fixture.close()
  }

  @Test func aFileForPeopleHasLikesAndThemesInWords() async throws {
    let (fixture, _) = try await household()
    let (status, printed) = await fixture.run("garden", "export", "-")
    #expect(status == .done && printed.output.contains("\n*Liked, ") && !printed.output.contains("\u{1B}"))
    #expect(printed.output.contains("\n## Themes\n\n### Boat"))
    #expect(printed.output.contains("\n- Ada – Blue (1971)\n- Ada – Gone\n"))
    await fixture.close()
  }

  @Test func aLargeFileIsAddedInParts() throws {
    let text = String(repeating: "x", count: 60_000)
    var file = GardenFile()
    file.items = (0..<5).map {
      .init(form: .note, uid: "u\($0)", on: Self.on, text: text, at: Timestamp(seconds: 0))
    }
    let look = Library.ThemeLook(first: "#1f5f8b", second: "#e8f0f2", texture: .wood)
    file.themes = (0..<3).map { .init(title: "Theme \($0)", text: text, look: look) }
    let parts = try file.parts()
    #expect(parts.map(\.items.count) == [2, 2, 1, 0])
    #expect(parts.map { $0.themes?.count ?? 0 } == [0, 0, 1, 2])
    #expect(parts.allSatisfy { (try? MessageCoding.encode($0).count) ?? .max < 200_000 })
    #expect(try GardenFile().parts().isEmpty)
    // A file of a version that had no themes.
    #expect(try GardenFile(#"{"garden":1,"items":[]}"#, "x").count == 0)
    for bad in ["", "{}", #"{"garden":2,"items":[]}"#, "# Garden\n\n```json\n{\n```\n"] {
      #expect(throws: LunaraError.self) { try GardenFile(bad, "x") }
    }
  }
}
