public import Model

/// Todos about the library, written by people or suggested by the library.
extension Library {
  /// The kinds of todos.
  public enum TodoKind: String, TolerantName {
    /// The cover is wrong or missing.
    case cover
    /// The year is wrong or missing.
    case year
    /// One album is shown as several.
    case split
    /// A track is missing.
    case missing
    /// It should be ripped again.
    case rip
    /// Names are spelt in several ways.
    case spelling
    /// Tracks of one album have several formats.
    case formats
    case other
    case unknown
  }

  /// The states of a todo.
  public enum TodoState: String, TolerantName {
    case open
    case done
    /// Nothing is to be done.
    case dismissed
    case unknown
  }

  /// A todo.
  public struct Todo: Codable, Hashable, Sendable {
    /// Its number.
    public var todo: Int64
    /// The thing that it is about.
    public var on: GardenSubject
    /// The kind.
    public var about: TodoKind
    /// The text.
    public var text: String
    /// The time when it was added.
    public var at: Timestamp
    /// The state.
    public var state: TodoState
    /// The sentence that says what the library saw when the todo was added; nil if it sees nothing.
    public var evidence: String?
    /// The time when it was done; nil if it is not.
    public var doneAt: Timestamp?
    /// True if the library noticed that it is done; nil for false.
    public var isNoticed: Bool?
    /// The state of its delivery to the webhook: `waiting`, `sent` or `failed`; nil if it is not delivered.
    public var delivery: String?
    /// The reason why it was not delivered; nil if there is none.
    public var problem: LunaraError?

    public init(
      todo: Int64, on: GardenSubject, about: TodoKind, text: String, at: Timestamp, state: TodoState = .open,
      evidence: String? = nil, doneAt: Timestamp? = nil, isNoticed: Bool? = nil, delivery: String? = nil,
      problem: LunaraError? = nil
    ) {
      (self.todo, self.on, self.about, self.text, self.at, self.state) = (todo, on, about, text, at, state)
      (self.evidence, self.doneAt, self.isNoticed) = (evidence, doneAt, isNoticed)
      (self.delivery, self.problem) = (delivery, problem)
    }
  }

  /// Adds a todo. Since 0.2.
  public struct AddTodo: CommandRequest {
    public static let kind = "library.add-todo"
    /// The todo; refused with `library.unknownID`, `library.badTodo`.
    public typealias Answer = Todo
    /// The album, track or artist.
    public var id: PlayableID
    /// The kind.
    public var about: TodoKind
    /// The text, at most 4 KiB; it may be empty for kinds other than `other`.
    public var text: String

    public init(id: PlayableID, about: TodoKind = .other, text: String) {
      (self.id, self.about, self.text) = (id, about, text)
    }
  }

  /// Changes the state of a todo. Since 0.2.
  public struct SetTodo: CommandRequest {
    public static let kind = "library.set-todo"
    /// The todo; refused with `library.badTodo`, `library.unknownTodo`.
    public typealias Answer = Todo
    /// The number of the todo.
    public var todo: Int64
    /// The new state.
    public var state: TodoState

    public init(todo: Int64, state: TodoState) {
      self.todo = todo
      self.state = state
    }
  }

  /// Lists todos, the latest first. Since 0.2.
  public struct ListTodos: ReadRequest {
    public static let kind = "library.list-todos"
    /// A page of todos; refused with `library.badCursor`, `library.unknownID`.
    public typealias Answer = TodoPage
    /// The state of the todos; nil for open ones.
    public var state: TodoState?
    /// The thing that the todos are about; nil for all.
    public var id: PlayableID?
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String?
    /// The largest number of items; at most 200.
    public var limit: Int

    public init(state: TodoState? = nil, id: PlayableID? = nil, after: String? = nil, limit: Int = 100) {
      (self.state, self.id, self.after, self.limit) = (state, id, after, limit)
    }
  }

  /// A page of todos.
  public struct TodoPage: Codable, Hashable, Sendable {
    /// The todos, the latest first.
    public var items: [Todo]
    /// The cursor of the next page; nil on the last.
    public var next: String?

    public init(items: [Todo], next: String? = nil) {
      self.items = items
      self.next = next
    }
  }

