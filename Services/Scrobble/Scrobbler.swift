import Bus
import Messages
import Model
import ServiceKit
import Storage

/// Decides which listens count, stores them, and sends them to the accounts. No other service decides which listens
/// count.
struct Scrobbler: Sendable {
  /// The name of the reader whose cursors mark the facts that were read.
  static let reader = "scrobble"
  /// The code under which facts are logged that this version cannot read.
  private static let unreadable = "scrobble.unreadableFact"

  let node: Node
  let accounts: AccountContext

  /// The running parts of a scrobbler.
  struct Work: Sendable {
    fileprivate let handler: AccountRequestHandler
    fileprivate let senders: DeliverySenders
    fileprivate let tasks: [Task<Void, Never>]

    /// Stops the parts. A request that is being sent is sent again after the next start.
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
    await serveRequests(senders, changed: changed)
    await handler.serve(on: node)
    await ServiceReader(accounts).serve(on: node)
    let heldBack = try await database.write { try RestoreReconciliation.run($0) }
    if heldBack > 0 {
      log.warning(
        "deliveries that may have arrived before a backup was restored or damage repaired wait for a person",
        ["count": "\(heldBack)"])
    }
    try await handler.addAccountsFromSettings()
    let newest = try await database.read { try ListenStore.newest(in: $0) }
    try await senders.start()
    await node.follow("playback", as: Self.reader, in: database) { fact, transaction in
      guard try Self.record(fact, journal, log, in: transaction) else { return }
      transaction.afterCommit {
        changed()
        Task { await senders.wake() }
      }
    }
    await node.follow("library", as: Self.reader, in: database) { fact, transaction in
      guard let rated = try fact.read(Library.RatingChanged.self, keptAs: Self.unreadable, log, in: transaction) else {
        return
      }
      try Outbox.apply(rated, at: fact.time, now: .now(), transaction)
      transaction.afterCommit { Task { await senders.wake() } }
    }
    changed()
    return Work(
      handler: handler, senders: senders,
      tasks: [
        Task { await publish(changes) }, Task { await announceTracks(to: senders) },
        Task {
          await ClockStep.follow { step in
            do {
              try await database.write { try ListenStore.apply(step, after: newest, in: $0) }
            } catch {
              log.error(error)
            }
            changed()
            await senders.wake()
          }
        },
      ])
  }

  /// Records a room's report of a listen, and writes the fact that the listen counts, in the transaction that moves the
  /// reader's cursor. Returns true if the history changes.
  private static func record(
    _ fact: ReceivedFact, _ journal: Journal, _ log: Log, in transaction: Transaction
  ) throws -> Bool {
    let (subject, heard): (Playback.ListenSubject, Milliseconds)
    var isFinished = false
    if let report = try fact.read(Playback.ListenHeard.self, keptAs: unreadable, log, in: transaction) {
      subject = report.subject
      heard = report.heard
    } else if let report = try fact.read(Playback.ListenEnded.self, keptAs: unreadable, log, in: transaction) {
      subject = report.subject
      heard = report.heard
      isFinished = report.reason == .finished
    } else {
      return false
    }
    let effect = try ListenStore.record(
      subject, heard: heard, isFinished: isFinished, reportedAt: fact.time, at: .now(), in: transaction)
    if case .counted(let withheld) = effect {
      try journal.append(Scrobble.ListenCounted(subject: subject, heard: heard, withheld: withheld), in: transaction)
    }
    return effect != .none
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
