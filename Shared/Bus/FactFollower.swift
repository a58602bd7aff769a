import Model

/// Reads one node's facts for one reader: live ones as they come, missing ones from the desk, each once and in order.
final class FactFollower: Sendable {
  private let backlog = Mailbox<FactBacklog, FactBacklog.Batch>(FactBacklog()) { $0.take() }
  private let work: Task<Void, Never>

  /// How long a reader rests after a fault, so that one that lasts is met once a second.
  static let rest = Duration.milliseconds(900)

  /// Starts.
  ///
  /// - Parameters:
  ///   - fetch: asks the publisher's desk for a page.
  ///   - moved: told how many facts there are still to read, when that changes.
  ///   - failed: told of an error that holds the reader up, at first and then about once a minute.
  ///   - executor: where it runs; nil for wherever there is room.
  init(
    of publisher: NodeID, into sink: any FactSink,
    fetch: @escaping @Sendable (ReplayStart) async throws -> FactPage,
    moved: @escaping @Sendable (Int64) async -> Void, failed: @escaping @Sendable (LunaraError) -> Void,
    on executor: (any TaskExecutor)? = nil
  ) {
    let backlog = backlog
    work = Task(executorPreference: executor) {
      var journey = Journey(
        pursuit: FactPursuit(of: publisher, as: sink.name, from: sink.start), sink: sink, fetch: fetch, report: failed)
      var failures = 0
      var restsUntil = ContinuousClock.now
      var lag: Int64 = 0
      while let batch = await backlog.next() {
        // What is passed over here is fetched at a later heartbeat.
        if failures > 0, batch.head == nil || ContinuousClock.now < restsUntil { continue }
        do {
          try await journey.takeIn(batch)
          failures = 0
        } catch {
          if Task.isCancelled { return }
          let error = LunaraError(error)
          if failures % 60 == Self.patience(with: error) { failed(error) }
          failures += 1
          restsUntil = .now + Self.rest
        }
        let reached = failures == 0 ? journey.pursuit.reader.position : nil
        backlog.put { $0.settle(at: reached) }
        let behind = batch.head.map { journey.pursuit.reader.lag(behind: $0) } ?? lag
        if behind != lag { await moved(behind) }
        lag = behind
      }
    }
  }

  deinit {
    backlog.finish()
    work.cancel()
  }

  /// How often a fault may happen before it is told: a node that has just gone is missed by its heartbeats first, and
  /// one that stops, be it this one, is no fault.
  private static func patience(with error: LunaraError) -> Int {
    ["bus.unreachable", "bus.timeout", "bus.closed"].contains(error.code) ? 3 : 0
  }

  /// Hands over a live fact.
  func take(_ fact: ReceivedFact) { backlog.put { $0.add(fact) } }

  /// Hands over where the journal ends.
  func take(head: JournalPosition) { backlog.put { $0.add(head: head) } }

  /// Stops following.
  func stop() async {
    backlog.finish()
    work.cancel()
    await work.value
  }
}

/// Does what a pursuit asks for.
private struct Journey {
  var pursuit: FactPursuit
  let sink: any FactSink
  let fetch: @Sendable (ReplayStart) async throws -> FactPage
  let report: @Sendable (LunaraError) -> Void

  /// Takes in what came: facts in order, then all that the journal has beyond them.
  mutating func takeIn(_ batch: FactBacklog.Batch) async throws {
    var event: FactPursuit.Event? = .came(batch)
    while let happened = event {
      try Task.checkCancellation()
      event = nil
      for action in pursuit.handle(happened) {
        switch action {
        case .report(let error): report(error)
        case .giveUp(let error): throw error
        case .recall, .fetch, .apply: event = await perform(action)
        }
      }
    }
  }

  private func perform(_ action: FactPursuit.Action) async -> FactPursuit.Event? {
    do {
      switch action {
      case .recall(let journal): return .recalled(try await sink.place(in: pursuit.publisher, journal: journal))
      case .fetch(let start): return .fetched(try await fetch(start))
      case .apply(let facts, let position, _):
        try await sink.apply(facts, through: position, of: pursuit.publisher)
        return .applied
      case .report, .giveUp: return nil
      }
    } catch {
      return .failed(LunaraError(error))
    }
  }
}
