import Model
import Records
import System

/// Looks at folders in which changes may not be reported, again and again, on threads of its own: a disk that does not
/// answer holds up nothing else.
final class FolderLook: Sendable {
  private struct State {
    var times = FolderTimes()
    /// The music folders.
    var roots: [[UInt8]] = []
    /// The folders that answer or do not as a whole.
    var places: [[UInt8]] = []
    /// Those of them where a request may take long.
    var distant: Set<PathKey> = []
    /// The devices whose folders keep their times.
    var timeless: Set<Int64> = []
    var isStopped = false
    /// The look that is under way.
    var requests: FolderRequests?
  }

  private let every: Duration
  private let silent: SilentFolders
  private let state = Monitor(State())

  /// - Parameters:
  ///   - every: the pause between two looks.
  ///   - silent: knows which folders do not answer.
  init(every: Duration, _ silent: SilentFolders) {
    self.every = every
    self.silent = silent
  }

  /// Takes what a scan of all folders saw.
  ///
  /// - Parameters:
  ///   - scan: what it saw.
  ///   - roots: the music folders.
  ///   - places: the folders that answer or do not as a whole.
  ///   - distant: those of them where a request may take long.
  ///   - timeless: the devices whose folders keep their times.
  func follow(
    _ scan: ScanResult, in roots: [[UInt8]], places: [[UInt8]], distant: Set<PathKey>, without timeless: Set<Int64>
  ) {
    state.change { state in
      state.times = FolderTimes(scan.times)
      state.roots = roots
      state.places = places
      state.distant = distant
      state.timeless = timeless
    }
  }

  /// Takes what a scan of some folders saw.
  func follow(_ scan: ScanResult, of changes: ChangedFolders) {
    state.change { $0.times.update(scan, of: changes) }
  }

  /// Looks until it is stopped, and calls `report` after each look that found changes. A look is given up where a
  /// folder stops answering; the next one leaves that folder out.
  func run(_ report: @escaping @Sendable (ChangedFolders) -> Void) async {
    let clock = ContinuousClock()
    var pace = FolderTimesPace(every: every)
    var pause = every
    while await BlockingThreads.value({ [self, pause] in isStopped(after: pause) }) == false {
      let (times, roots, places, distant, timeless) = state.change {
        ($0.times, $0.roots, $0.places, $0.distant, $0.timeless)
      }
      pause = every
      guard !times.isEmpty else { continue }
      let begin = clock.now
      let requests = silent.requests(in: places, distant: distant)
      state.change { $0.requests = requests }
      let found = await BlockingThreads.value(until: requests.abandonment) { [self] in
        times.changes(in: roots, by: requests, without: timeless) { isStopped(after: .zero) || requests.isAbandoned }
      }
      requests.close()
      guard let changes = found, !requests.isAbandoned else { continue }
      let hasChanges = changes != ChangedFolders()
      if hasChanges { report(changes) }
      pause = pace.pause(after: begin.duration(to: clock.now), hasChanges: hasChanges)
    }
  }

  func stop() {
    let requests = state.change { state in
      state.isStopped = true
      return state.requests
    }
    requests?.abandon()
  }

  private func isStopped(after pause: Duration) -> Bool {
    state.wait(atMost: Milliseconds(Int64(pause / .milliseconds(1)))) { $0.isStopped ? true : nil } ?? false
  }
}
