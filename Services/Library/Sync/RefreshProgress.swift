import Model
import Synchronization

/// The progress of a refresh while it runs, and the request to stop it.
final class RefreshProgress: Sendable {
  private let found = Atomic(0)
  private let finished = Atomic(0)
  private let listed = Atomic(false)
  private let stopped = Atomic(false)
  /// The number of the refresh, by which its end is recognised; nil where nobody waits for it.
  let refresh: Int64?

  init(refresh: Int64? = nil) { self.refresh = refresh }

  var total: Int { found.load(ordering: .relaxed) }
  var done: Int { finished.load(ordering: .relaxed) }
  /// True if `total` is final.
  var isTotalKnown: Bool { listed.load(ordering: .relaxed) }
  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  func add(found count: Int) { found.add(count, ordering: .relaxed) }
  func add(done count: Int) { finished.add(count, ordering: .relaxed) }
  func allListed() { listed.store(true, ordering: .relaxed) }

  /// Requests the refresh to stop as soon as possible.
  func stop() { stopped.store(true, ordering: .relaxed) }
}

/// The number of items a second over the last seconds. Times are relative to any fixed moment.
struct RateMeter {
  private static let span = Duration.seconds(5)
  /// The shortest time from which a rate is computed.
  private static let least = Duration.milliseconds(400)

  private var samples: [(time: Duration, done: Int)] = []

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

/// Decides when a source is refreshed. Does no I/O.
///
/// One refresh runs at a time. A request during a refresh leads to another one after it, since the running one may miss
/// the changes that are meant.
struct RefreshPlan {
  struct Refresh: Equatable {
    /// Tells the refresh from others of its source.
    var number: Int64
    var accepts: AcceptedChanges
  }

  private(set) var isRunning = false
  private var next: Refresh?

  /// Records a request; `number` is that of a new refresh, if one is needed. Returns the number of the refresh that
  /// answers the request, and true if it is to begin now.
  mutating func request(_ accepts: AcceptedChanges, number: Int64) -> (number: Int64, begins: Bool) {
    guard isRunning else {
      isRunning = true
      return (number, true)
    }
    next = Refresh(number: next?.number ?? number, accepts: (next?.accepts ?? []).union(accepts))
    return (next?.number ?? number, false)
  }

  /// Records the end of the running refresh. Returns the one that begins now; nil for none.
  mutating func finish() -> Refresh? {
    defer { next = nil }
    isRunning = next != nil
    return next
  }
}

struct SyncOutcome: Sendable {
  var new = 0
  var changed = 0
  var unchanged = 0
  var deleted = 0
  /// Tracks that were not found and stay listed.
  var held = 0
  /// True if all tracks of the source were compared. If not, problems of the last refresh about held
  /// deletions and values that were left out stay.
  var isComplete = true
  /// True if lists that the server refused before were not requested again. The problems of the last refresh about them
  /// stay.
  var areListsUnread = false
  /// True if the music changed.
  var isChanged = false
  /// True if a playlist or a collection changed.
  var areListsChanged = false
  var changes = CatalogueWriter.Changes()
  /// The problems beside those of single files, which are stored with the files.
  var problems: [LunaraError] = []
  /// The problems that explain why something was not deleted.
  private(set) var deletionProblems: [LunaraError] = []
  /// True if things that were not found stay until they are found again or a person agrees to their removal, which only
  /// a scan of all folders can tell.
  var isQuestionOpen: Bool {
    held > 0 && !deletionProblems.isEmpty
      || deletionProblems.contains { [SourceError.heldListsCode, ScanProblem.emptyCode].contains($0.code) }
  }
  /// The time that was spent on publishing portions.
  var published = Duration.zero

  mutating func keep(_ problems: [LunaraError]) {
    self.problems += problems
    deletionProblems += problems
  }

  /// Adds what was written before. `isComplete` and the problems stay those of the last step.
  mutating func add(_ before: SyncOutcome) {
    new += before.new
    changed += before.changed
    deleted += before.deleted
    // Tracks that were added or read anew before in the same refresh do not count as unchanged.
    unchanged = max(0, unchanged - before.new - before.changed)
    isChanged = isChanged || before.isChanged
    areListsChanged = areListsChanged || before.areListsChanged
    changes.albums.formUnion(before.changes.albums)
    changes.removed.formUnion(before.changes.removed.subtracting(changes.albums))
    published += before.published
  }
}
