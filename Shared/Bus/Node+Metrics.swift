import Messages
import Model

/// A node's figures.
extension Node {
  /// How often a node says how it stands, while somebody wants signals.
  static let betweenMetrics = Duration.seconds(10)

  /// How this node's side of the bus stands now.
  func busMetrics() -> BusMetrics {
    var counts = meter
    counts.factsApplied = tally.applied
    let away = roster.presences.count { $0.away }
    return BusMetrics(
      counts: counts, openRequests: requests.pending.count, handling: openRequests.count, lag: presence().lag,
      journalHead: journal == nil ? nil : journalHead, statesHeld: own.held.count + heard.held.count,
      peers: roster.presences.count - away, peersAway: away)
  }

  /// All figures of this process: of its bus, and what was registered in `metrics`.
  public func readMetrics() async -> [Metric] {
    let bus = busMetrics().metrics
    return bus + (await metrics.read(report: report))
  }

  /// Says how this node stands, where it is time and somebody wants signals.
  func tellMetrics(at now: ContinuousClock.Instant) {
    guard nextMetrics <= now else { return }
    nextMetrics = now + Self.betweenMetrics
    if roster.someoneWantsSignals { emit(busMetrics()) }
  }

  /// Counts a fact that came live, and those that were passed over before it.
  func count(_ fact: Envelope) {
    guard let position = fact.position else { return }
    if let last = lastLive[fact.node], last.journal == position.journal, last.epoch == position.epoch,
      position.seq > last.seq
    {
      meter.factGaps += Int(clamping: position.seq - last.seq - 1)
    }
    lastLive[fact.node] = position
  }
}
