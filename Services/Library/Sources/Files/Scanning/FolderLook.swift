import Model
import Records
import System

/// Looks at folders in which changes may not be reported, again and again, on a thread of its own: a disk that does not
/// answer holds up nothing else.
final class FolderLook: Sendable {
  private struct State {
    var times = FolderTimes()
    /// The music folders.
    var roots: [[UInt8]] = []
    var isStopped = false
  }

  private let every: Duration
  private let state = Monitor(State())

  /// - Parameter every: the pause between two looks.
  init(every: Duration) { self.every = every }

  /// Takes what a scan of all folders saw.
  func follow(_ scan: ScanResult, in roots: [[UInt8]]) {
    state.change { state in
      state.times = FolderTimes(scan.times)
      state.roots = roots
    }
  }

  /// Takes what a scan of some folders saw.
  func follow(_ scan: ScanResult, of changes: ChangedFolders) {
    state.change { $0.times.update(scan, of: changes) }
  }

  /// Looks until it is stopped, and calls `report` after each look that found changes.
  func run(_ report: (ChangedFolders) -> Void) {
    let clock = ContinuousClock()
    var pace = FolderTimesPace(every: every)
    var pause = every
    while !isStopped(after: pause) {
      let (times, roots) = state.change { ($0.times, $0.roots) }
      pause = every
      guard !times.isEmpty else { continue }
      let begin = clock.now
      let changes = times.changes(in: roots) { isStopped(after: .zero) }
      let hasChanges = changes != ChangedFolders()
      if hasChanges { report(changes) }
      pause = pace.pause(after: begin.duration(to: clock.now), hasChanges: hasChanges)
    }
  }

  func stop() { state.change { $0.isStopped = true } }

  private func isStopped(after pause: Duration) -> Bool {
    state.wait(atMost: Milliseconds(Int64(pause / .milliseconds(1)))) { $0.isStopped ? true : nil } ?? false
  }
}
