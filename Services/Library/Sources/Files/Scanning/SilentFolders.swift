package import Bus
package import Model
package import Records
import Synchronization
import System

/// Finds out which folders do not answer: those in which a request to the file system has been under way for `patience`
/// without an answer. Nothing can end the thread that waits for it; its answer shows that the folder is there again.
package final class SilentFolders: Sendable {
  /// The work of one thread in a folder, which counts the answers that it gets.
  final class Visit: Sendable {
    fileprivate let place: PathKey
    private let count = Atomic(0)
    private let begin = MonotonicClock.microseconds()
    /// The time until the first answer, in microseconds; 0 before it.
    private let first = Atomic<Int64>(0)
    fileprivate var answers: Int { count.load(ordering: .relaxed) }
    fileprivate var latency: Int64 { first.load(ordering: .relaxed) }

    fileprivate init(_ place: PathKey) { self.place = place }

    func answered() {
      guard count.add(1, ordering: .relaxed).newValue == 1 else { return }
      first.store(max(1, MonotonicClock.microseconds() - begin), ordering: .relaxed)
    }
  }

  private struct Watched {
    var visit: Visit
    var answers = 0
    /// The time when `answers` was last seen to change.
    var since: SuspendingClock.Instant
    var isSilent = false
  }

  private struct State {
    var visits: [ObjectIdentifier: Watched] = [:]
    /// The places that do not answer, with the times of the oldest requests that wait there.
    var silent: [PathKey: Timestamp] = [:]
    var scans: [ObjectIdentifier: FolderRequests] = [:]
    var changed: (@Sendable () -> Void)?
    var isChecking = false
  }

  /// The time without an answer after which a folder counts as silent.
  static let patience = Duration.seconds(30)

  private let patience: Duration
  private let state = Mutex(State())

  /// - Parameter patience: the time without an answer after which a folder counts as silent.
  package init(patience: Duration = SilentFolders.patience) { self.patience = patience }

  /// Has `changed` called when a folder stops answering, and when it answers again.
  func onChange(_ changed: @escaping @Sendable () -> Void) { state.withLock { $0.changed = changed } }

  /// Registers the metric of the music folders that do not answer, and of shares in them; it is 0 for the others.
  package func register(
    in metrics: MetricRegistry, of folders: MusicFolders, now: @escaping @Sendable () -> Timestamp
  ) {
    metrics.family(
      "library_folder_silent_seconds", "Time for which a music folder has not answered, in seconds.", .gauge
    ) { [self] in
      let (roots, silent) = (folders.all, silent)
      let places = silent.keys.map(\.bytes).filter { place in roots.contains { FilePath.isWithin(place, $0) } }
      return Set((roots + places).map(PathKey.init)).map { place in
        let seconds = silent[place].map { max(.zero, now() - $0).seconds } ?? 0
        return .init(seconds, ["folder": LocalPath(bytes: place.bytes).description])
      }
    }
  }

  /// The folders that do not answer, with the times since which they do not.
  var silent: [PathKey: Timestamp] { state.withLock(\.silent) }

  /// Begins a scan, or a look, that leaves out the folders that do not answer now, and is abandoned when another one
  /// stops answering. `close` ends it.
  ///
  /// - Parameters:
  ///   - places: the folders that answer or do not as a whole: music folders, and what is mounted in them.
  ///   - distant: those of them where a request may take long, and others need not wait for it.
  ///   - remote: those of them that lie on other machines.
  ///   - numbers: tells where inode numbers last.
  func requests(
    in places: [[UInt8]], distant: Set<PathKey> = [], remote: Set<PathKey> = [],
    numbers: InodeNumbers? = nil
  ) -> FolderRequests {
    state.withLock { state in
      let requests = FolderRequests(
        places, distant: distant, remote: remote, numbers: numbers, leavingOut: state.silent, of: self)
      state.scans[ObjectIdentifier(requests)] = requests
      return requests
    }
  }

  /// Forgets which folders do not answer, as other disks are mounted now: the threads that wait may do so for a disk
  /// that is gone.
  func forget() {
    state.withLock { state in
      state.silent = [:]
      state.visits = state.visits.filter { !$0.value.isSilent }
    }
  }

  fileprivate func close(_ requests: FolderRequests) {
    state.withLock { $0.scans[ObjectIdentifier(requests)] = nil }
  }

  fileprivate func enter(_ place: PathKey) -> Visit {
    let visit = Visit(place)
    let begins = state.withLock { state in
      state.visits[ObjectIdentifier(visit)] = Watched(visit: visit, since: .now)
      defer { state.isChecking = true }
      return !state.isChecking
    }
    if begins { Task { [weak self, patience] in await Self.check(of: self, every: patience / 15) } }
    return visit
  }

  fileprivate func leave(_ visit: Visit) {
    let changed = state.withLock { state -> (@Sendable () -> Void)? in
      let watched = state.visits.removeValue(forKey: ObjectIdentifier(visit))
      let isLast = !state.visits.values.contains { $0.isSilent && $0.visit.place == visit.place }
      guard watched?.isSilent == true, isLast else { return nil }
      state.silent[visit.place] = nil
      return state.changed
    }
    changed?()
  }

  /// Looks again and again until no request is under way.
  private static func check(of folders: @autoclosure () -> SilentFolders?, every pause: Duration) async {
    while true {
      // The task is never cancelled.
      do { try await Task.sleep(for: pause) } catch { return }
      guard let folders = folders() else { return }
      let isDone = folders.state.withLock { state in
        state.isChecking = !state.visits.isEmpty
        return !state.isChecking
      }
      if isDone { return }
      folders.check(at: .now)
    }
  }

  /// Notes which requests were answered by now, and which folders have become silent.
  private func check(at now: SuspendingClock.Instant) {
    let (abandoned, changed) = state.withLock { state -> ([FolderRequests], (@Sendable () -> Void)?) in
      var new: Set<PathKey> = []
      for (id, watched) in state.visits {
        let answers = watched.visit.answers
        if answers != watched.answers {
          state.visits[id]?.answers = answers
          state.visits[id]?.since = now
          state.visits[id]?.isSilent = false
        } else if !watched.isSilent, watched.since.duration(to: now) >= patience {
          state.visits[id]?.isSilent = true
          let place = watched.visit.place
          if state.silent[place] == nil {
            state.silent[place] = .now() - Milliseconds(Int64(watched.since.duration(to: now) / .milliseconds(1)))
            new.insert(place)
          }
        }
      }
      let waiting = Set(state.visits.values.lazy.filter(\.isSilent).map(\.visit.place))
      let isBack = state.silent.keys.contains { !waiting.contains($0) }
      state.silent = state.silent.filter { waiting.contains($0.key) }
      let abandoned = new.isEmpty ? [] : state.scans.values.filter { $0.reads(anyOf: new) }
      return (abandoned, isBack || !new.isEmpty ? state.changed : nil)
    }
    for requests in abandoned { requests.abandon() }
    changed?()
  }
}

