import Model
import Synchronization

/// Reads one node's facts for one reader: live ones as they come, missing ones from the desk, each once and in order.
final class FactFollower: Sendable {
  private let backlog: Mailbox<FactBacklog, FactBacklog.Batch>
  private let reached: Place
  private let work: Task<Void, Never>

  /// The place that the reader has reached; nil as long as it is not known.
  private final class Place: Sendable {
    let position = Mutex<JournalPosition?>(nil)
  }

  /// How long a reader rests after a fault, so that one that lasts is met once a second.
  static let rest = Duration.milliseconds(900)

  /// Starts.
  ///
  /// - Parameters:
  ///   - fetch: asks the publisher's desk for a page.
  ///   - moved: told how many facts there are still to read, when that changes.
  ///   - failed: told of an error that holds the reader up, at first and then about once a minute, and of facts that
  ///     are lost to it.
  ///   - executor: where it runs; nil for wherever there is room.
  init(
    of publisher: NodeID, into sink: any FactSink,
    fetch: @escaping @Sendable (ReplayStart) async throws -> FactPage,
    moved: @escaping @Sendable (Int64) async -> Void, failed: @escaping @Sendable (LunaraError) -> Void,
    on executor: (any TaskExecutor)? = nil
  ) {
    let backlog = Mailbox<FactBacklog, FactBacklog.Batch>(FactBacklog()) { $0.take() }
    let reached = Place()
    (self.backlog, self.reached) = (backlog, reached)
    work = Task(executorPreference: executor) {
      var journey = FactJourney(
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
        let position = journey.pursuit.reader.position
        reached.position.withLock { $0 = position }
        let settled = failures == 0 ? position : nil
        backlog.put { $0.settle(at: settled) }
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

  /// The place that the reader has reached; nil as long as it is not known.
  var place: JournalPosition? { reached.position.withLock { $0 } }

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
