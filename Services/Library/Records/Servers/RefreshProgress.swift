import Model
import Synchronization

/// The progress of a refresh while it runs, and the request to stop it.
package final class RefreshProgress: Sendable {
  private let found = Atomic(0)
  private let finished = Atomic(0)
  private let listed = Atomic(false)
  private let stopped = Atomic(false)
  /// The number of the refresh, by which its end is recognised; nil if nobody waits for it.
  package let refresh: Int64?

  package init(refresh: Int64? = nil) { self.refresh = refresh }

  package var total: Int { found.load(ordering: .relaxed) }
  package var done: Int { finished.load(ordering: .relaxed) }
  /// True if `total` is final.
  package var isTotalKnown: Bool { listed.load(ordering: .relaxed) }
  package var isStopped: Bool { stopped.load(ordering: .relaxed) }

  package func add(found count: Int) { found.add(count, ordering: .relaxed) }
  package func add(done count: Int) { finished.add(count, ordering: .relaxed) }
  package func allListed() { listed.store(true, ordering: .relaxed) }

  /// Begins to count anew, as the refresh does.
  package func beginAnew() {
    found.store(0, ordering: .relaxed)
    finished.store(0, ordering: .relaxed)
    listed.store(false, ordering: .relaxed)
  }

  /// Requests the refresh to stop as soon as possible.
  package func stop() { stopped.store(true, ordering: .relaxed) }
}
