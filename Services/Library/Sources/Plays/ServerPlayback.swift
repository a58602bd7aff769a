package import Bus
import Catalogue
import Messages
import Model
package import Records
package import ServiceKit
package import Storage

/// Reports to servers what rooms play of their music: the track that plays now, and each play that counted.
package struct ServerPlayback: Sendable {
  private let kinds: SourceKinds
  private let sender: PlaySender
  private let reporter: NowPlayingReporter

  /// Creates the sender and the reporter; `parked` is called when a play was given up.
  package init(
    kinds: SourceKinds, servers: ServerFinder, database: Database, log: Log,
    parked: @escaping @Sendable () async -> Void
  ) {
    self.kinds = kinds
    sender = PlaySender(database: database, log: log, server: { await servers.server($0) }, parked: parked)
    reporter = NowPlayingReporter(log: log) { await servers.find($0) }
  }

  package func start(on node: Node) async {
    await sender.start()
    await reporter.start(on: node)
  }

  /// Adds the play of a scrobbler's fact to the outbox, in the transaction that stores the fact.
  package func enqueue(_ fact: ReceivedFact, _ transaction: Transaction) throws {
    guard let counted = try fact.decode(Scrobble.ListenCounted.self),
      try PlayOutbox.enqueue(counted, at: fact.time, kinds, transaction)
    else { return }
    transaction.afterCommit { [sender] in Task { await sender.wake() } }
  }

  /// Stops both; plays that wait are sent after the next start.
  package func stop() async {
    await reporter.stop()
    await sender.stop()
  }
}
