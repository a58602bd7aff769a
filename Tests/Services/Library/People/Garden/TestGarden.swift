import Messages
import Model
import Storage

@testable import Catalogue
@testable import People

extension TestCatalogue {
  /// Runs a change of the garden, as the service does.
  @discardableResult
  func garden<T: Sendable>(_ body: @escaping @Sendable (GardenRequestHandler.Change) throws -> T) async throws -> T {
    let now = time
    return try await database.write {
      try body(GardenRequestHandler.Change(now: now, journal: nil, transaction: $0))
    }
  }

  func notes(_ request: Library.ListNotes = .init()) async throws -> [Library.Note] {
    try await database.read { try Catalogue.notes(request, $0).items }
  }

  func todos(_ state: Library.TodoState = .open) async throws -> [Library.Todo] {
    try await database.read { try Catalogue.todos(.init(state: state), $0).items }
  }

  func suggestions() async throws -> [Library.SuggestedTodo] {
    try await database.read { try Catalogue.suggestedTodos(.init(), $0).items }
  }
}

/// Returns the code of the error that a task throws; nil where it throws none.
func gardenCode(_ body: () async throws -> some Sendable) async -> String? {
  do {
    _ = try await body()
    return nil
  } catch { return LunaraError(error).code }
}
