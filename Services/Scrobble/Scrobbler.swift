import Bus
import Messages
import Model
import ServiceKit
import Storage

/// Decides what counts as heard and keeps it: the only place that does.
struct Scrobbler: Sendable {
  /// The name of its cursors.
  static let reader = "scrobble"
  /// The tables it needs.
  static let migrations = Journal.migrations + Schema.migrations

  let node: Node
  let database: Database
  let journal: Journal
  let log: Log

  /// Answers requests and follows all rooms from now on.
  ///
  /// - Returns: the task that tells how the outbox stands, until it is cancelled.
  func start() async -> Task<Void, Never> {
    let (node, database, log) = (node, database, log)
    registerMetrics()
    let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let listens = Listens(journal: journal, log: log, now: Timestamp.now, changed: { changed.yield() })
    await node.serve(Scrobble.ListScrobbles.self) { request, _ in
      try await database.read { try ScrobbleList.page(request, in: $0) }
    }
    await node.follow("playback", as: Self.reader, in: database) { try listens.take($0, in: $1) }
    changed.yield()
    return Task {
      for await _ in changes {
        do {
          await node.publish(try await database.read { try History.tally(in: $0) })
        } catch {
          log.error(error)
        }
      }
    }
  }

  private func registerMetrics() {
    let database = database
    node.metrics.gauge("scrobble_listens", "Listens that counted, ever.") {
      Double(try await database.read { try History.tally(in: $0) }.counted)
    }
    node.metrics.family("scrobble_deliveries", "Deliveries that are not done, by how they stand.", .gauge) {
      let tally = try await database.read { try History.tally(in: $0) }
      return [.init(Double(tally.pending), ["state": "pending"]), .init(Double(tally.failed), ["state": "failed"])]
    }
  }
}
