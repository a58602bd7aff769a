import Bus
import Messages
import Model

/// How a household stands.
struct StatusView: Sendable {
  /// Its nodes.
  var nodes: [NodeView]
  /// Its rooms.
  var rooms: [RoomView]
  /// Where its music comes from; nil where no library answers.
  var catalogue: Library.CatalogueState?
  /// The outbox of scrobbles; nil where no scrobbler answers.
  var outbox: Scrobble.OutboxState?

  /// The shape of `status`.
  var json: JSON {
    .object([
      "nodes": .list(nodes, \.json), "rooms": .list(rooms, \.json),
      "sources": .list(catalogue?.sources ?? [], \.json),
      "catalogue": catalogue.map { state in
        .object([
          "generation": .count(state.generation), "albums": .count(state.albums), "tracks": .count(state.tracks),
        ])
      } ?? .null,
      "scrobbles": outbox.map { state in
        .object([
          "counted": .count(state.counted), "pending": .count(state.pending), "failed": .count(state.failed),
          "accounts": .list(state.accounts ?? [], \.json), "privateUntil": .text(state.privateUntil),
        ])
      } ?? .null,
    ])
  }
}

/// One node.
struct NodeView: Sendable, Equatable {
  /// Who it is.
  var id: NodeID
  /// Its process; nil where it is not known.
  var pid: Int32?
  /// What it said; nil where it did not answer.
  var presence: NodePresence?

  /// How long it has been running, by its own clock.
  var uptime: Milliseconds? { presence.map { max(.zero, $0.saidAt - $0.startedAt) } }

  /// The shape of one of `nodes`.
  var json: JSON {
    .object([
      "role": .text(id.role), "name": .text(id.name), "pid": .count(presence?.pid ?? pid),
      "uptimeSeconds": .seconds(uptime), "version": .text(presence?.version), "away": .bool(presence?.away ?? true),
      "lag": .count(presence?.lag), "journalHead": .count(presence?.journal?.seq),
      "address": .text(presence?.endpoints?.requests), "retired": .bool(presence?.retired ?? false),
      "problem": presence?.problem?.plainJSON ?? .null,
    ])
  }

  /// The row of a table.
  func add(to table: inout Table) {
    let isAway = presence?.away ?? true
    table.add(
      .strong(id.description),
      Table.Cell(isAway ? "does not answer" : "up \(uptime?.spoken ?? "")", isAway ? .bad : .good),
      .faint("pid \(presence?.pid ?? pid ?? 0)"), .faint(presence?.version ?? ""),
      .faint(presence?.journal.map { "journal \($0.seq)" } ?? ""), .faint(presence?.endpoints?.requests ?? ""),
      Table.Cell((presence?.lag ?? 0) > 0 ? "\(presence?.lag ?? 0) facts behind" : "", .notable))
  }
}

extension Library.RefreshRun {
  /// The shape of one of `runs`.
  var json: JSON {
    .object([
      "startedAt": .text(startedAt), "new": .count(counts.new), "changed": .count(counts.changed),
      "unchanged": .count(counts.unchanged), "deleted": .count(counts.deleted), "seconds": .number(counts.seconds),
    ])
  }
}

extension Library.SyncCounts {
  /// One line for people.
  var line: String {
    let seconds = (seconds * 10).rounded() / 10
    return "\(new) new, \(changed) changed, \(unchanged) unchanged, \(deleted) deleted, in \(seconds) s"
  }
}

extension Library.SourceStatus {
  /// The shape of one of `sources`.
  var json: JSON {
    .object([
      "name": .text(name), "kind": .text(kind), "health": .text(health), "lastRefreshed": .text(lastRefreshed),
      "albums": .count(albums), "tracks": .count(tracks), "problemCount": .count(problemCount),
      "problems": .list(problems) { problem in
        .object(["code": .text(problem.code), "message": .text(problem.message), "cause": .text(problem.cause)])
      },
      "progress": progress.map {
        .object(["done": .count($0.done), "total": .count($0.total), "rate": $0.rate.map { .number($0) } ?? .null])
      } ?? .null,
      "address": .text(address), "method": .text(method), "runs": .list(runs ?? [], \.json),
    ])
  }

  /// What came in which way, and what the last refreshes did.
  func printRuns(to console: Console, at now: Timestamp) {
    let facts = [address.map { Printable.line($0) }, method.map { "last asked by \($0)" }].compactMap(\.self)
    if !facts.isEmpty { console.print("  \(console.style.faint(facts.joined(separator: ", ")))\n") }
    for run in runs ?? [] {
      let line = "\((now - run.startedAt).spoken) ago: \(run.counts.line)"
      console.print("  \(console.style.faint(line))\n")
    }
  }

  /// The row of a table.
  func add(to table: inout Table, at now: Timestamp) {
    let progress = self.progress.map { " \($0.done)\($0.total.map { " of \($0)" } ?? "")" } ?? ""
    table.add(
      .strong(name), Table.Cell(health + progress, health == "ready" ? .good : .notable),
      .number("\(albums) albums"), .number("\(tracks) tracks"),
      .faint(lastRefreshed.map { "refreshed \((now - $0).spoken) ago" } ?? "never refreshed"),
      Table.Cell(problemCount == 0 ? "" : "\(problemCount) problems", .notable))
  }
}
