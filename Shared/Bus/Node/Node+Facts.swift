import Messages
import Model
public import Storage

/// Reading the facts of other nodes.
extension Node {
  /// Subscribes durably to the facts of all nodes of a role: each fact is applied once, in the transaction that moves
  /// the cursor.
  ///
  /// - Parameters:
  ///   - domain: the role, which is the first word of the kinds.
  ///   - reader: the name of the cursor.
  ///   - database: the database of the cursor and of the effects; its migrations include `Journal.migrations`.
  ///   - apply: applies a fact; if it throws, the reader stays at this fact, and tries it again each second.
  public func follow(
    _ domain: String, as reader: String, in database: Database,
    apply: @escaping @Sendable (ReceivedFact, Transaction) throws -> Void
  ) {
    follow(domain, into: DurableSink(cursor: reader, database: database, body: apply))
  }

  /// Subscribes to facts without storing a place.
  ///
  /// - Parameters:
  ///   - domain: the role; nil for all nodes.
  ///   - start: the start in each journal that is met for the first time.
  ///   - apply: handles a fact; the next fact is passed only after it returned.
  public func follow(
    _ domain: String?, from start: ReplayStart, apply: @escaping @Sendable (ReceivedFact) async -> Void
  ) {
    follow(domain, into: EphemeralSink(start: start, body: apply))
  }

  private func follow(_ domain: String?, into sink: any FactSink) {
    guard !isClosed else { return }
    facts.add(sink, domain: domain)
    for presence in roster.presences where !presence.away { readFacts(of: presence) }
  }

  /// Passes the end of a node's journal to its readers, and starts the missing ones.
  func readFacts(of presence: NodePresence) {
    guard let head = presence.journal, !isClosed else { return }
    for subscription in facts.lacking(presence.id) {
      facts.add(loop(of: presence.id, for: subscription), of: presence.id, to: subscription.number)
    }
    facts.deliver(head: head, of: presence.id)
  }

  private func loop(of publisher: NodeID, for subscription: FactSubscription) -> FactReaderLoop {
    let number = subscription.number
    let sink = CountingSink(
      sink: subscription.sink, progress: facts.progress, subscription: number,
      domain: publisher.isReplay ? subscription.domain : nil)
    return FactReaderLoop(
      of: publisher, into: sink,
      fetch: { [weak self] start in
        guard let self else { throw Self.closedError }
        let payload = try MessageCoding.encode(Replay(start: start))
        let answer = try await self.ask(kind: Replay.kind, payload: payload, to: publisher, within: .seconds(5))
        let page = try await withTaskExecutorPreference(globalConcurrentExecutor) {
          try Replay.decode(answer.payload)
        }
        await self.count(page)
        return page
      },
      moved: { [weak self] lag in await self?.update(lag: lag, of: publisher, for: number) }, failed: report,
      on: subscription.sink.mayRunOnIOThread ? thread : nil)
  }

  private func count(_ page: FactPage) {
    meter.pages += 1
    meter.factsFetched += page.facts.count
  }

  private func update(lag: Int64, of publisher: NodeID, for subscription: Int) {
    facts.update(lag: lag, of: publisher, for: subscription)
  }

  /// Records the positions of a peer's durable readers in this node's journal, as its hello states them.
  func record(_ cursors: [ReaderCursor], of reader: NodeID) {
    guard let journal, !cursors.isEmpty else { return }
    let now = Timestamp.now()
    let hasNew = journal.record(cursors, of: reader, at: now)
    let report = report
    Task {
      do {
        try await journal.check(cursors, of: reader)
        if hasNew { try await journal.writeReaders(at: now) }
      } catch {
        report(LunaraError(error))
      }
    }
  }

  /// Returns the progress of this node's readers through the journals of other nodes.
  ///
  /// - Returns: the sum of the sequence numbers that were read, and true if all facts were read: every node on this
  ///   machine has stated its presence, and no reader is behind.
  public func readingProgress() -> (read: Int64, isThrough: Bool) {
    let readers = facts.progress.readers
    let present = roster.presences.filter { !$0.away }
    var isThrough = nodes().allSatisfy { node in node.isTransient || roster.peers[node]?.presence != nil }
    for presence in present {
      guard let head = presence.journal else { continue }
      let loops = facts.list.count { $0.loops[presence.id] != nil }
      let through = readers.count {
        $0.node == presence.id && $0.position.journal == head.journal && $0.position.seq >= head.seq
      }
      if through < loops { isThrough = false }
    }
    return (readers.reduce(0) { $0 + $1.position.seq }, isThrough)
  }
}
