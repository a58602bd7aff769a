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
    Endpoint("POST", "/api/v1/notes", "writeNote", of: .library) { call in
      struct Body: Decodable {
        var id: PlayableID
        var text: String
        var isOfSession: Bool?
        var room: RoomName?
        var position: Milliseconds?
      }
      let body = try call.body(Body.self)
      return Library.WriteNote(
        id: body.id, text: body.text, isOfSession: body.isOfSession, room: body.room, position: body.position)
    },
    Endpoint("GET", "/api/v1/notes/due", "listDueNotes", of: .library) { call in
      Library.ListDueNotes(
        album: try call.parameters.playable("album").map { AlbumID(source: $0.source, native: $0.native) },
        limit: try call.limit(5, upTo: 50))
    },
    Endpoint("POST", "/api/v1/notes/shown", "keepNotesShown", of: .library) { call in
      struct Body: Decodable { var notes: [Int64] }
      return Library.KeepNotesShown(notes: try call.body(Body.self).notes)
    },
    Endpoint("GET", "/api/v1/notes/{note}", "readNote", of: .library) { call in
      Library.ReadNote(note: try call.number("note"))
    },
    Endpoint("PUT", "/api/v1/notes/{note}", "editNote", of: .library) { call in
      struct Body: Decodable {
        var text: String
        var version: Int
      }
      let body = try call.body(Body.self)
      return Library.EditNote(note: try call.number("note"), text: body.text, version: body.version)
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
    Endpoint("POST", "/api/v1/marks", "markForDeletion", of: .library) { call in
      struct Body: Decodable {
        var id: PlayableID
        var reason: String?
      }
      let body = try call.body(Body.self)
      return Library.MarkForDeletion(id: body.id, reason: body.reason)
    },
    Endpoint("GET", "/api/v1/marks/export", "exportMarks", of: .library) { call in
      Library.ExportMarks(
        form: try call.parameters.name("form", Library.ExportMarks.Form.self) ?? .paths, after: call.after)
    },
    Endpoint("PUT", "/api/v1/marks/{mark}", "decideMark", of: .library) { call in
      struct Body: Decodable { var state: KnownWord<Library.MarkState> }
      return Library.DecideMark(mark: try call.number("mark"), state: try call.body(Body.self).state.value)
    },
  ]

  private static let todos: [Endpoint] = [
    Endpoint("GET", "/api/v1/todos", "listTodos", of: .library) { call in
      Library.ListTodos(
        state: try call.parameters.name("state", Library.TodoState.self), id: try call.parameters.playable("on"),
        after: call.after, limit: try call.limit())
    },
    Endpoint("POST", "/api/v1/todos", "addTodo", of: .library) { call in
      struct Body: Decodable {
        var id: PlayableID
        var about: KnownWord<Library.TodoKind>?
        var text: String?
      }
      let body = try call.body(Body.self)
      return Library.AddTodo(id: body.id, about: body.about?.value ?? .other, text: body.text ?? "")
    },
    Endpoint("GET", "/api/v1/todos/suggested", "listSuggestedTodos", of: .library) { call in
      Library.ListSuggestedTodos(after: call.after, limit: try call.limit())
    },
    Endpoint("PUT", "/api/v1/todos/suggested/{id}", "decideSuggestion", of: .library) { call in
      struct Body: Decodable {
        var about: KnownWord<Library.TodoKind>
        var isAccepted: Bool
      }
      let body = try call.body(Body.self)
      return Library.DecideSuggestion(id: try call.id(), about: body.about.value, isAccepted: body.isAccepted)
    },
    Endpoint("GET", "/api/v1/todos/webhook", "readTodoWebhook", of: .library) { _ in Library.ReadTodoWebhook() },
    Endpoint("PUT", "/api/v1/todos/webhook", "setTodoWebhook", of: .library) { call in
      struct Body: Decodable {
        var address: OptionalField<String>
        var token: String?
      }
      let body = try call.body(Body.self)
      return Library.SetTodoWebhook(
        address: try body.address.required("The body needs an address, or null to send todos nowhere."),
        token: body.token)
    },
    Endpoint("POST", "/api/v1/todos/webhook/retry", "retryTodos", of: .library) { _ in Library.RetryTodos() },
    Endpoint("PUT", "/api/v1/todos/{todo}", "setTodo", of: .library) { call in
      struct Body: Decodable { var state: KnownWord<Library.TodoState> }
      return Library.SetTodo(todo: try call.number("todo"), state: try call.body(Body.self).state.value)
    },
  ]

  private static let gardenFiles: [Endpoint] = [
    Endpoint("GET", "/api/v1/garden", "exportGarden", of: .library) { call in
      Library.ExportGarden(after: call.after)
    },
    Endpoint("POST", "/api/v1/garden", "importGarden", of: .library) { call in
      struct Body: Decodable {
        var items: [Library.GardenRecord]
        var themes: [Library.ThemeRecord]?
      }
      let body = try call.body(Body.self)
      return Library.ImportGarden(items: body.items, themes: body.themes)
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
