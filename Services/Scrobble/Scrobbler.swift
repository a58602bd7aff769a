import Bus
import Messages
import Model
import ServiceKit
import Storage

/// Decides which listens count, stores them, and sends them to the accounts. No other service decides that.
struct Scrobbler: Sendable {
  /// The name of its cursors.
  static let reader = "scrobble"
  /// The migrations of its database.
  static let migrations = Journal.migrations + Schema.migrations

  let node: Node
  let accounts: AccountContext

  /// A scrobbler that runs until it is stopped.
  struct Work: Sendable {
    fileprivate let handler: AccountRequestHandler
    fileprivate let senders: DeliverySenders
    fileprivate let tasks: [Task<Void, Never>]

    /// Ends it. A request that is under way is sent again at the next start.
    func stop() async {
      for task in tasks { task.cancel() }
      await handler.stop()
      await senders.stop()
    }
  }

  /// Starts to answer requests, to follow all rooms, and to send.
  func start() async throws -> Work {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let changed: @Sendable () -> Void = { continuation.yield() }
    let (database, journal, log) = (accounts.database, accounts.journal, accounts.log)
    let senders = DeliverySenders(accounts, changed: changed)
    let handler = AccountRequestHandler(accounts, senders: senders, changed: changed)
    registerMetrics()
    await ScrobbleRequestHandler(senders: senders, database: database, changed: changed).serve(on: node)
    await handler.serve(on: node)
    let heldBack = try await database.write { try RestoreReconciliation.run($0) }
    if heldBack > 0 {
      log.warning(
        "deliveries that may have arrived before a backup was restored or damage repaired wait for a person",
        ["count": "\(heldBack)"])
    }
    try await handler.addAccountsFromSettings()
    try await senders.start()
    let listens = ListenFactHandler(journal: journal, log: log, now: Timestamp.now) {
      changed()
      Task { await senders.wake() }
    }
    await node.follow("playback", as: Self.reader, in: database) { try listens.handle($0, in: $1) }
    await node.follow("library", as: Self.reader, in: database) { fact, transaction in
      let rated: Library.RatingChanged?
      do { rated = try fact.decode(Library.RatingChanged.self) } catch {
        // It would hold up all later facts.
        return try UnreadableFacts.keep(
          fact, LunaraError(error), as: "scrobble.unreadableFact", log: log, in: transaction)
      }
      guard let rated else { return }
      try Outbox.apply(rated, at: fact.time, now: .now(), transaction)
      transaction.afterCommit { Task { await senders.wake() } }
    }
    changed()
    let announcer = NowPlayingAnnouncer(node: node, accounts: accounts, senders: senders)
    return Work(
      handler: handler, senders: senders, tasks: [Task { await publish(changes) }, Task { await announcer.run() }])
  }

  /// Publishes the state of the outbox after changes, at most ten times a second, and for at most a twentieth of the
  /// time, as counting very many deliveries is slow.
  private func publish(_ changes: AsyncStream<Void>) async {
    let clock = ContinuousClock()
    for await _ in changes {
      let start = clock.now
      do {
        let state = try await accounts.database.read { transaction in
          var state = try ListenStore.outboxState(in: transaction)
          state.accounts = try AccountStore.list(at: .now(), transaction)
          state.privateUntil = try PrivateListening.privateUntil(at: .now(), transaction)
          return state
        }
        await node.publish(state)
        try await Task.sleep(for: max(.milliseconds(100), (clock.now - start) * 20))
      } catch is CancellationError {
        return
      } catch {
        accounts.log.error(error)
      }
    }
  }

  private func registerMetrics() {
    let database = accounts.database
    node.metrics.gauge("scrobble_listens", "Listens that counted, ever.") {
      Double(try await database.read { try ListenStore.outboxState(in: $0) }.counted)
    }
    node.metrics.family("scrobble_deliveries", "Deliveries that are not done, by state.", .gauge) {
      let state = try await database.read { try ListenStore.outboxState(in: $0) }
      return [.init(Double(state.pending), ["state": "pending"]), .init(Double(state.failed), ["state": "failed"])]
    }
  }
}
