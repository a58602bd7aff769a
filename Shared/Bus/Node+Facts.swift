import Messages
import Model
public import Storage

/// One who follows the facts of a role's nodes.
struct Subscription {
  /// Tells it from the others of this node.
  var number: Int
  /// The role; nil for every node.
  var domain: String?
  var sink: any FactSink
  var followers: [NodeID: FactFollower] = [:]
}

/// Hearing the facts of others.
extension Node {
  /// Follows the facts of every node of a role, durably: each takes effect once, in the transaction that moves the
  /// cursor.
  ///
  /// - Parameters:
  ///   - domain: the role, which is the first word of its facts' kinds.
  ///   - reader: the cursor's name.
  ///   - database: where the cursor is kept and the effects go; its migrations include `Journal.migrations`.
  ///   - apply: takes a fact in; what it throws holds the reader at this fact, and it is tried again each second.
  public func follow(
    _ domain: String, as reader: String, in database: Database,
    apply: @escaping @Sendable (ReceivedFact, Transaction) throws -> Void
  ) {
    follow(domain, into: DurableSink(cursor: reader, database: database, body: apply))
  }

  /// Follows facts without keeping a place.
  ///
  /// - Parameters:
  ///   - domain: the role; nil for all nodes.
  ///   - start: where to begin in each journal that is met for the first time.
  ///   - apply: is awaited before the next fact, so a slow reader is waited for.
  public func follow(
    _ domain: String?, from start: StartingPoint, apply: @escaping @Sendable (ReceivedFact) async -> Void
  ) {
    let replay: ReplayStart =
      switch start {
      case .head: .head
      case .oldest: .oldest
      case .since(let time): .since(time)
      }
    follow(domain, into: EphemeralSink(start: replay, body: apply))
  }

  private func follow(_ domain: String?, into sink: any FactSink) {
    guard !isClosed else { return }
    nextWatcher += 1
    subscriptions.append(Subscription(number: nextWatcher, domain: domain, sink: sink))
    for presence in roster.presences where !presence.away { tellFollowers(of: presence) }
  }

  /// Hands a node's journal head to those who follow it, starting a follower for a node that is new.
  func tellFollowers(of presence: NodePresence) {
    guard let head = presence.journal, !isClosed else { return }
    for index in subscriptions.indices {
      guard subscriptions[index].domain.map({ $0 == presence.id.role || presence.id.isReplay }) ?? true else {
        continue
      }
      if subscriptions[index].followers[presence.id] == nil {
        subscriptions[index].followers[presence.id] = follower(of: presence.id, for: subscriptions[index])
      }
      subscriptions[index].followers[presence.id]?.take(head: head)
    }
  }

  private func follower(of publisher: NodeID, for subscription: Subscription) -> FactFollower {
    let number = subscription.number
    let intake = FactIntake(
      sink: subscription.sink, tally: tally, subscription: number,
      domain: publisher.isReplay ? subscription.domain : nil)
    return FactFollower(
      of: publisher, into: intake,
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
      moved: { [weak self] lag in await self?.note(lag: lag, of: publisher, for: number) }, failed: report,
      on: subscription.sink.mayRunOnIOThread ? thread : nil)
  }

  private func count(_ page: FactPage) {
    meter.pages += 1
    meter.factsFetched += page.facts.count
  }

  private func note(lag: Int64, of publisher: NodeID, for subscription: Int) {
    lags[publisher, default: [:]][subscription] = lag == 0 ? nil : lag
  }
}

/// How far readers are, as hellos tell it.
extension Node {
  /// The places of this node's durable readers in a peer's journal.
  func cursors(in node: NodeID) -> [ReaderCursor] {
    subscriptions.compactMap { subscription in
      guard let reader = subscription.sink.reader, let place = subscription.followers[node]?.place else { return nil }
      return ReaderCursor(reader: reader, position: place)
    }
  }

  /// A peer's hello told how far its durable readers are in this node's journal.
  func noted(_ cursors: [ReaderCursor], of reader: NodeID) {
    guard let journal, !cursors.isEmpty else { return }
    let now = Timestamp.now()
    let hasNew = journal.noted(cursors, of: reader, at: now)
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
}
