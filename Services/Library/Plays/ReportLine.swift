import Model

/// What one room tells one server, in order. Pure.
///
/// Requests that are under way together may arrive in either order, and the last one decides what the server shows. So
/// one is under way at a time, and of what waits meanwhile only the latest is told: how it was before is of no interest.
struct NowPlayingQueue {
  /// What the server was told of, or is being told of, and not yet that it stopped.
  private var told: ListenID?
  /// That what it was told of has stopped, and how things stand now; each where there is such a thing to tell.
  private var waiting: [NowPlayingReport] = []

  /// Whether there is nothing to tell, and nothing whose end is still to come.
  var isOver: Bool { told == nil && waiting.isEmpty }

  /// Takes in what is to be told next.
  mutating func add(_ report: NowPlayingReport) {
    waiting.removeAll { $0.state != .stopped || $0.listen == report.listen }
    // Nothing has stopped for a server that never heard of it.
    guard report.state != .stopped || report.listen == told else { return }
    waiting.append(report)
  }

  /// Takes out what is to be told now, once nothing is under way; nil where nothing is.
  ///
  /// - Parameter isPrivate: nothing is told but that something has stopped.
  mutating func next(isPrivate: Bool) -> NowPlayingReport? {
    if isPrivate { waiting.removeAll { $0.state != .stopped } }
    guard !waiting.isEmpty else { return nil }
    let report = waiting.removeFirst()
    told = report.state == .stopped ? nil : report.listen
    return report
  }
}