  /// Lists todos that the library suggests for its albums, in the order of the albums' numbers. Since 0.2.
  public struct ListSuggestedTodos: ReadRequest {
    public static let kind = "library.list-suggested-todos"
    /// A page of suggestions; refused with `library.badCursor`. A page may be empty though others follow.
    public typealias Answer = SuggestedTodos
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String?
    /// The largest number of items; at most 200.
    public var limit: Int

    public init(after: String? = nil, limit: Int = 100) {
      self.after = after
      self.limit = limit
    }
  }

  /// A page of suggested todos.
  public struct SuggestedTodos: Codable, Hashable, Sendable {
    /// The suggestions.
    public var items: [SuggestedTodo]
    /// The cursor of the next page; nil on the last.
    public var next: String?

    public init(items: [SuggestedTodo], next: String? = nil) {
      self.items = items
      self.next = next
    }
  }

  /// A todo that the library suggests.
  public struct SuggestedTodo: Codable, Hashable, Sendable {
    /// The album.
    public var on: GardenSubject
    /// The kind.
    public var about: TodoKind
    /// The sentence that says what the library saw.
    public var evidence: String

    public init(on: GardenSubject, about: TodoKind, evidence: String) {
      (self.on, self.about, self.evidence) = (on, about, evidence)
    }
  }

  /// Accepts a suggestion as a todo, or dismisses it, so that it is not suggested again. Since 0.2.
  public struct DecideSuggestion: CommandRequest {
    public static let kind = "library.decide-suggestion"
    /// The todo, open or dismissed; refused with `library.unknownID`, `library.noSuggestion` if the library does not
    /// see it any more.
    public typealias Answer = Todo
    /// The album.
    public var id: AlbumID
    /// The kind.
    public var about: TodoKind
    /// True to accept it; false to dismiss it for ever.
    public var isAccepted: Bool

    public init(id: AlbumID, about: TodoKind, isAccepted: Bool) {
      (self.id, self.about, self.isAccepted) = (id, about, isAccepted)
    }
  }

  /// Sets the address to which todos are sent from then on, or ends that. Since 0.2.
  public struct SetTodoWebhook: CommandRequest {
    public static let kind = "library.set-todo-webhook"
    /// The webhook; refused with `library.badWebhook`.
    public typealias Answer = TodoWebhook
    /// The address, `https://…` or `http://…`; nil to send todos nowhere.
    public var address: String?
    /// The token that is sent as a bearer; nil to keep the one that is stored for this address, empty for none.
    public var token: String?

    public init(address: String?, token: String? = nil) {
      self.address = address
      self.token = token
    }
  }

  /// Reads where todos are sent. Since 0.2.
  public struct ReadTodoWebhook: ReadRequest {
    public static let kind = "library.read-todo-webhook"
    /// The webhook.
    public typealias Answer = TodoWebhook

    public init() {}
  }

  /// The place where todos are sent.
  public struct TodoWebhook: Codable, Hashable, Sendable {
    /// The address; nil if todos are sent nowhere.
    public var address: String?
    /// True if a token is stored.
    public var hasToken: Bool
    /// The number of todos that wait to be sent.
    public var waiting: Int
    /// The number of todos that were refused.
    public var failed: Int
    /// The last error; nil if the last one succeeded.
    public var problem: LunaraError?

    public init(
      address: String? = nil, hasToken: Bool = false, waiting: Int = 0, failed: Int = 0, problem: LunaraError? = nil
    ) {
      (self.address, self.hasToken, self.waiting) = (address, hasToken, waiting)
      (self.failed, self.problem) = (failed, problem)
    }
  }

  /// Sends the todos again that wait or were refused. Since 0.2.
  public struct RetryTodos: CommandRequest {
    public static let kind = "library.retry-todos"
    /// Answers after the todos wait again.
    public typealias Answer = Done

    public init() {}
  }

  /// A todo was added, or its state changed. Since 0.2.
  public struct TodoChanged: Fact {
    public static let kind = "library.todo-changed"
    /// It may be lost in a power cut, as the todo itself is stored.
    public static let survives = Durability.process
    /// The number of the todo.
    public var todo: Int64
    /// The thing that it is about.
    public var on: GardenSubject
    /// The kind.
    public var about: TodoKind
    /// The state.
    public var state: TodoState

    public init(todo: Int64, on: GardenSubject, about: TodoKind, state: TodoState) {
      (self.todo, self.on, self.about, self.state) = (todo, on, about, state)
    }
  }
}
