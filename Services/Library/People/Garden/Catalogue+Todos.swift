import Catalogue
import Messages
import Model
import Records
import Storage

extension Library.Todo: SizedItem {
  var size: Int {
    400 + PageBudget.size([text, evidence ?? "", on.title, on.artist, on.id.description, problem?.message ?? ""])
  }
}

extension Library.SuggestedTodo: SizedItem {
  var size: Int { 120 + PageBudget.size([evidence, on.title, on.artist, on.id.description]) }
}

/// Reading todos and suggestions of them.
extension Catalogue {
  /// The most albums that are looked at for one page of suggestions.
  private static let mostAlbums = 1000

  static func unknownTodo(_ todo: Int64) -> LunaraError {
    LunaraError("library.unknownTodo", "There is no todo \(todo). `lunara todos` lists them.")
  }

  private static let todoColumns = """
    d.id, d.about, d.text, d.added_at, d.state, d.evidence, d.done_at, d.is_noticed, d.delivery, d.problem,
    \(GardenSubjects.columns)
    """
  private static let todos = "FROM garden_todos d JOIN subjects s ON s.id = d.subject"

  private static func todo(_ row: borrowing Row) throws -> Library.Todo {
    let problem: String? = try row.value(9)
    let delivery: String? =
      switch try row.value(8) as TodoStore.Delivery {
      case .none: nil
      case .waiting: "waiting"
      case .sent: "sent"
      case .failed: "failed"
      }
    return Library.Todo(
      todo: try row.value(0), on: try GardenSubjects.read(row, from: 10),
      about: Library.TodoKind(rawValue: try row.value(1)) ?? .unknown, text: try row.value(2), at: try row.value(3),
      state: Library.TodoState(rawValue: try row.value(4)) ?? .unknown, evidence: try row.value(5),
      doneAt: try row.value(6), isNoticed: try row.value(7) ? true : nil, delivery: delivery,
      problem: try problem.map { try MessageCoding.decode(LunaraError.self, from: $0.utf8) })
  }

  /// Returns a todo. Throws `library.unknownTodo`.
  static func todo(_ number: Int64, _ transaction: ReadTransaction) throws -> Library.Todo {
    guard let found = try transaction.row("SELECT \(todoColumns) \(todos) WHERE d.id = ?", number, as: todo) else {
      throw unknownTodo(number)
    }
    return found
  }

  /// Returns a page of todos, the latest first. Throws `library.badCursor`, `library.unknownID`.
  static func todos(_ request: Library.ListTodos, _ transaction: ReadTransaction) throws -> Library.TodoPage {
    var source = "\(todos) WHERE d.state = ?"
    var values: [(any SQLBindable)?] = [(request.state ?? .open).rawValue]
    if let id = request.id {
      let condition = try GardenSubjects.condition(id, transaction)
      source += " AND \(condition.sql)"
      values += condition.values
    }
    let page = try transaction.page(
      ListOrder("todos", .number("d.added_at"), .number("d.id"), isDescending: true), after: request.after,
      PageBudget(items: limit(request.limit)), todoColumns, source, values, as: todo)
    return Library.TodoPage(items: page.items, next: page.next)
  }

  /// Returns a page of suggestions, in the order of the albums' numbers. Those that a person accepted or dismissed are
  /// left out.
  ///
  /// - Throws: `library.badCursor`.
  static func suggestedTodos(
    _ request: Library.ListSuggestedTodos, _ transaction: ReadTransaction
  ) throws -> Library.SuggestedTodos {
    let start = try Cursor(request.after, of: "suggested", count: 1)?.number(0) ?? 0
    let limit = limit(request.limit)
    let albums = try transaction.rows(
      """
      SELECT id, source || ':a' || id, title, artist FROM albums WHERE shelf = id AND id > ? ORDER BY id
      LIMIT \(mostAlbums)
      """, start
    ) { row in
      (
        number: try row.value(0) as Int64,
        on: Library.GardenSubject(
          kind: .album, id: try row.value(1), title: try row.value(2), artist: try row.value(3))
      )
    }
    let signs = TodoSigns(transaction: transaction)
    var budget = PageBudget(items: .max)
    var items: [Library.SuggestedTodo] = []
    var last = start
    for album in albums {
      let decided = Set<String>(
        try transaction.values(
          """
          SELECT d.about FROM subjects s JOIN garden_todos d ON d.subject = s.id
          WHERE s.kind = \(CatalogueID.Kind.album.sql) AND s.shown = ? AND d.state <> 'done'
          """, album.number))
      let found = try signs.evidence(of: album.number).filter { !decided.contains($0.about.rawValue) }.map {
        Library.SuggestedTodo(on: album.on, about: $0.about, evidence: $0.evidence)
      }
      // All suggestions of an album are on one page.
      guard found.allSatisfy({ budget.admits($0.size) }) else { break }
      items += found
      last = album.number
      if items.count >= limit { break }
    }
    let hasMore: Int? = try transaction.value("SELECT 1 FROM albums WHERE shelf = id AND id > ? LIMIT 1", last)
    return Library.SuggestedTodos(items: items, next: hasMore == nil ? nil : Cursor("suggested", [last]).text)
  }
}
