import Bus
import Catalogue
import Messages
import Model
import Records
import Storage

/// Writes todos, each change in one transaction with its fact.
struct TodoStore {
  /// The states of the delivery of a todo, as columns have them.
  enum Delivery: Int64, SQLBindable, SQLReadable {
    case none = 0
    case waiting, sent, failed
  }

  let now: Timestamp
  let journal: Journal?
  let transaction: Transaction

  /// Throws `library.unknownID`, `library.badTodo`.
  func add(_ request: Library.AddTodo) throws -> Library.Todo {
    guard request.about != .unknown else { throw Self.badKind }
    let text = GardenText.cleaned(request.text)
    guard text.utf8.count <= 4096, !text.isEmpty || request.about != .other else {
      throw LunaraError("library.badTodo", "A todo needs a text, of at most 4 KiB.")
    }
    let item = try GardenSubjects.item(request.id, transaction)
    let sign = item.kind == .album ? try TodoSigns(transaction: transaction).sign(request.about, of: item.number) : nil
    let todo = try insert(
      uid: UniqueID<Library.Todo>.random().rawValue, try Subjects(transaction).subject(for: item), request.about,
      text, at: now, .open, sign: sign?.sign, evidence: sign?.evidence)
    return try changed(todo)
  }

  private static let badKind = LunaraError(
    "library.badTodo",
    "A todo is about one of \(Library.TodoKind.allCases.filter { $0 != .unknown }.map(\.rawValue).joined(separator: ", "))."
  )

  /// Adds the row of a todo, and returns its number. An open one waits for the webhook, if there is one.
  func insert(
    uid: String, _ subject: Int64, _ about: Library.TodoKind, _ text: String, at time: Timestamp,
    _ state: Library.TodoState, sign: String? = nil, evidence: String? = nil, isSent: Bool = true,
    doneAt: Timestamp? = nil
  ) throws -> Int64 {
    try transaction.execute(
      """
      INSERT INTO garden_todos (uid, subject, about, text, added_at, state, evidence, sign, delivery, done_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
        CASE WHEN ?9 AND ?6 = 'open' THEN (SELECT count(*) FROM garden_webhook) ELSE 0 END, ?10)
      """, uid, subject, about.rawValue, text, time, state.rawValue, evidence, sign, isSent, doneAt)
    return transaction.lastInsertedRowID
  }

  /// Throws `library.unknownTodo`, `library.badTodo`.
  func set(_ request: Library.SetTodo) throws -> Library.Todo {
    guard request.state != .unknown else {
      throw LunaraError("library.badTodo", "A todo is open, done or dismissed.")
    }
    try set(request.todo, request.state, isNoticed: false)
    return try changed(request.todo)
  }

  private func set(_ todo: Int64, _ state: Library.TodoState, isNoticed: Bool) throws {
    let known = try transaction.execute(
      """
      UPDATE garden_todos SET state = ?1, done_at = ?2, is_noticed = ?3,
        delivery = iif(?1 <> 'open' AND delivery IN (1, 3), 0, delivery) WHERE id = ?4
      """, state.rawValue, state == .done ? now : nil, isNoticed, todo)
    guard known > 0 else { throw Catalogue.unknownTodo(todo) }
  }

  /// Accepts or dismisses what the library suggests. Throws `library.unknownID`, `library.noSuggestion`.
  func decide(_ request: Library.DecideSuggestion) throws -> Library.Todo {
    let item = try GardenSubjects.item(request.id.playable, transaction)
    guard item.kind == .album,
      let sign = try TodoSigns(transaction: transaction).sign(request.about, of: item.number), let seen = sign.evidence
    else {
      throw LunaraError(
        "library.noSuggestion",
        "The library suggests nothing of that kind for \(request.id) any more. `lunara todos suggested` lists what it does."
      )
    }
    let known: Int64? = try transaction.value(
      """
      SELECT d.id FROM garden_todos d JOIN subjects s ON s.id = d.subject
      WHERE s.kind = \(CatalogueID.Kind.album.sql) AND s.shown = ? AND d.about = ? AND d.sign = ?
        AND d.state <> 'done' LIMIT 1
      """, item.number, request.about.rawValue, sign.sign)
    let state: Library.TodoState = request.isAccepted ? .open : .dismissed
    if let known {
      try set(known, state, isNoticed: false)
      if request.isAccepted {
        try transaction.execute(
          "UPDATE garden_todos SET delivery = (SELECT count(*) FROM garden_webhook) WHERE id = ? AND delivery = 0",
          known)
      }
      return try changed(known)
    }
    let todo = try insert(
      uid: UniqueID<Library.Todo>.random().rawValue, try Subjects(transaction).subject(for: item), request.about,
      seen, at: now, state, sign: sign.sign, evidence: seen)
    return try changed(todo)
  }

  /// Marks the todos as done whose evidence is gone. Called after a refresh that changed something.
  func notice() throws {
    guard try transaction.value("SELECT 1 FROM garden_todos LIMIT 1") as Int? != nil else { return }
    let open = try transaction.rows(
      """
      SELECT d.id, d.about, d.sign, s.shown FROM garden_todos d JOIN subjects s ON s.id = d.subject
      WHERE d.state = 'open' AND d.sign IS NOT NULL AND s.kind = \(CatalogueID.Kind.album.sql) AND s.shown IS NOT NULL
      ORDER BY d.id
      """
    ) { row in
      (
        id: try row.value(0) as Int64, about: Library.TodoKind(rawValue: try row.value(1)) ?? .unknown,
        sign: try row.value(2) as String, album: try row.value(3) as Int64
      )
    }
    let signs = TodoSigns(transaction: transaction)
    for todo in open where try signs.isDone(todo.about, todo.sign, of: todo.album) {
      try set(todo.id, .done, isNoticed: true)
      _ = try changed(todo.id)
    }
  }

  private func changed(_ number: Int64) throws -> Library.Todo {
    let todo = try Catalogue.todo(number, transaction)
    try journal?.append(
      Library.TodoChanged(todo: number, on: todo.on, about: todo.about, state: todo.state), in: transaction)
    return todo
  }
}
