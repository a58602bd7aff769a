public import Messages
import Model
public import Storage

/// One who watches states or presence.
struct Watcher {
  /// The kind of state; nil for presence.
  var kind: String?
  var yield: (isolated Node) -> Void
  var finish: () -> Void
}

/// One who follows the facts of a role's nodes.
struct Subscription {
  /// The role; nil for every node.
  var domain: String?
  var name: String
  var sink: any FactSink
  var followers: [NodeID: FactFollower] = [:]
}

/// Hearing: states, presence and facts of others.
extension Node {
  /// The newest value of a state of every node that publishes it: at once, and whenever a value or a node's presence
  /// changes.
  ///
  /// A slow reader gets the newest snapshot and misses those between.
  public func states<S: State>(_ type: S.Type) -> AsyncStream<[Observed<S>]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [Observed<S>].self, bufferingPolicy: .bufferingNewest(1))
    watch(
      Watcher(
        kind: S.kind, yield: { continuation.yield($0.snapshot(of: type)) }, finish: { continuation.finish() })
    ) { continuation.onTermination = $0 }
    for presence in roster.presences { fetchStates(of: presence) }
    return stream
  }

  /// The newest values of a state as they are held now.
  public func snapshot<S: State>(of type: S.Type) -> [Observed<S>] {
    let now = ContinuousClock.now
    return heard.states(ofKind: S.kind).compactMap { held -> Observed<S>? in
      do {
        return Observed(
          node: held.envelope.node, value: try MessageCoding.decode(type, from: held.envelope.payload),
          age: held.ageWhenHeard + (now - held.heardAt).milliseconds, saidAt: held.envelope.time,
          away: roster.peers[held.envelope.node]?.presence?.away ?? true)
      } catch {
        noteBadFrame(error)
        return nil
      }
    }.sorted { $0.node < $1.node }
  }

  /// Who is there and how they stand: at once, and whenever somebody comes, goes away or returns.
  public func presences() -> AsyncStream<[NodePresence]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [NodePresence].self, bufferingPolicy: .bufferingNewest(1))
    watch(
      Watcher(kind: nil, yield: { continuation.yield($0.roster.presences) }, finish: { continuation.finish() })
    ) { continuation.onTermination = $0 }
    return stream
  }

  private func watch(_ watcher: Watcher, ended: (@escaping @Sendable (Any) -> Void) -> Void) {
    nextWatcher += 1
    let number = nextWatcher
    watchers[number] = watcher
    ended { [weak self] _ in Task { await self?.unwatch(number) } }
    watcher.yield(self)
  }

  private func unwatch(_ number: Int) { watchers[number] = nil }

  /// Follows the facts of every node of a role, durably: each takes effect once, in the transaction that moves the
  /// cursor.
  ///
  /// - Parameters:
  ///   - domain: the role, which is the first word of its facts' kinds.
  ///   - reader: the cursor's name in `database`, whose migrations include `Journal.migrations`.
  ///   - apply: takes a fact in; what it throws holds the reader at this fact, and it is tried again each second.
  public func follow(
    _ domain: String, as reader: String, in database: Database,
    apply: @escaping @Sendable (ReceivedFact, Transaction) throws -> Void
  ) {
    follow(
      Subscription(domain: domain, name: reader, sink: DurableSink(reader: reader, database: database, body: apply)))
  }

  /// Follows facts without keeping a place.
  ///
  /// - Parameters:
  ///   - domain: the role; nil for all nodes.
  ///   - start: where to begin in each journal.
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
    nextWatcher += 1
    follow(
      Subscription(domain: domain, name: "passing-\(nextWatcher)", sink: EphemeralSink(start: replay, body: apply)))
  }

  private func follow(_ subscription: Subscription) {
    subscriptions.append(subscription)
    for presence in roster.presences { tellFollowers(of: presence) }
  }

  /// Hands a node's journal head to those who follow it, starting a follower for a node that is new.
  func tellFollowers(of presence: NodePresence) {
    guard let head = presence.journal, !isClosed else { return }
    for index in subscriptions.indices {
      guard subscriptions[index].domain.map({ $0 == presence.id.role }) ?? true else { continue }
      if subscriptions[index].followers[presence.id] == nil {
        subscriptions[index].followers[presence.id] = follower(of: presence.id, for: subscriptions[index])
      }
      subscriptions[index].followers[presence.id]?.take(.head(head))
    }
  }

  private func follower(of publisher: NodeID, for subscription: Subscription) -> FactFollower {
    let key = "\(subscription.name) \(publisher)"
    let report = report
    return FactFollower(
      of: publisher, into: subscription.sink,
      fetch: { [weak self] start in
        guard let self else { throw CancellationError() }
        let payload = try MessageCoding.encode(Replay(start: start))
        return try Replay.decode(
          try await self.ask(
            kind: Replay.kind, payload: payload, isCommand: false, to: publisher, within: .seconds(5), id: .random()))
      },
      moved: { [weak self] lag in await self?.note(lag: lag, of: key) }, failed: report)
  }

  private func note(lag: Int64, of key: String) { lags[key] = lag }

  /// Shows every frame that this node hears from now on.
  ///
  /// - Parameter bound: how many frames may wait; beyond it the oldest are dropped.
  public func tap(bound: Int = 10_000) -> AsyncStream<Frame> {
    let (stream, continuation) = AsyncStream.makeStream(of: Frame.self, bufferingPolicy: .bufferingNewest(bound))
    nextWatcher += 1
    let number = nextWatcher
    taps[number] = { continuation.yield($0) }
    continuation.onTermination = { [weak self] _ in Task { await self?.untap(number) } }
    renewHellos()
    for presence in roster.presences { fetchStates(of: presence) }
    return stream
  }

  private func untap(_ number: Int) { taps[number] = nil }
}
