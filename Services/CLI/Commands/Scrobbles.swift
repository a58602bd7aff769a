import Bus
import Client
import Messages
import Model

extension Option {
  static let last = Option("--last", "N", help: "how many at most, the newest first (default 50)")
}

extension Command {
  static let scrobbles = Command(
    name: "scrobbles", summary: "what counted as heard, and where it was sent",
    discussion: """
      A track counts once enough of it was heard. Each account that is on gets what counts from its sign-in on. What a
      service cannot take now is sent later; what it refuses is kept under --failed, with the loves that it refused: with
      --json they are those without a listen, and isLoved says if a love or its removal was refused.
      """,
    examples: [
      "lunara scrobbles --last 10": "the newest ten",
      "lunara scrobbles --failed": "what needs a person, with the reasons",
    ],
    takes: .flag("--pending", help: "those that wait for an account or a server"),
    .flag("--failed", help: "those that were refused"), .integer(.last, in: 1...100_000),
    refuses: [.both("--pending", "--failed")],
    commands: [
      scrobbleAccounts, switchScrobbling("on", true), switchScrobbling("off", false), retryScrobbles, dropScrobbles,
      privateListening, scrobbleFilters, exportScrobbles, importScrobbles,
    ]
  ) { client, console, pending, failed, last in
    let limit = last ?? 50
    let filter: Scrobble.ListScrobbles.Filter = pending ? .pending : failed ? .failed : .all
    let entries = try await Client.list(upTo: limit) { after, limit in
      let page = try await client.ask(Scrobble.ListScrobbles(filter: filter, limit: limit, after: after))
      return Library.Page(items: page.items, next: page.next)
    }.items
    let loves = failed ? try await failedLoves(in: client, limit) : nil
    if console.isJSON {
      return console.print(.array(entries.map(\.json) + (loves?.items ?? []).map(\.jsonAsScrobble)))
    }
    console.print(Table(entries.map { $0.row(explains: filter != .all) }))
    if let loves, loves.count > 0 {
      console.print(Table(loves.items))
      let rest = loves.count - loves.items.count
      if rest > 0 { console.remark("\(rest) more loves were not taken.") }
    } else if entries.isEmpty {
      console.remark(
        filter == .failed
          ? "Nothing failed." : filter == .pending ? "Nothing waits." : "Nothing has counted as heard yet.")
    }
    let state = try await client.state(Scrobble.OutboxState.self, of: .scrobble, within: .seconds(2))?.value
    printErrors(of: state?.accounts ?? [], console)
    if let count = state?.failedLoves, count > 0, loves == nil {
      console.remark("\(count == 1 ? "A love was" : "\(count) loves were") not taken; see `lunara scrobbles --failed`.")
    }
    if let until = state?.privateUntil, until > .now() {
      console.remark("Listening is private until \(until.local).")
    }
  }

  /// Returns the loves that services refused; nil if the scrobbler is too old to answer this request.
  private static func failedLoves(in client: Client, _ limit: Int) async throws -> Scrobble.FailedLoves? {
    do {
      return try await client.ask(Scrobble.ListFailedLoves(limit: min(200, limit)))
    } catch let error as LunaraError where error.code == "bus.unknownRequest" {
      return nil
    }
  }
}

extension Scrobble.Entry {
  func row(explains: Bool) -> [Table.Cell] {
    let deliveries = destinations.map { destination in
      let words = explains ? destination.answer.map { ": \($0)" } ?? "" : ""
      return "\(destination.service)/\(destination.account) \(destination.state)\(words)"
    }
    let sent =
      withheld.map { "kept (\($0))" } ?? (deliveries.isEmpty ? "kept, no account" : deliveries.joined(separator: ", "))
    let subject = [.faint(startedAt.local), .strong(track.title), Table.Cell(track.artist), .faint(track.album)]
    // `scrobbles retry` and `scrobbles drop` take the listen's id.
    return subject + (explains ? [.faint(sent), .faint(listen.rawValue)] : [.number(heard), .faint(sent)])
  }
}

extension Scrobble.FailedLove: TableRow {
  var row: [Table.Cell] {
    [
      .init(isLoved ? "love" : "no longer loved"), .strong(title), .init(artist),
      .faint("\(service)/\(account): \(reason)"),
    ]
  }
}

extension Scrobble.Account: TableRow {
  var name: String { "\(service)/\(account)" }

  var row: [Table.Cell] {
    [
      .strong(name), .init(state + (waitsUntil.map { " until \($0.local)" } ?? "")), .faint("\(pending) pending"),
      .faint("\(failed) failed"), .faint(address),
    ]
  }
}
