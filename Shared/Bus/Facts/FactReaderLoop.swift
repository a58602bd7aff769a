import Model
import Synchronization

/// Reads one node's facts for one reader: live facts as they come, missing ones from the publisher, each once and in
/// order.
///
/// A task handles the waiting facts in batches; `FactCatchUp` decides what to do.
final class FactReaderLoop: Sendable {
  typealias Fetch = @Sendable (ReplayStart) async throws -> FactPage

  /// The facts and the end of the journal that are handled together.
  struct Batch: Sendable {
    var facts: [ReceivedFact]
    /// True if some facts were dropped because too many waited.
    var isCut: Bool
    var head: JournalPosition?
  }

  /// The pause after a failure; a lasting failure is so retried about once a second.
  static let rest = Duration.milliseconds(900)

  private let backlog: Mailbox<Backlog, Batch>
  private let reached: Place
  private let work: Task<Void, Never>

  private final class Place: Sendable {
    let position = Mutex<JournalPosition?>(nil)
  }

  /// - Parameters:
  ///   - publisher: the node whose journal is read.
  ///   - sink: the reader that applies the facts.
  ///   - fetch: fetches a page from the publisher.
  ///   - moved: called with the number of facts that are still to be read, when it changes.
  ///   - failed: called with an error that stops the reader, first at once or after a few failures, then about once a
  ///     minute; also called when facts are lost.
  ///   - executor: the executor of the loop; nil for the global one.
  init(
    of publisher: NodeID, into sink: any FactSink, fetch: @escaping Fetch,
    moved: @escaping @Sendable (Int64) async -> Void, failed: @escaping @Sendable (LunaraError) -> Void,
    on executor: (any TaskExecutor)? = nil
  ) {
    let backlog = Mailbox<Backlog, Batch>(Backlog()) { $0.removeBatch() }
    let reached = Place()
    self.backlog = backlog
    self.reached = reached
    work = Task(executorPreference: executor) {
      var worker = Worker(
        catchUp: FactCatchUp(of: publisher, as: sink.name, from: sink.start), sink: sink, fetch: fetch, report: failed)
      var failures = 0
      var restsUntil = ContinuousClock.now
      var lag: Int64 = 0
      while let batch = await backlog.next() {
        // Facts that are skipped during the pause are fetched at a later heartbeat.
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
        let end = failures == 0 ? position : nil
        backlog.put { $0.markRead(to: end) }
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

  /// Returns the number of failures before the error is reported. A node that has just gone is noticed by its missing
  /// heartbeats, and a node that closes, which may be this one, is not an error.
  private static func patience(with error: LunaraError) -> Int {
    ["bus.unreachable", "bus.timeout", "bus.closed"].contains(error.code) ? 3 : 0
  }

  /// The place that the reader has reached; nil while it is unknown.
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
    /// The largest number of bytes of payload that wait; facts beyond it are fetched from the publisher later.
    static let sizeLimit = 512 * 1024

    private var facts: [ReceivedFact] = []
    private var size = 0
    private var isCut = false
    private var head: JournalPosition?
    private var readTo: JournalPosition?

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
      if head != readTo { self.head = head }
    }

    /// Stores the end at which the reader has all facts, so that a heartbeat with that end does not wake it. With nil
    /// every heartbeat wakes it.
    mutating func markRead(to position: JournalPosition?) { readTo = position }

    mutating func removeBatch() -> Batch? {
      guard !facts.isEmpty || isCut || head != nil else { return nil }
      defer {
        facts = []
        size = 0
        isCut = false
        head = nil
      }
      return Batch(facts: facts, isCut: isCut, head: head)
    }
  }

  /// Performs the actions of a `FactCatchUp`. While a page is applied, one further page is fetched ahead.
  private struct Worker {
    var catchUp: FactCatchUp
    let sink: any FactSink
    let fetch: Fetch
    let report: @Sendable (LunaraError) -> Void
    /// The page that is being fetched ahead.
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
