import Bus
import Client
import Messages
import Model

extension Option {
  fileprivate static let about = Option(
    "--kind", "KIND", help: "cover, year, split, missing, rip, spelling, formats or other", completes: .words(kinds))
  fileprivate static let state = Option("--state", "STATE", help: "open, done or dismissed; else open")
  fileprivate static let withoutToken = Option("--no-token", help: "send none")
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
    options: [.about],
    operand: Operand(
      name: "ID [TEXT]", count: 1...1000, help: "the album, track or artist, and the text",
      completes: .household(.playables)),
    action: .asynchronous { context in
      let words = context.arguments.operands
      let about = try context.arguments.word(.about, todoKinds) ?? .other
      let client = try await Client(context)
      guard let id = try await client.playables([words[0]]).first else { return }
      let todo = try await client.ask(
        Library.AddTodo(id: id, about: about, text: words.dropFirst().joined(separator: " ")), of: .library)
      try context.console.print(todo.json, Table([todo.row]), ifEmpty: "")
    })

  static let todos = Command(
    name: "todos", summary: "what is to be done about the library, and what the library suggests",
    examples: [
      "lunara todos": "what is open", "lunara todos done 4": "it is done",
      "lunara todos suggested": "what the library sees itself",
      "lunara todos accept files:a3 cover": "a suggestion becomes a todo",
      "lunara todos webhook https://example.org/hook": "sends new todos there",
    ],
    options: [.state, .after, .limit],
    commands: [doneTodo, dismissTodo, reopenTodo, suggestedTodos, acceptTodo, dismissSuggestion, webhook, retryTodos],
    action: .asynchronous { context in
      let states = ["open": Library.TodoState.open, "done": .done, "dismissed": .dismissed]
      let state = try context.arguments.word(.state, states)
      let client = try await Client(context)
      let items = try await pages(context) { after, limit in
        let page = try await client.ask(Library.ListTodos(state: state, after: after, limit: limit), of: .library)
        return (page.items, page.next)
      }
      try context.console.print(
        .list(items), Table(items),
        ifEmpty: "Nothing is to be done. `lunara todos suggested` shows what the library sees."
      )
    })

  private static let doneTodo = change("done", .done, "say that todos are done")
  private static let dismissTodo = change("drop", .dismissed, "say that nothing is to be done")
  private static let reopenTodo = change("reopen", .open, "say that they are to be done again")

  private static func change(_ name: String, _ state: Library.TodoState, _ summary: String) -> Command {
    numbered(name, summary, "todo") { client, number in
      try await client.ask(Library.SetTodo(todo: number, state: state), of: .library)
    }
  }

  private static let suggestedTodos = Command(
    name: "suggested", summary: "what the library itself sees: missing covers, years and tracks, and more",
    examples: ["lunara todos suggested --limit 20": "the first ones"],
    options: [.after, .limit],
    action: .asynchronous { context in
      let client = try await Client(context)
      let items = try await pages(context) { after, limit in
        let page = try await client.ask(Library.ListSuggestedTodos(after: after, limit: limit), of: .library)
        return (page.items, page.next)
      }
      try context.console.print(.list(items), Table(items), ifEmpty: "The library sees nothing that is to be done.")
    })

  private static let acceptTodo = suggestion("accept", true, "make a suggestion a todo")
  private static let dismissSuggestion = suggestion("dismiss", false, "no longer suggest something")

  private static func suggestion(_ name: String, _ isAccepted: Bool, _ summary: String) -> Command {
    Command(
      name: name, summary: summary, examples: ["lunara todos \(name) files:a3 cover": "an album and the kind"],
      operand: .exactly(2, "ID KIND", help: "the album and the kind, as `lunara todos suggested` shows them"),
      action: .asynchronous { context in
        let words = context.arguments.operands
        let about = try context.arguments.word(1, "KIND", todoKinds)
        guard let id = AlbumID(words[0]) else { throw UsageError("An album has an id such as files:a3.") }
        let todo = try await Client(context).ask(
          Library.DecideSuggestion(id: id, about: about, isAccepted: isAccepted), of: .library)
        try context.console.print(todo.json, Table([todo.row]), ifEmpty: "")
      })
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
    options: [.withoutToken],
    operand: .optional("ADDRESS", help: "the address, or none"),
    action: .asynchronous { context in
      let word = context.arguments.operands.first
      let client = try await Client(context)
      let webhook: Library.TodoWebhook
      if let word {
        let isOff = word == "none"
        var token: String?
        if !isOff {
          token = context.arguments.has(.withoutToken) ? "" : try await SecretPrompt.read("Token: ", from: nil) ?? ""
        }
        webhook = try await client.ask(
          Library.SetTodoWebhook(address: isOff ? nil : word, token: token), of: .library)
      } else {
        webhook = try await client.ask(Library.ReadTodoWebhook(), of: .library)
      }
      let line =
        webhook.address.map { address in
          "\(Printable.line(address)), \(webhook.hasToken ? "with a token" : "without a token"): \(webhook.waiting) waiting, \(webhook.failed) refused\n"
        } ?? "Todos are sent nowhere.\n"
      try context.console.print(
        webhook.json, text: line + (webhook.problem.map { Printable.line($0.description) + "\n" } ?? ""))
    })

  private static let retryTodos = Command(
    name: "retry", summary: "send the todos again that wait or were refused",
    examples: ["lunara todos retry": "after the place was put in order"],
    action: .asynchronous { context in
      _ = try await Client(context).ask(Library.RetryTodos(), of: .library)
      context.console.print(Done().json, text: "They are sent again.\n")
    })
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
