import Client
import Messages
import Model

extension Option {
  fileprivate static let about = Option(
    "--kind", "KIND", help: "cover, year, split, missing, rip, spelling, formats or other", completes: .words(kinds))
  fileprivate static let kinds = Library.TodoKind.allCases.filter { $0 != .unknown }.map(\.rawValue)
}

extension Command {
  private static let todoKinds = Dictionary(
    uniqueKeysWithValues: Library.TodoKind.allCases.filter { $0 != .unknown }.map { ($0.rawValue, $0) })

  static let todo = Command(
    name: "todo", summary: "write down what is to be done about an album, track or artist",
    discussion: "Where the library sees itself that it was done, such as a year that changed, it says so.",
    examples: [
      "lunara todo files:a3 \"Scan the back of the sleeve.\"": "anything",
      "lunara todo files:a3 --kind year \"It is from 1971.\"": "done once the year is another one",
    ],
    takes: Parameter(.about) { try $0.word(.about, todoKinds) ?? .other },
    .subject("ID [TEXT]", help: "the album, track or artist, and the text")
  ) { client, console, about, subject in
    let todo = try await client.ask(Library.AddTodo(id: subject.id, about: about, text: subject.text ?? ""))
    try console.print(todo.json, Table([todo.row]), ifEmpty: "")
  }

  static let todos = Command(
    name: "todos", summary: "what is to be done about the library, and what the library suggests",
    examples: [
      "lunara todos": "what is open", "lunara todos done 4": "it is done",
      "lunara todos suggested": "what the library sees itself",
      "lunara todos accept files:a3 cover": "a suggestion becomes a todo",
      "lunara todos webhook https://example.org/hook": "sends new todos there",
    ],
    takes: .choice(
      "--state", "STATE", [Library.TodoState.open, .done, .dismissed],
      help: "open, done or dismissed; else open"), .pages,
    commands: [doneTodo, dismissTodo, reopenTodo, suggestedTodos, acceptTodo, dismissSuggestion, webhook, retryTodos]
  ) { client, console, state, pages in
    let items = try await pages.all { after, limit in
      let page = try await client.ask(Library.ListTodos(state: state, after: after, limit: limit))
      return (page.items, page.next)
    }
    try console.print(
      .list(items), Table(items),
      ifEmpty: state.flatMap { $0 == .open ? nil : "No todo is \($0.rawValue)." }
        ?? "Nothing is to be done. `lunara todos suggested` shows what the library sees."
    )
  }

  private static let doneTodo = change("done", .done, "say that todos are done")
  private static let dismissTodo = change("drop", .dismissed, "say that nothing is to be done")
  private static let reopenTodo = change("reopen", .open, "say that they are to be done again")

  private static func change(_ name: String, _ state: Library.TodoState, _ summary: String) -> Command {
    numbered(name, summary, "todo") { client, number in
      try await client.ask(Library.SetTodo(todo: number, state: state))
    }
  }

  private static let suggestedTodos = Command(
    name: "suggested", summary: "what the library itself sees: missing covers, years and tracks, and more",
    examples: ["lunara todos suggested --limit 20": "the first ones"],
    takes: .pages
  ) { client, console, pages in
    let items = try await pages.all { after, limit in
      let page = try await client.ask(Library.ListSuggestedTodos(after: after, limit: limit))
      return (page.items, page.next)
    }
    try console.print(.list(items), Table(items), ifEmpty: "The library sees nothing that is to be done.")
  }

  private static let acceptTodo = suggestion("accept", true, "make a suggestion a todo")
  private static let dismissSuggestion = suggestion("dismiss", false, "no longer suggest something")

  private static func suggestion(_ name: String, _ isAccepted: Bool, _ summary: String) -> Command {
    Command(
      name: name, summary: summary, examples: ["lunara todos \(name) files:a3 cover": "an album and the kind"],
      takes: Parameter(
        operand: .exactly(2, "ID KIND", help: "the album and the kind, as `lunara todos suggested` shows them")
      ) {
        (
          about: try $0.word(1, "KIND", todoKinds),
          id: try AlbumID($0.operands[0]).orUsage("An album has an id such as files:a3.")
        )
      }
    ) { client, console, given in
      let todo = try await client.ask(
        Library.DecideSuggestion(id: given.id, about: given.about, isAccepted: isAccepted))
      try console.print(todo.json, Table([todo.row]), ifEmpty: "")
    }
  }

  private static let webhook = Command(
    name: "webhook", summary: "where new todos are sent, as a POST with JSON",
    discussion: """
      The token, which is sent as a bearer, is asked for without showing it, or read from standard input; it is kept
      among the credentials.
      """,
    examples: [
      "lunara todos webhook": "where they are sent now, and what waits",
      "lunara todos webhook https://example.org/hook": "asks for the token; --no-token if it needs none",
      "lunara todos webhook none": "nowhere",
    ],
    takes: .flag("--no-token", help: "send none"), .optional("ADDRESS", help: "the address, or none")
  ) { client, console, hasNone, word in
    let webhook: Library.TodoWebhook
    if let word {
      let isOff = word == "none"
      var token: String?
      if !isOff {
        token = hasNone ? "" : try await SecretPrompt.read("Token: ", from: nil) ?? ""
      }
      webhook = try await client.ask(Library.SetTodoWebhook(address: isOff ? nil : word, token: token))
    } else {
      webhook = try await client.ask(Library.ReadTodoWebhook())
    }
    let line =
      webhook.address.map { address in
        "\(Printable.line(address)), \(webhook.hasToken ? "with a token" : "without a token"): \(webhook.waiting) waiting, \(webhook.failed) refused\n"
      } ?? "Todos are sent nowhere.\n"
    try console.print(webhook.json, text: line + (webhook.problem.map { Printable.line($0.description) + "\n" } ?? ""))
  }

  private static let retryTodos = Command(
    name: "retry", summary: "send the todos again that wait or were refused",
    examples: ["lunara todos retry": "after the place was put in order"]
  ) { client, console in
    _ = try await client.ask(Library.RetryTodos())
    console.print(Done().json, text: "They are sent again.\n")
  }
}

extension Library.Todo: TableRow {
  var row: [Table.Cell] {
    var state = state.rawValue
    if isNoticed ?? false { state += ", as the library sees" }
    return [
      .number("\(todo)"), .strong(on.words), .init(about.rawValue), .init(text.isEmpty ? evidence ?? "" : text),
      .init(state), .faint(delivery ?? ""), .faint(problem?.message ?? ""),
    ]
  }
}

extension Library.SuggestedTodo: TableRow {
  var row: [Table.Cell] { [.strong(on.words), .init(about.rawValue), .init(evidence)] }
}
