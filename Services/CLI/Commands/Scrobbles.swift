import Bus
import Messages
import Model

extension Option {
  static let pending = Option("--pending", help: "those that wait for an account or a server")
  static let failed = Option("--failed", help: "those that were refused")
  static let last = Option("--last", "N", help: "how many at most, the newest first (default 50)")
}

extension Command {
  /// Shows what counted as heard.
  static let scrobbles = Command(
    name: "scrobbles", summary: "what counted as heard, and where it was sent",
    discussion: "A track longer than 30 s counts once half of it, or four minutes, was heard.",
    examples: [
      .init("lunara scrobbles --last 10", "the newest ten"), .init("lunara scrobbles --failed", "what needs a person"),
    ], options: [.pending, .failed, .last],
    action: .asynchronous { context in
      let arguments = context.arguments
      guard !(arguments.has(.pending) && arguments.has(.failed)) else {
        throw UsageError("--pending and --failed exclude each other.")
      }
      let limit = try arguments.integer(.last, in: 1...100_000) ?? 50
      let household = try await BusHousehold(context)
      var entries: [Scrobble.Entry] = []
      var after: String?
      repeat {
        let page = try await household.ask(
          Scrobble.ListScrobbles(
            filter: arguments.has(.pending) ? .pending : arguments.has(.failed) ? .failed : .all,
            limit: min(200, limit - entries.count), after: after), of: .scrobble)
        entries += page.items
        after = page.items.isEmpty ? nil : page.next
      } while after != nil && entries.count < limit
      if context.console.isJSON { return context.console.print(.list(entries, \.json)) }
      var table = Table()
      for entry in entries { entry.add(to: &table) }
      table.isEmpty ? context.console.note("Nothing has counted as heard yet.") : context.console.print(table)
    })
}
