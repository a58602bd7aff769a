package import Bus
import Catalogue
import HTTP
import Messages
package import Model
import ServiceKit
package import Storage

/// Answers the requests about notes, marks for deletion and todos.
package struct GardenRequestHandler: Sendable {
  let database: Database
  package let journal: Journal?
  package let now: @Sendable () -> Timestamp
  let webhook: TodoWebhookSettings
  package let sender: TodoSender

  package init(
    database: Database, journal: Journal?, now: @escaping @Sendable () -> Timestamp, webhook: TodoWebhookSettings,
    sender: TodoSender
  ) {
    self.database = database
    self.journal = journal
    self.now = now
    self.webhook = webhook
    self.sender = sender
  }

  package func start(on node: Node) async {
    await startNotes(on: node)
    await startMarks(on: node)
    await startTodos(on: node)
    await read(Library.ExportGarden.self, on: node) { request, _, transaction in
      try Catalogue.exportGarden(request, transaction)
    }
    await write(Library.ImportGarden.self, on: node) { request, change in
      try GardenImport(transaction: change.transaction, now: change.now, journal: change.journal).add(
        request.items, themes: request.themes ?? [])
    }
    await sender.start()
  }

  private func startNotes(on node: Node) async {
    await read(Library.ListNotes.self, on: node) { request, _, transaction in
      try Catalogue.notes(request, transaction)
    }
    await read(Library.ReadNote.self, on: node) { request, _, transaction in
      try Catalogue.note(request, transaction)
    }
    await read(Library.ListDueNotes.self, on: node) { request, now, transaction in
      try Catalogue.dueNotes(request, now: now, transaction)
    }
    await write(Library.WriteNote.self, on: node) { request, change in try change.notes.write(request) }
    await write(Library.DeleteNote.self, on: node) { request, change in
      try change.notes.delete(request)
      return Done()
    }
    await write(Library.KeepNotesShown.self, on: node) { request, change in
      try change.notes.keepShown(request.notes, lastOf: request.albums ?? [])
      return Done()
    }
    await node.serve(Library.EditNote.self) { [self] request, _ in
      try await changed { try $0.notes.edit(request) }.get()
    }
  }

  private func startMarks(on node: Node) async {
    await read(Library.ListMarks.self, on: node) { request, _, transaction in
      try Catalogue.marks(request, transaction)
    }
    await read(Library.ExportMarks.self, on: node) { request, _, transaction in
      try MarkExport.part(request, transaction)
    }
    await write(Library.MarkForDeletion.self, on: node) { request, change in try change.marks.mark(request) }
    await write(Library.DecideMark.self, on: node) { request, change in try change.marks.decide(request) }
  }

  private func startTodos(on node: Node) async {
    await read(Library.ListTodos.self, on: node) { request, _, transaction in
      try Catalogue.todos(request, transaction)
    }
    await read(Library.ListSuggestedTodos.self, on: node) { request, _, transaction in
      try Catalogue.suggestedTodos(request, transaction)
    }
    await node.serve(Library.AddTodo.self) { [self] request, _ in
      let todo = try await changed { try $0.todos.add(request) }
      await sender.wake()
      return todo
    }
    await node.serve(Library.DecideSuggestion.self) { [self] request, _ in
      let todo = try await changed { try $0.todos.decide(request) }
      await sender.wake()
      return todo
    }
    await write(Library.SetTodo.self, on: node) { request, change in try change.todos.set(request) }
    await node.serve(Library.ReadTodoWebhook.self) { [webhook, database] _, _ in try await webhook.read(database) }
    await node.serve(Library.SetTodoWebhook.self) { [self] request, _ in
      try await webhook.set(request, database)
      await sender.wake()
      return try await webhook.read(database)
    }
    await node.serve(Library.RetryTodos.self) { [self] _, _ in
      try await database.write(.power) { transaction in
        try transaction.execute(
          "UPDATE garden_todos SET delivery = 1 WHERE delivery = 3 AND EXISTS (SELECT 1 FROM garden_webhook)")
      }
      await sender.wake()
      return Done()
    }
  }

  /// A change in one transaction.
  struct Change {
    let now: Timestamp
    let journal: Journal?
    let transaction: Transaction

    var notes: NoteStore { NoteStore(now: now, journal: journal, transaction: transaction) }
    var marks: MarkStore { MarkStore(now: now, journal: journal, transaction: transaction) }
    var todos: TodoStore { TodoStore(now: now, journal: journal, transaction: transaction) }
  }

  /// Runs a change. What people write cannot be read again from anywhere, so it is synced to disk.
  func changed<T: Sendable>(_ body: @escaping @Sendable (Change) throws -> T) async throws -> T {
    let (now, journal) = (now(), journal)
    return try await database.write(.power) { transaction in
      try body(Change(now: now, journal: journal, transaction: transaction))
    }
  }

  private func write<R: CommandRequest>(
    _ type: R.Type, on node: Node, _ body: @escaping @Sendable (R, Change) throws -> R.Answer
  ) async {
    await node.serve(type) { [self] request, _ in try await changed { try body(request, $0) } }
  }

  private func read<R: ReadRequest>(
    _ type: R.Type, on node: Node, _ query: @escaping @Sendable (R, Timestamp, ReadTransaction) throws -> R.Answer
  ) async {
    await node.serve(type) { [database, now] request, _ in
      let time = now()
      return try await database.read { try query(request, time, $0) }
    }
  }
}
