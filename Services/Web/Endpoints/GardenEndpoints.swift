import Bus
import Client
import HTTP
import Messages
import Model

/// Notes, marks for deletion and todos.
extension Endpoint {
  static let garden: [Endpoint] = notes + marks + todos + gardenFiles

  private static let notes: [Endpoint] = [
    Endpoint("GET", "/api/v1/notes", "listNotes", of: .library) { call in
      Library.ListNotes(
        id: try call.parameters.playable("on"), words: call.parameters.text("words"), after: call.after,
        limit: try call.limit())
    },
    Endpoint("POST", "/api/v1/notes", "writeNote", of: .library) { try $0.body(Library.WriteNote.self) },
    Endpoint("GET", "/api/v1/notes/due", "listDueNotes", of: .library) { call in
      Library.ListDueNotes(
        album: try call.parameters.playable("album").map { AlbumID(source: $0.source, native: $0.native) },
        limit: try call.limit(5, upTo: 50))
    },
    Endpoint("POST", "/api/v1/notes/shown", "keepNotesShown", of: .library) {
      try $0.body(Library.KeepNotesShown.self)
    },
    Endpoint("GET", "/api/v1/notes/{note}", "readNote", of: .library) { call in
      Library.ReadNote(note: try call.number("note"))
    },
    Endpoint("PUT", "/api/v1/notes/{note}", "editNote", of: .library) {
      try $0.body(Library.EditNote.self, fixed: ["note": try $0.number("note")])
    },
    Endpoint("DELETE", "/api/v1/notes/{note}", "deleteNote", of: .library) { call in
      Library.DeleteNote(note: try call.number("note"))
    },
    Endpoint("POST", "/api/v1/notes/{note}/restore", "restoreNote", of: .library) { call in
      Library.DeleteNote(note: try call.number("note"), isTakenBack: true)
    },
  ]

  private static let marks: [Endpoint] = [
    Endpoint("GET", "/api/v1/marks", "listMarks", of: .library) { call in
      Library.ListMarks(
        state: try call.parameters.name("state", Library.MarkState.self), after: call.after, limit: try call.limit())
    },
    Endpoint("POST", "/api/v1/marks", "markForDeletion", of: .library) { try $0.body(Library.MarkForDeletion.self) },
    Endpoint("GET", "/api/v1/marks/export", "exportMarks", of: .library) { call in
      Library.ExportMarks(
        form: try call.parameters.name("form", Library.ExportMarks.Form.self) ?? .paths, after: call.after)
    },
    Endpoint("PUT", "/api/v1/marks/{mark}", "decideMark", of: .library) {
      try $0.body(Library.DecideMark.self, fixed: ["mark": try $0.number("mark")])
    },
  ]

  private static let todos: [Endpoint] = [
    Endpoint("GET", "/api/v1/todos", "listTodos", of: .library) { call in
      Library.ListTodos(
        state: try call.parameters.name("state", Library.TodoState.self), id: try call.parameters.playable("on"),
        after: call.after, limit: try call.limit())
    },
    Endpoint("POST", "/api/v1/todos", "addTodo", of: .library) {
      try $0.body(Library.AddTodo.self, usual: ["about": Library.TodoKind.other, "text": ""])
    },
    Endpoint("GET", "/api/v1/todos/suggested", "listSuggestedTodos", of: .library) { call in
      Library.ListSuggestedTodos(after: call.after, limit: try call.limit())
    },
    Endpoint("PUT", "/api/v1/todos/suggested/{id}", "decideSuggestion", of: .library) {
      try $0.body(Library.DecideSuggestion.self, fixed: ["id": try $0.id() as AlbumID])
    },
    Endpoint("GET", "/api/v1/todos/webhook", "readTodoWebhook", of: .library) { _ in Library.ReadTodoWebhook() },
    Endpoint("PUT", "/api/v1/todos/webhook", "setTodoWebhook", of: .library) {
      try $0.body(Library.SetTodoWebhook.self, nullable: "address")
    },
    Endpoint("POST", "/api/v1/todos/webhook/retry", "retryTodos", of: .library) { _ in Library.RetryTodos() },
    Endpoint("PUT", "/api/v1/todos/{todo}", "setTodo", of: .library) {
      try $0.body(Library.SetTodo.self, fixed: ["todo": try $0.number("todo")])
    },
  ]

  private static let gardenFiles: [Endpoint] = [
    Endpoint("GET", "/api/v1/garden", "exportGarden", of: .library) { call in
      Library.ExportGarden(after: call.after)
    },
    Endpoint("POST", "/api/v1/garden", "importGarden", of: .library) {
      try $0.body(Library.ImportGarden.self, refusesUnknownNames: false)
    },
  ]
}

extension Call {
  /// Returns a number in the path. Throws `web.badID`.
  fileprivate func number(_ name: String) throws(LunaraError) -> Int64 {
    guard let number = Int64(text(name)), number > 0 else {
      throw LunaraError("web.badID", "\(text(name)) is not the number of a \(name).")
    }
    return number
  }
}

extension QueryParameters {
  /// Returns the id of a parameter; nil if it is missing. Throws `web.badParameter`.
  fileprivate func playable(_ name: String) throws -> PlayableID? {
    guard let text = text(name) else { return nil }
    guard let id = PlayableID(text) else {
      throw LunaraError("web.badParameter", "\(name) is \(text). It must be an id, such as files:a12.")
    }
    return id
  }

  /// Returns the known name of a parameter; nil if it is missing. Throws `web.badParameter`.
  fileprivate func name<Name: TolerantName>(_ name: String, _ type: Name.Type) throws -> Name? {
    guard let text = text(name) else { return nil }
    guard let value = Name(word: text) else {
      let words = Name.allCases.filter { $0 != .unknown }.map(\.rawValue).joined(separator: ", ")
      throw LunaraError("web.badParameter", "\(name) is \(text). It must be one of \(words).")
    }
    return value
  }
}
