import Bus
import Messages
import Model
import ServiceKit
import Storage

/// Decides what counts as heard, keeps it, and has it sent: the only place that does.
struct Scrobbler: Sendable {
  /// The name of its cursors.
  static let reader = "scrobble"
  /// The tables it needs.
  static let migrations = Journal.migrations + Schema.migrations

  let node: Node
  let accounts: AccountDesk.Needs

  private var database: Database { accounts.database }
  private var journal: Journal { accounts.journal }
  private var log: Log { accounts.log }

  /// What runs until it is stopped.
  struct Work: Sendable {
    let desk: AccountDesk
    fileprivate let tasks: [Task<Void, Never>]

    /// Ends it. What is under way is sent again at the next start.
    func stop() async {
      for task in tasks { task.cancel() }
      await desk.stop()
    }
  }

  /// Answers requests, follows all rooms, and sends, from now on.
  func start() async throws -> Work {
    let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let desk = AccountDesk(accounts) { changed.yield() }
    registerMetrics()
    await ScrobbleDesk(accounts: desk, database: database, changed: { changed.yield() }).serve(on: node)
    let doubted = try await database.write { try Doubt.settle($0) }
    if doubted > 0 {
      log.warning(
        "deliveries wait that may have arrived before a backup was restored or damage mended", ["count": "\(doubted)"])
    }
    try await desk.start()
    let listens = Listens(journal: journal, log: log, now: Timestamp.now) {
      changed.yield()
      Task { await desk.wake() }
    }
    await node.follow("playback", as: Self.reader, in: database) { try listens.take($0, in: $1) }
    let log = log
    await node.follow("library", as: Self.reader, in: database) { fact, transaction in
      let rated: Library.RatingChanged?
      do { rated = try fact.decode(Library.RatingChanged.self) } catch {
        // It would hold up all that comes after it.
        return try UnreadableFacts.keep(
          fact, LunaraError(error), as: "scrobble.unreadableFact", log: log, in: transaction)
      }
      guard let rated else { return }
      try Outbox.take(rated, at: fact.time, now: .now(), transaction)
      transaction.afterCommit { Task { await desk.wake() } }
    }
    changed.yield()
    return Work(desk: desk, tasks: [Task { await publish(changes) }, Task { await announce(by: desk) }])
  }

  /// Tells how the outbox stands, at most a few times a second, and for at most a twentieth of the time: where very much
  /// waits, counting it takes a while.
  private func publish(_ changes: AsyncStream<Void>) async {
    let clock = ContinuousClock()
    for await _ in changes {
      let start = clock.now
      do {
        let state = try await database.read { transaction in
          var state = try History.tally(in: transaction)
          state.accounts = try Accounts.list(at: .now(), transaction)
          state.privateUntil = try Withholding.privateUntil(at: .now(), transaction)
          return state
        }
        await node.publish(state)
        try await Task.sleep(for: max(.milliseconds(100), (clock.now - start) * 20))
      } catch is CancellationError {
        return
      } catch {
        log.error(error)
      }
    }
  }

  /// Tells accounts what is heard now.
  private func announce(by desk: AccountDesk) async {
    var heard = NowHeard()
    for await observed in await node.states(Playback.RoomState.self) {
      guard let change = heard.take(observed.map(Self.room)) else { continue }
      do { await desk.announce(try await submission(of: change)) } catch { log.error(error) }
    }
  }

  /// What may be told; nil for nothing.
  private func submission(of change: NowHeard.Change) async throws -> Submission? {
    guard case .heard(let track, let room) = change else { return nil }
    let now = Timestamp.now()
    let withholding = try await database.read { try Withholding.read($0) }
    let occasion = Withholding.Occasion(track: track, room: room, began: now, ended: now, now: now)
    guard withholding.reason(occasion) == nil else { return nil }
    // One that no service could take is told to none.
    do { return try Submission(track, startedAt: now) } catch { return nil }
  }

  private static func room(_ observed: Observed<Playback.RoomState>) -> NowHeard.Room {
    let state = observed.value
    let isPlaying = if case .playing = state.state { !observed.away } else { false }
    return NowHeard.Room(
      room: state.room, isPlaying: isPlaying, track: state.item?.track,
      hearing: state.listen?.listen.rawValue ?? state.item?.entry.rawValue)
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
