import Model
import Synchronization

/// Reads one node's facts for one reader: live ones as they come, missing ones from the publisher, each once and in
/// order.
///
/// A task handles what waits, batch by batch; `FactCatchUp` decides.
final class FactReaderLoop: Sendable {
  typealias Fetch = @Sendable (ReplayStart) async throws -> FactPage

  /// The facts and the end of the journal that are handled at once.
  struct Batch: Sendable {
    var facts: [ReceivedFact]
    /// True if there were more than could wait.
    var isCut: Bool
    var head: JournalPosition?
  }

  /// The time that a reader rests after a fault, so that one that lasts is met once a second.
  static let rest = Duration.milliseconds(900)

  private let backlog: Mailbox<Backlog, Batch>
  private let reached: Place
  private let work: Task<Void, Never>

  private final class Place: Sendable {
    let position = Mutex<JournalPosition?>(nil)
  }

  /// - Parameters:
  ///   - moved: told how many facts there are still to read, when that changes.
  ///   - failed: told of an error that holds the reader up, at first and then about once a minute, and of facts that
  ///     are lost to it.
  ///   - executor: where it runs; nil for wherever there is room.
  init(
    of publisher: NodeID, into sink: any FactSink, fetch: @escaping Fetch,
    moved: @escaping @Sendable (Int64) async -> Void, failed: @escaping @Sendable (LunaraError) -> Void,
    on executor: (any TaskExecutor)? = nil
  ) {
    let backlog = Mailbox<Backlog, Batch>(Backlog()) { $0.removeBatch() }
    let reached = Place()
    (self.backlog, self.reached) = (backlog, reached)
    work = Task(executorPreference: executor) {
      var worker = Worker(
        catchUp: FactCatchUp(of: publisher, as: sink.name, from: sink.start), sink: sink, fetch: fetch, report: failed)
      var failures = 0
      var restsUntil = ContinuousClock.now
      var lag: Int64 = 0
      while let batch = await backlog.next() {
        // A fact that is skipped here is fetched at a later heartbeat.
        if failures > 0, batch.head == nil || ContinuousClock.now < restsUntil { continue }
        do {
          try await worker.handle(batch)
          failures = 0
        } catch {
          if Task.isCancelled { return }
          let error = LunaraError(error)
          if failures % 60 == Self.patience(with: error) { failed(error) }
          failures += 1
          restsUntil = .now + Self.rest
        }
        let position = worker.catchUp.position
        reached.position.withLock { $0 = position }
        let settled = failures == 0 ? position : nil
        backlog.put { $0.settle(at: settled) }
        let behind = batch.head.map { FactCatchUp.lag(behind: $0, at: position) } ?? lag
        if behind != lag { await moved(behind) }
        lag = behind
      }
    }
  }

  deinit {
    backlog.finish()
    work.cancel()
  }

  /// Returns the number of failures before one is reported. A node that has just gone is noticed by its missing
  /// heartbeats, and one that stops, which may be this one, is no fault.
  private static func patience(with error: LunaraError) -> Int {
    ["bus.unreachable", "bus.timeout", "bus.closed"].contains(error.code) ? 3 : 0
  }

  /// The place that the reader has reached; nil as long as it is not known.
  var place: JournalPosition? { reached.position.withLock { $0 } }

  func enqueue(_ fact: ReceivedFact) { backlog.put { $0.add(fact) } }

  func enqueue(head: JournalPosition) { backlog.put { $0.add(head: head) } }

  func stop() async {
    backlog.finish()
    work.cancel()
    await work.value
  }
}

extension FactReaderLoop {
  /// The facts of one node that wait for a reader, and the end of the node's journal. Pure and bounded.
  struct Backlog {
    /// The most bytes of payload that wait; what comes beyond them is fetched from the publisher later.
    static let sizeLimit = 512 * 1024

    private var facts: [ReceivedFact] = []
    private var size = 0
    private var isCut = false
    private var head: JournalPosition?
    private var settledAt: JournalPosition?

    mutating func add(_ fact: ReceivedFact) {
      let count = fact.envelope.payload.count
      guard !isCut, facts.isEmpty || size + count <= Self.sizeLimit else {
        isCut = true
        return
      }
      facts.append(fact)
      size += count
    }

    mutating func add(head: JournalPosition) {
      if head != settledAt { self.head = head }
    }

    /// Notes the position at which the reader has everything, so that a heartbeat with that end does not wake it. With
    /// nil every heartbeat does.
    mutating func settle(at position: JournalPosition?) { settledAt = position }

    mutating func removeBatch() -> Batch? {
      guard !facts.isEmpty || isCut || head != nil else { return nil }
      defer { (facts, size, isCut, head) = ([], 0, false, nil) }
      return Batch(facts: facts, isCut: isCut, head: head)
    }
  }

  /// Performs the actions that a catch-up asks for. While a page takes effect the next one is fetched: one, and no
  /// more.
  private struct Worker {
    var catchUp: FactCatchUp
    let sink: any FactSink
    let fetch: Fetch
    let report: @Sendable (LunaraError) -> Void
    /// The page that is fetched ahead.
    var ahead: (start: ReplayStart, page: Task<FactPage, any Error>)?

    mutating func handle(_ batch: Batch) async throws {
      defer {
        ahead?.page.cancel()
        ahead = nil
      }
      var event: FactCatchUp.Event? = .received(batch)
      while let happened = event {
        event = nil
        for action in catchUp.handle(happened) {
          switch action {
          case .report(let error): report(error)
          case .giveUp(let error): throw error
          case .recall, .fetch, .apply: event = await perform(action)
          }
        }
      }
    }

    private mutating func perform(_ action: FactCatchUp.Action) async -> FactCatchUp.Event? {
      do {
        try Task.checkCancellation()
        switch action {
        case .recall(let journal): return .recalled(try await sink.place(in: catchUp.publisher, journal: journal))
        case .fetch(let start): return .fetched(try await page(from: start))
        case .apply(let facts, let position, let next):
          if let next {
            let fetch = fetch
            ahead = (next, Task { try await fetch(next) })
          }
          try await sink.apply(facts, through: position, of: catchUp.publisher)
          return .applied
        case .report, .giveUp: return nil
        }
      } catch {
        return .failed(LunaraError(error))
      }
    }

    private mutating func page(from start: ReplayStart) async throws -> FactPage {
      guard let ahead, ahead.start == start else { return try await fetch(start) }
      self.ahead = nil
      return try await withTaskCancellationHandler {
        try await ahead.page.value
      } onCancel: {
        ahead.page.cancel()
      }
    }
  }
}
