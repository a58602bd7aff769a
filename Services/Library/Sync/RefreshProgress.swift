import Model
import Synchronization

/// The progress of a refresh while it runs, and the request to stop it.
final class RefreshProgress: Sendable {
  private let found = Atomic(0)
  private let finished = Atomic(0)
  private let listed = Atomic(false)
  private let stopped = Atomic(false)

  /// Files found so far.
  var total: Int { found.load(ordering: .relaxed) }
  /// Files looked at so far.
  var done: Int { finished.load(ordering: .relaxed) }
  /// True if `total` is final.
  var isTotalKnown: Bool { listed.load(ordering: .relaxed) }
  /// True if the scan was asked to stop.
  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  func add(found count: Int) { found.add(count, ordering: .relaxed) }
  func add(done count: Int) { finished.add(count, ordering: .relaxed) }
  func allListed() { listed.store(true, ordering: .relaxed) }

  /// Asks the scan to stop after the files that are just read.
  func stop() { stopped.store(true, ordering: .relaxed) }
}

/// The speed of something over the last seconds. A pure function of its samples: times are since any fixed moment.
struct RateMeter {
  /// The time over which the speed is taken.
  private static let span = Duration.seconds(5)
  /// Less than this says nothing yet.
  private static let least = Duration.milliseconds(400)

  private var samples: [(time: Duration, done: Int)] = []

  /// Notes how much is done.
  mutating func add(_ done: Int, at time: Duration) {
    samples.append((time, done))
    while samples.count > 2, time - samples[1].time >= Self.span { samples.removeFirst() }
  }

  /// Items a second; nil where it is not known yet.
  var rate: Double? {
    guard let first = samples.first, let last = samples.last, last.time - first.time >= Self.least else { return nil }
    return (Double(last.done - first.done) / ((last.time - first.time) / .milliseconds(1)) * 1000 * 10).rounded() / 10
  }
}

/// Decides when a source is refreshed. Pure.
///
/// One refresh runs at a time. Who asks while one runs gets another one after it, since the running one may have passed
/// what they mean.
struct RefreshPlan {
  /// The events that matter.
  enum Event {
    /// A refresh is wanted.
    case wanted(AcceptedChanges)
    /// The one that ran has ended.
    case ended
  }

  private var isRunning = false
  private var next: AcceptedChanges?

  /// True if a refresh runs.
  var runs: Bool { isRunning }

  /// The refresh to begin now, as what it may do; nil for none.
  mutating func handle(_ event: Event) -> AcceptedChanges? {
    switch event {
    case .wanted(let accepts):
      if isRunning {
        next = (next ?? []).union(accepts)
        return nil
      }
      isRunning = true
      return accepts
    case .ended:
      guard let accepts = next else {
        isRunning = false
        return nil
      }
      next = nil
      return accepts
    }
  }
}

/// The result of a refresh of one source.
struct SyncOutcome: Sendable {
  var new = 0
  var changed = 0
  var unchanged = 0
  var deleted = 0
  /// Tracks that were not found and stay listed.
  var held = 0
  /// True if all that there is was compared. Where it was not, what is held is held still.
  var isComplete = true
  /// True if anything of the catalogue is different.
  var isChanged = false
  /// The albums that are shown differently.
  var changes = CatalogueWriter.Changes()
  /// The problems beside those of single files, which are stored with the files.
  var problems: [LunaraError] = []
}