/// The requests of one scan, or of one look, to the folders. Those that do not answer are left out.
final class FolderRequests: Sendable {
  /// The folders that are left out, with the times since which they do not answer.
  let silent: [PathKey: Timestamp]
  /// Ends the waiting for the threads of the scan.
  let abandonment = Abandonment()
  /// The folders that answer or do not as a whole, those in others before these.
  private let places: [[UInt8]]
  private let distant: Set<PathKey>
  private let remote: Set<PathKey>
  private let numbers: InodeNumbers?
  private let folders: SilentFolders
  private let latencies = Mutex<[PathKey: Latency]>([:])

  /// The times that a distant place takes to answer.
  private struct Latency {
    /// An average in which the last times count most, in microseconds.
    var average: Double
    /// The number of times.
    var count = 0
    /// The number of times that were long.
    var slow = 0

    /// True if most times were long. A few say nothing, nor do single long ones: a disk may have had to start.
    var isSlow: Bool { count >= 4 && slow * 2 > count }
  }

  /// The time of a request, in microseconds, from which on a place is slow.
  private static let slowLatency: Int64 = 20_000
  /// The most requests of one thread at once.
  private static let widest = 16
  /// The time of a request, in microseconds, for which one more of them is under way.
  private static let latencyOfOne = 250.0

