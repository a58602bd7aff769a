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
  ///   - moved: told how many facts there are still to read, when that changes.
  ///   - failed: told of an error that holds the reader up, at first and then about once a minute.
  init(
    _ pursuit: FactPursuit, moved: @escaping @Sendable (Int64) async -> Void,
    failed: @escaping @Sendable (LunaraError) -> Void
  ) {
    let backlog = backlog
    work = Task {
      var pursuit = pursuit
      var failures = 0
      var restsUntil = ContinuousClock.now
      var lag: Int64 = 0
      while let batch = await backlog.next() {
        // What is passed over here is fetched at a later heartbeat.
        if failures > 0, batch.head == nil || ContinuousClock.now < restsUntil { continue }
        do {
          try await pursuit.takeIn(batch)
          failures = 0
        } catch {
          if Task.isCancelled { return }
          let error = LunaraError(error)
          if failures % 60 == Self.patience(with: error) { failed(error) }
          failures += 1
          restsUntil = .now + Self.rest
        }
        let reached = failures == 0 ? pursuit.reader.position : nil
        backlog.put { $0.settle(at: reached) }
        let behind = batch.head.map { pursuit.reader.lag(behind: $0) } ?? lag
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
