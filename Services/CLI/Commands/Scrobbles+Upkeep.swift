import Bus
import Messages
import Model

extension Option {
  static let send = Option("--send", help: "send them to the accounts that are on, too")
  static let withPrivate = Option("--all", help: "with what was heard in private")
}

extension Command {
  /// Has failed deliveries tried again.
  static let retryScrobbles = Command(
    name: "retry", summary: "try again what failed, and have waiting accounts try at once",
    examples: [.init("lunara scrobbles retry", "all that failed")],
    operand: Operand(name: "[LISTEN]", count: 0...1, help: "only this one, by its id under --failed"),
    action: .asynchronous { context in
      let count = try await Client(context).ask(
        Scrobble.RetryDeliveries(listen: listen(context)), of: .scrobble, within: .seconds(20)
      ).count
      context.console.isJSON
        ? context.console.print(.object(["count": .count(count)]))
        : context.console.print("\(count) tried again.\n")
    })

  /// Gives deliveries up.
  static let dropScrobbles = Command(
    name: "drop", summary: "give up what failed, or a listen that waits; it stays in your own history",
    examples: [.init("lunara scrobbles drop", "all that failed")],
    operand: Operand(
      name: "[LISTEN]", count: 0...1, help: "this one, failed or pending, by its id under --failed or --pending"),
    action: .asynchronous { context in
      let count = try await Client(context).ask(
        Scrobble.DropDeliveries(listen: listen(context)), of: .scrobble, within: .seconds(20)
      ).count
      context.console.isJSON
        ? context.console.print(.object(["count": .count(count)])) : context.console.print("\(count) given up.\n")
    })

  /// Writes the history to a file.
  static let exportScrobbles = Command(
    name: "export", summary: "write what counted to a file, a listen a line as ListenBrainz writes them",
    examples: [
      .init("lunara scrobbles export listens.jsonl", "the newest first"),
      .init("lunara scrobbles export -", "to standard output"),
    ],
    options: [.withPrivate],
    operand: .one("FILE", help: "a new file, or - for standard output"),
    action: .asynchronous { context in
      let name = context.arguments.operands[0]
      let household = try await Client(context)
      let file = name == "-" ? nil : try ListenFile.create(name)
      var (written, kept) = (0, 0)
      var after: String?
      repeat {
        let page = try await household.ask(Scrobble.ListScrobbles(limit: 200, after: after), of: .scrobble)
        var lines: [UInt8] = []
        for entry in page.items {
          if entry.withheld == "private", !context.arguments.has(.withPrivate) {
            kept += 1
            continue
          }
          lines += Array("\(ListenLine.json(entry))\n".utf8)
          written += 1
        }
        if let file {
          try ListenFile.write(lines, to: file, name)
        } else {
          context.console.print(String(decoding: lines, as: UTF8.self))
        }
        after = page.items.isEmpty ? nil : page.next
      } while after != nil
      let rest = kept == 0 ? "" : " \(kept) private ones were left out; --all takes them in."
      guard file != nil else { return context.console.note("\(written) listens.\(rest)") }
      context.console.isJSON
        ? context.console.print(.object(["written": .count(written), "leftOut": .count(kept)]))
        : context.console.print("\(written) listens were written to \(Printable.line(name)).\(rest)\n")
    })

  /// Takes a file into the history.
  static let importScrobbles = Command(
    name: "import", summary: "take listens from a file of such lines into your history",
    discussion:
      "What is there already, by its id or by its time, artist and title, stays as it is, so a file can be taken in twice. Nothing is sent without --send.",
    examples: [
      .init("lunara scrobbles import listens.jsonl", "from an export, or from ListenBrainz"),
      .init("lunara scrobbles import player.jsonl --send", "and scrobbles what is new"),
    ],
    options: [.send],
    operand: .one("FILE", help: "JSON lines in the form of ListenBrainz"),
    action: .asynchronous { context in
      let household = try await Client(context)
      var total = Scrobble.Imported(added: 0, known: 0)
      func take(_ listens: [Scrobble.ImportedListen]) async throws {
        let answer = try await household.ask(
          Scrobble.ImportListens(listens: listens, sends: context.arguments.has(.send)), of: .scrobble,
          within: .seconds(30))
        total.added += answer.added
        total.known += answer.known
      }
      var lines = try ListenFile.Lines(context.arguments.operands[0])
      var (batch, size) = ([Scrobble.ImportedListen](), 0)
      do {
        while let (listen, bytes) = try lines.next() {
          batch.append(listen)
          size += bytes
          // As many as a request may hold, and the bus may carry.
          if batch.count == 100 || size > 60_000 {
            let full = batch
            (batch, size) = ([], 0)
            try await take(full)
          }
        }
      } catch let error as LunaraError where error.code == "cli.badListenFile" {
        // What stands before a line that is none is good.
        if !batch.isEmpty { try await take(batch) }
        throw error
      }
      if !batch.isEmpty { try await take(batch) }
      context.console.isJSON
        ? context.console.print(.object(["added": .count(total.added), "known": .count(total.known)]))
        : context.console.print("\(total.added) are new, \(total.known) were known.\n")
    })

  private static func listen(_ context: Context) -> ListenID? {
    context.arguments.operands.first.map { ListenID(rawValue: $0) }
  }
}