  fileprivate init(
    _ places: [[UInt8]], distant: Set<PathKey> = [], remote: Set<PathKey> = [], numbers: InodeNumbers? = nil,
    leavingOut silent: [PathKey: Timestamp] = [:], of folders: SilentFolders
  ) {
    self.places = places.sorted { $0.count > $1.count }
    self.distant = distant
    self.remote = remote
    self.numbers = numbers
    let known = Set(places.map(PathKey.init))
    self.silent = silent.filter { known.contains($0.key) }
    self.folders = folders
  }

  /// The requests of a scan that waits for each folder for ever.
  static func patient(in places: [[UInt8]]) -> FolderRequests {
    FolderRequests(places, of: SilentFolders())
  }

  var isAbandoned: Bool { abandonment.isAbandoned }
  func abandon() { abandonment.abandon() }
  func close() { folders.close(self) }

  /// Returns true if a folder does not answer, or if one above or below it does not.
  func touchesSilent(_ folder: [UInt8]) -> Bool {
    silent.keys.contains { FilePath.isWithin($0.bytes, folder) || FilePath.isWithin(folder, $0.bytes) }
  }

  /// Returns true if a folder, or the one that it lies in, does not answer.
  func isSilent(_ folder: [UInt8]) -> Bool { !silent.isEmpty && silent[place(of: folder)] != nil }

  fileprivate func reads(anyOf places: Set<PathKey>) -> Bool { places.contains { silent[$0] == nil } }

  private func place(of folder: [UInt8]) -> PathKey {
    PathKey(places.first { FilePath.isWithin(folder, $0) } ?? folder)
  }

  /// True if some of the folders are distant.
  var hasDistant: Bool { !distant.isEmpty }

  /// Returns true for a folder where a request may take long.
  func isDistant(_ folder: [UInt8]) -> Bool { !distant.isEmpty && distant.contains(place(of: folder)) }

  /// Returns how many requests to a folder are to be under way at once: more, the longer each takes, and one for a disk
  /// of this machine, whose head has to move for each.
  func width(of folder: [UInt8]) -> Int {
    guard !distant.isEmpty else { return 1 }
    let latency = latencies.withLock { $0[place(of: folder)]?.average } ?? 0
    return max(1, min(Self.widest, Int(latency / Self.latencyOfOne)))
  }

  private func note(_ latency: Int64, of place: PathKey) {
    guard latency > 0, distant.contains(place) else { return }
    latencies.withLock { latencies in
      var known = latencies[place] ?? Latency(average: Double(latency))
      known.average = known.average * 0.9 + Double(latency) * 0.1
      known.count += 1
      if latency >= Self.slowLatency { known.slow += 1 }
      latencies[place] = known
    }
  }

  /// Returns the stamp of a file.
  func stamp(_ status: FileStatus) -> FileStamp {
    FileStamp(status, isNumbered: numbers?.last(on: status.device) ?? true)
  }

  /// The places on other machines that answer slowly, sorted, with the time of a request.
  var slow: [(folder: [UInt8], latency: Duration)] {
    latencies.withLock { latencies in
      latencies.filter { $0.value.isSlow && remote.contains($0.key) }.map {
        ($0.key.bytes, Duration.microseconds($0.value.average))
      }
    }.sorted { $0.folder.lexicographicallyPrecedes($1.folder) }
  }

  /// Runs `body`, which blocks for requests to a folder, and notes each answer.
  func visit<Value, Failure: Error>(
    _ folder: [UInt8], _ body: (SilentFolders.Visit) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let visit = folders.enter(place(of: folder))
    defer {
      folders.leave(visit)
      note(visit.latency, of: visit.place)
    }
    return try body(visit)
  }
}
