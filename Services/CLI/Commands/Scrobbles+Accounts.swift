import Client
import Messages
import Model

extension Command {
  static let scrobbleAccounts = Command(
    name: "accounts", summary: "the accounts that get what counts, and their state",
    examples: ["lunara scrobbles accounts": "with what waits for each"]
  ) { client, console in
    let accounts = try await client.ask(Scrobble.ListAccounts()).accounts
    try await show(accounts, client, console)
  }

  static func switchScrobbling(_ name: String, _ isOn: Bool) -> Command {
    Command(
      name: name,
      summary: isOn ? "send what counts to an account again, or to all" : "stop sending to one account, or to all",
      discussion: isOn ? "" : "What waits for an account stays, and is sent once it is on again.",
      examples: [
        "lunara scrobbles \(name) lastfm": "all accounts of that service",
        "lunara scrobbles \(name) listenbrainz/ann": "this one",
      ],
      takes: .optional("[SERVICE[/ACCOUNT]]", help: "which; all where none is named", completes: .household(.accounts))
    ) { client, console, word in
      let (service, account) = account(word)
      let request = Scrobble.SwitchAccount(service: service, account: account, isOn: isOn)
      try await show(try await client.ask(request).accounts, client, console)
    }
  }

  static let retryScrobbles = deliveries(
    "retry", "try again what failed, and have waiting accounts try at once", "only this one, by its id under --failed",
    done: "tried again"
  ) { try await $0.ask(Scrobble.RetryDeliveries(listen: $1)).count }

  static let dropScrobbles = deliveries(
    "drop", "give up what failed, or a listen that waits; it stays in your own history",
    "this one, failed or pending, by its id under --failed or --pending", done: "given up"
  ) { try await $0.ask(Scrobble.DropDeliveries(listen: $1)).count }

  private static func deliveries(
    _ name: String, _ summary: String, _ help: String, done: String,
    _ change: @escaping @Sendable (Client, ListenID?) async throws -> Int
  ) -> Command {
    Command(
      name: name, summary: summary, examples: ["lunara scrobbles \(name)": "all that failed"],
      takes: .optional("[LISTEN]", help: help)
    ) { client, console, listen in
      let count = try await change(client, listen.map { ListenID(rawValue: $0) })
      console.print(["count": count], text: "\(count) \(done).\n")
    }
  }

  static let privateListening = Command(
    name: "private", summary: "send nothing that is heard from now on, for a while",
    discussion:
      "What is heard meanwhile stays in your own history. A listen that reaches into the time is kept as a whole.",
    examples: [
      "lunara scrobbles private 2h": "the next two hours", "lunara scrobbles private off": "no longer",
    ],
    takes: Parameter(
      operand: .one("DURATION|off", help: "how long, such as 30m or 2h", completes: .words(["30m", "2h", "off"]))
    ) { arguments -> Milliseconds? in
      let text = arguments.operands[0]
      let duration = text == "off" ? nil : Milliseconds(duration: text)
      guard text == "off" || (duration ?? .zero) > .zero else {
        throw UsageError("private takes a length of time such as 30m or 2h, or off, not “\(text)”.")
      }
      return duration
    }
  ) { client, console, duration in
    let state = try await client.ask(Scrobble.SetPrivate(for: duration))
    console.print(
      ["privateUntil": state.until],
      text: state.until.map { "Listening is private until \($0.local).\n" } ?? "Listening is not private.\n")
  }

  static let scrobbleFilters = Command(
    name: "filter", summary: "what is not sent, by source, section, room, artist or genre",
    discussion:
      "A filter holds for what counts from then on. What waits already is still sent; `lunara scrobbles drop` gives it up.",
    examples: [
      "lunara scrobbles filter add artist \"White Noise\"": "of the track or of its album",
      "lunara scrobbles filter remove room nursery": "from now on it is sent again",
    ],
    commands: [
      changeFilter("add", "do not send what this names") { Scrobble.ChangeFilters(add: [$0]) },
      changeFilter("remove", "send it again from now on") { Scrobble.ChangeFilters(remove: [$0]) },
    ],
    run: { try await changeFilters(.init(), $0, $1) })

  private static func changeFilter(
    _ name: String, _ summary: String, _ request: @escaping @Sendable (Scrobble.Filter) -> Scrobble.ChangeFilters
  ) -> Command {
    Command(
      name: name, summary: summary,
      examples: ["lunara scrobbles filter \(name) genre Audiobook": "by genre"],
      takes: .operands(
        "KIND NAME", 2...2, help: "source, section, room, artist or genre, and its name",
        completes: .words(["source", "section", "room", "artist", "genre"]))
    ) { client, console, words in
      try await changeFilters(request(.init(kind: words[0], value: words[1])), client, console)
    }
  }

  /// Splits `lastfm/ann` at the first slash; the account's name may contain more of them.
  static func account(_ word: String?) -> (service: String?, account: String?) {
    guard let word else { return (nil, nil) }
    guard let slash = word.firstIndex(of: "/") else { return (word, nil) }
    return (String(word[..<slash]), String(word[word.index(after: slash)...]))
  }

  private static func show(_ accounts: [Scrobble.Account], _ client: Client, _ console: Console) async throws {
    if console.isJSON { return console.print(.list(accounts)) }
    guard !accounts.isEmpty else {
      let services = try await client.ask(Scrobble.ListServices()).services
      let commands = services.map { "`lunara login \($0.kind)`" }.joined(separator: " or ")
      return console.remark("There is none. Add one with \(commands).")
    }
    console.print(Table(accounts))
    printErrors(of: accounts, console)
  }

  /// Prints the errors that keep accounts from receiving listens.
  static func printErrors(of accounts: [Scrobble.Account], _ console: Console) {
    for case (let name, let error?) in accounts.map({ ($0.name, $0.error) }) {
      console.remark("\(name): \(Printable.line("\(error)"))")
    }
  }

  private static func changeFilters(
    _ request: Scrobble.ChangeFilters, _ client: Client, _ console: Console
  ) async throws {
    let filters = try await client.ask(request).filters
    console.print(
      .list(filters), Table(filters.map { [.init($0.kind), .strong($0.value)] }), ifEmpty: "Nothing is kept back.")
  }
}
