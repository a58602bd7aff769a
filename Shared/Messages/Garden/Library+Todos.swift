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
    /// Nothing to do.
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
    public var state: TodoState = .open
    /// The sentence that says what the library saw when the todo was added; nil if it sees nothing.
    public var evidence: String? = nil
    /// The time when it was done; nil if it is not.
    public var doneAt: Timestamp? = nil
    /// True if the library noticed that it is done; nil for false.
    public var isNoticed: Bool? = nil
    /// The state of its delivery to the webhook: `waiting`, `sent` or `failed`; nil if it is not delivered.
    public var delivery: String? = nil
    /// The reason why it was not delivered; nil if there is none.
    public var problem: LunaraError? = nil
  }

  /// Adds a todo. Since 0.2.
  public struct AddTodo: CommandRequest {
    public static let kind = "library.add-todo"
    /// The todo; refused with `library.unknownID`, `library.badTodo`.
    public typealias Answer = Todo
    /// The album, track or artist.
    public var id: PlayableID
    /// The kind.
    public var about: TodoKind = .other
    /// The text, at most 4 KiB; it may be empty for kinds other than `other`.
    public var text: String
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
  }

  /// Lists todos, the latest first. Since 0.2.
  public struct ListTodos: ReadRequest {
    public static let kind = "library.list-todos"
    /// A page of todos; refused with `library.badCursor`, `library.unknownID`.
    public typealias Answer = TodoPage
    /// The state of the todos; nil for open ones.
    public var state: TodoState? = nil
    /// The thing that the todos are about; nil for all.
    public var id: PlayableID? = nil
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of items; at most 200.
    public var limit: Int = 100
  }

  /// A page of todos.
  public struct TodoPage: Codable, Hashable, Sendable {
    /// The todos, the latest first.
    public var items: [Todo]
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
  }

  /// Lists todos that the library suggests for its albums, in the order of the albums' numbers. Since 0.2.
  public struct ListSuggestedTodos: ReadRequest {
    public static let kind = "library.list-suggested-todos"
    /// A page of suggestions; refused with `library.badCursor`. A page may be empty though others follow.
    public typealias Answer = SuggestedTodos
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of items; at most 200.
    public var limit: Int = 100
  }

  /// A page of suggested todos.
  public struct SuggestedTodos: Codable, Hashable, Sendable {
    /// The suggestions.
    public var items: [SuggestedTodo]
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
  }

  /// A todo that the library suggests.
  public struct SuggestedTodo: Codable, Hashable, Sendable {
    /// The album.
    public var on: GardenSubject
    /// The kind.
    public var about: TodoKind
    /// The sentence that says what the library saw.
    public var evidence: String
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
  }

  /// Sets the address to which todos are sent from then on, or ends that. Since 0.2.
  public struct SetTodoWebhook: CommandRequest {
    public static let kind = "library.set-todo-webhook"
    /// The webhook; refused with `library.badWebhook`.
    public typealias Answer = TodoWebhook
    /// The address, `https://…` or `http://…`; nil to send todos nowhere.
    public var address: String?
    /// The token that is sent as a bearer; nil to keep the one that is stored for this address, empty for none.
    public var token: String? = nil
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
    public var address: String? = nil
    /// True if a token is stored.
    public var hasToken: Bool = false
    /// The number of todos that wait to be sent.
    public var waiting: Int = 0
    /// The number of todos that were refused.
    public var failed: Int = 0
    /// The last error; nil if the last one succeeded.
    public var problem: LunaraError? = nil
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
  }
}
