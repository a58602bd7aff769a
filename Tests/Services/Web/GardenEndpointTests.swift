import Bus
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_web

/// Notes, marks and todos over HTTP, with a library that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct GardenEndpointTests {
  private static let on = Library.GardenSubject(
    kind: .album, id: PlayableID(source: "files", native: "a1"), title: "Blue", artist: "Ada")
  private static let onText = #"{"artist":"Ada","id":"files:a1","kind":"album","title":"Blue"}"#

  /// Serves a request with an answer, and keeps its text.
  private static func serve<R: Request>(_ type: R.Type, _ answer: R.Answer, on node: Node, _ asked: Asked) async {
    await node.serve(type) { request, _ in
      let text = String(decoding: try MessageCoding.encode(request), as: UTF8.self)
      asked.last.withLock { $0 = text }
      return answer
    }
  }

  private final class Asked: Sendable {
    let last = Mutex("")
    var text: String { last.withLock { $0 } }
  }

  @Test func notesAreWrittenReadEditedAndDeleted() async throws {
    let household = try await ServedHousehold()
    let (node, asked) = (household.library, Asked())
    let note = Library.Note(note: 4, on: Self.on, text: "Rain.", at: Timestamp(seconds: 0))
    await Self.serve(Library.WriteNote.self, note, on: node, asked)
    await Self.serve(Library.EditNote.self, note, on: node, asked)
    await Self.serve(Library.DeleteNote.self, Done(), on: node, asked)
    await Self.serve(Library.KeepNotesShown.self, Done(), on: node, asked)
    await Self.serve(Library.ListNotes.self, .init(items: [note], next: "c"), on: node, asked)
    await Self.serve(Library.ListDueNotes.self, .init(items: []), on: node, asked)
    let text =
      #"{"at":"1970-01-01T00:00:00.000000Z","note":4,"on":"# + Self.onText + #","text":"Rain.","version":1}"#
    let written = try await household.send(
      "POST", "/api/v1/notes", #"{"id":"files:a1","text":"Rain.","position":7000}"#)
    #expect(written.status == 200 && written.text == text)
    #expect(asked.text == #"{"id":"files:a1","position":7000,"text":"Rain."}"#)
    let list = try await household.get("/api/v1/notes?on=files:a1&words=rain&limit=5")
    #expect(list.text == #"{"items":["# + text + #"],"next":"c"}"#)
    #expect(asked.text == #"{"id":"files:a1","limit":5,"words":"rain"}"#)
    _ = try await household.send("PUT", "/api/v1/notes/4", #"{"text":"Snow.","version":1}"#)
    #expect(asked.text == #"{"note":4,"text":"Snow.","version":1}"#)
    _ = try await household.send("POST", "/api/v1/notes/4/restore", "")
    #expect(asked.text == #"{"isTakenBack":true,"note":4}"#)
    _ = try await household.get("/api/v1/notes/due?album=files:a1")
    #expect(asked.text == #"{"album":"files:a1","limit":5}"#)
    _ = try await household.send("POST", "/api/v1/notes/shown", #"{"notes":[4]}"#)
    #expect(asked.text == #"{"notes":[4]}"#)
    #expect(try await household.get("/api/v1/notes/x").errorCode == "web.badID")
    #expect(try await household.get("/api/v1/notes?on=x").errorCode == "web.badParameter")
    await household.stop()
  }

  @Test func marksAndTodosAreDecidedByKnownWordsOnly() async throws {
    let household = try await ServedHousehold()
    let (node, asked) = (household.library, Asked())
    let mark = Library.Mark(mark: 5, on: Self.on, text: "", at: Timestamp(seconds: 0), state: .kept)
    let todo = Library.Todo(todo: 6, on: Self.on, about: .cover, text: "", at: Timestamp(seconds: 0))
    await Self.serve(Library.DecideMark.self, mark, on: node, asked)
    await Self.serve(Library.ExportMarks.self, .init(text: "/m/1\n", items: 1), on: node, asked)
    await Self.serve(Library.AddTodo.self, todo, on: node, asked)
    await Self.serve(Library.DecideSuggestion.self, todo, on: node, asked)
    await Self.serve(Library.SetTodoWebhook.self, .init(address: "https://a.example/"), on: node, asked)
    #expect(try await household.send("PUT", "/api/v1/marks/5", #"{"state":"kept"}"#).status == 200)
    #expect(asked.text == #"{"mark":5,"state":"kept"}"#)
    #expect(try await household.send("PUT", "/api/v1/marks/5", #"{"state":"gone"}"#).errorCode == "web.badBody")
    let export = try await household.get("/api/v1/marks/export?form=script")
    #expect(export.text == #"{"items":1,"leftOut":0,"text":"/m/1\n"}"#)
    #expect(try await household.get("/api/v1/marks/export?form=x").errorCode == "web.badParameter")
    _ = try await household.send("POST", "/api/v1/todos", #"{"id":"files:a1","about":"cover"}"#)
    #expect(asked.text == #"{"about":"cover","id":"files:a1","text":""}"#)
    _ = try await household.send(
      "PUT", "/api/v1/todos/suggested/files:a1", #"{"about":"year","isAccepted":false}"#)
    #expect(asked.text == #"{"about":"year","id":"files:a1","isAccepted":false}"#)
    #expect(try await household.send("PUT", "/api/v1/todos/webhook", "{}").errorCode == "web.badBody")
    _ = try await household.send("PUT", "/api/v1/todos/webhook", #"{"address":null}"#)
    #expect(asked.text == "{}")
    await household.stop()
  }
}
