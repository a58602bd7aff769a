import Synchronization

/// How far a scan has come, for whoever wants to show it while it runs; and the wish to stop it.
final class RefreshProgress: Sendable {
  private let found = Atomic(0)
  private let finished = Atomic(0)
  private let listed = Atomic(false)
  private let stopped = Atomic(false)

  /// Files found so far.
  var total: Int { found.load(ordering: .relaxed) }
  /// Files looked at so far.
  var done: Int { finished.load(ordering: .relaxed) }
  /// Whether `total` is final.
  var isTotalKnown: Bool { listed.load(ordering: .relaxed) }
  /// Whether the scan was asked to stop.
  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  func add(found count: Int) { found.add(count, ordering: .relaxed) }
  func add(done count: Int) { finished.add(count, ordering: .relaxed) }
  func allListed() { listed.store(true, ordering: .relaxed) }

  /// Asks the scan to stop after the files that are just read.
  func stop() { stopped.store(true, ordering: .relaxed) }
}
