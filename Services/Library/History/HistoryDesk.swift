import Bus
import Messages
import ServiceKit
import Storage

/// Follows what is heard in every room, and answers what was.
struct HistoryRequestHandler: Sendable {
  let database: Database
  let log: Log
  /// What else follows from a listen that counted, in the transaction that takes it in.
  var counted: @Sendable (ReceivedFact, Transaction) throws -> Void = { _, _ in }

  /// Begins with it.
  func start(on node: Node) async {
    let (database, listens) = (database, ListenRecorder(log: log, counted: counted))
    await node.serve(Library.ListPlays.self) { request, _ in
      try await database.read { try History.plays(request, $0) }
    }
    await node.serve(Library.CountPlays.self) { request, _ in
      try await database.read { try History.counts(request, $0) }
    }
    for domain in ["scrobble", "playback"] {
      await node.follow(domain, as: ListenRecorder.reader, in: database) { try listens.take($0, in: $1) }
    }
  }
}
