// Generated from Library+Todos.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.Todo {
  public init(
    todo: Int64, on: Library.GardenSubject, about: Library.TodoKind, text: String, at: Timestamp,
    state: Library.TodoState = .open, evidence: String? = nil, doneAt: Timestamp? = nil, isNoticed: Bool? = nil,
    delivery: String? = nil, problem: LunaraError? = nil, _: Void = ()
  ) {
    self.todo = todo
    self.on = on
    self.about = about
    self.text = text
    self.at = at
    self.state = state
    self.evidence = evidence
    self.doneAt = doneAt
    self.isNoticed = isNoticed
    self.delivery = delivery
    self.problem = problem
  }
}

extension Library.AddTodo {
  public init(id: PlayableID, about: Library.TodoKind = .other, text: String, _: Void = ()) {
    self.id = id
    self.about = about
    self.text = text
  }
}

extension Library.SetTodo {
  public init(todo: Int64, state: Library.TodoState, _: Void = ()) {
    self.todo = todo
    self.state = state
  }
}

extension Library.ListTodos {
  public init(
    state: Library.TodoState? = nil, id: PlayableID? = nil, after: String? = nil, limit: Int = 100, _: Void = ()
  ) {
    self.state = state
    self.id = id
    self.after = after
    self.limit = limit
  }
}

extension Library.TodoPage {
  public init(items: [Library.Todo], next: String? = nil, _: Void = ()) {
    self.items = items
    self.next = next
  }
}

extension Library.ListSuggestedTodos {
  public init(after: String? = nil, limit: Int = 100, _: Void = ()) {
    self.after = after
    self.limit = limit
  }
}

extension Library.SuggestedTodos {
  public init(items: [Library.SuggestedTodo], next: String? = nil, _: Void = ()) {
    self.items = items
    self.next = next
  }
}

extension Library.SuggestedTodo {
  public init(on: Library.GardenSubject, about: Library.TodoKind, evidence: String, _: Void = ()) {
    self.on = on
    self.about = about
    self.evidence = evidence
  }
}

extension Library.DecideSuggestion {
  public init(id: AlbumID, about: Library.TodoKind, isAccepted: Bool, _: Void = ()) {
    self.id = id
    self.about = about
    self.isAccepted = isAccepted
  }
}

extension Library.SetTodoWebhook {
  public init(address: String?, token: String? = nil, _: Void = ()) {
    self.address = address
    self.token = token
  }
}

extension Library.TodoWebhook {
  public init(
    address: String? = nil, hasToken: Bool = false, waiting: Int = 0, failed: Int = 0, problem: LunaraError? = nil,
    _: Void = ()
  ) {
    self.address = address
    self.hasToken = hasToken
    self.waiting = waiting
    self.failed = failed
    self.problem = problem
  }
}

extension Library.TodoChanged {
  public init(todo: Int64, on: Library.GardenSubject, about: Library.TodoKind, state: Library.TodoState, _: Void = ()) {
    self.todo = todo
    self.on = on
    self.about = about
    self.state = state
  }
}
