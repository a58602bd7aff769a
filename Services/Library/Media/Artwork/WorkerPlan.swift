import Messages
import Model
import ServiceKit

/// Decides when the worker process is started, given jobs, ended and started again. Times are relative to any fixed
/// moment.
///
/// A worker that ends unexpectedly loses its jobs. Each of them is then given to a new worker as its only job, to find
/// the one that broke it; a job fails when two workers in a row have ended with it. A worker that others have killed,
/// as the system does to free memory, and one that could not be started prove nothing about a picture: those are tried
/// again, and their jobs fail only for this time where that continues. From then on until the next answer, the first
/// end by others fails the jobs that it concerns: the lost ones, or all that wait where no worker could be started.
struct WorkerPlan {
  enum Event {
    /// Thumbnails are wanted; `isUrgent` is true where somebody waits for them.
    case wanted(Artwork.Job, isUrgent: Bool)
    case answered(Artwork.Outcome)
    /// The worker has ended, with the way it did so. `byOthers` is true if neither it nor its owner has ended it.
    case ended(String, byOthers: Bool = false)
    /// The system refused to start the worker, with the cause.
    case refused(String)
    case timePassed
  }

  enum Action: Equatable {
    case start
    case send(Artwork.Job)
    case answer(Artwork.Outcome)
    /// No more jobs come: the worker may end when it is done.
    case release
    case kill
  }

  /// The most time that one picture may take.
  static let patience = Duration.seconds(20)
  /// The time that a worker without jobs is kept, and the most time that it then takes to end.
  static let idleness = Duration.seconds(10)
  /// The pause before the second start in a row, and the longest pause.
  static let firstPause = Duration.milliseconds(100)
  static let lastPause = Duration.seconds(30)
  /// The number of workers in a row that others may end before the jobs that they had fail for this time.
  static let interruptionLimit = 5

  private enum Process { case none, running, ending, killed }

  /// The most jobs that the worker has at once.
  private let width: Int
  private let patience: Duration
  private var process = Process.none
  private var urgent: ArraySlice<Artwork.Job> = []
  private var others: ArraySlice<Artwork.Job> = []
  /// Jobs of which one broke a worker.
  private var suspects: ArraySlice<Artwork.Job> = []
  private var inFlight: [Int: (job: Artwork.Job, since: Duration)] = [:]
  private var isAlone = false
  /// Jobs that a worker ended with while it had no other.
  private var blamed: Set<Int> = []
  /// The number of workers in a row that ended without an answer.
  private var failures = 0
  /// The number of workers since the last answer that others have ended, or that could not be started.
  private var interruptions = 0
  private var pausedUntil = Duration.zero
  private var idleSince = Duration.zero

  /// - Parameters:
  ///   - width: the most jobs that the worker has at once.
  ///   - patience: the most time that one picture may take.
  init(width: Int, patience: Duration = Self.patience) {
    self.width = max(1, width)
    self.patience = patience
  }

  /// The time of the next `timePassed`; nil for never.
  var deadline: Duration? {
    // The end of a process that was killed is an event, also if it waits for a disk.
    if process == .killed { return nil }
    if let oldest = inFlight.values.map(\.since).min() { return oldest + patience }
    if process == .none { return isWanted ? pausedUntil : nil }
    return idleSince + Self.idleness
  }

  private var isWanted: Bool { !(urgent.isEmpty && others.isEmpty && suspects.isEmpty) }

  /// Handles an event and returns the actions to carry out, in order.
  mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .wanted(let job, true): urgent.append(job)
    case .wanted(let job, false): others.append(job)
    case .answered(let outcome):
      guard inFlight.removeValue(forKey: outcome.id) != nil else { break }
      failures = 0
      interruptions = 0
      blamed.remove(outcome.id)
      idleSince = now
      actions.append(.answer(outcome))
    case .ended(_, _) where process == .killed: actions += ended(tooSlow, byOthers: false, at: now)
    case .ended(let cause, let byOthers): actions += ended(cause, byOthers: byOthers, at: now)
    case .refused(let cause): actions += refused(cause, at: now)
    case .timePassed:
      guard process != .killed else { return [] }
      if inFlight.values.contains(where: { $0.since + patience <= now }) {
        process = .killed
        return [.kill]
      }
      guard inFlight.isEmpty, idleSince + Self.idleness <= now else { break }
      if process == .ending {
        process = .killed
        return [.kill]
      }
      if process == .running, !isWanted {
        process = .ending
        idleSince = now
        actions.append(.release)
      }
    }
    return actions + next(at: now)
  }

  private mutating func ended(_ cause: String, byOthers: Bool, at now: Duration) -> [Action] {
    defer {
      inFlight = [:]
      process = .none
    }
    guard process == .running || !inFlight.isEmpty else { return [] }
    pause(at: now)
    let lost = inFlight.values.map(\.job).sorted { $0.id < $1.id }
    if byOthers {
      interruptions += 1
      guard interruptions >= Self.interruptionLimit else {
        // Alone they need less memory.
        suspects = lost + suspects
        return []
      }
      return Self.giveUp(lost, cause)
    }
    guard lost.count == 1, let culprit = lost.first else {
      suspects += lost
      return []
    }
    guard blamed.remove(culprit.id) != nil else {
      blamed.insert(culprit.id)
      pausedUntil = now + Self.firstPause
      suspects.insert(culprit, at: suspects.startIndex)
      return []
    }
    // The picture that broke it is known, so the next worker need not wait.
    pausedUntil = now
    return [.answer(Artwork.Outcome(id: culprit.id, failure: Artwork.badPicture(cause)))]
  }

  private mutating func refused(_ cause: String, at now: Duration) -> [Action] {
    pause(at: now)
    interruptions += 1
    let lost = inFlight.values.map(\.job).sorted { $0.id < $1.id }
    inFlight = [:]
    process = .none
    suspects = lost + suspects
    guard interruptions >= Self.interruptionLimit else { return [] }
    // No job has a worker, so none is better off if it waits for the next start.
    defer {
      suspects = []
      urgent = []
      others = []
      blamed = []
    }
    return Self.giveUp(suspects + urgent + others, cause)
  }

  /// Delays the next start, the longer the more workers in a row have ended without an answer.
  private mutating func pause(at now: Duration) {
    failures += 1
    pausedUntil = now + RetryPolicy(first: Self.firstPause, longest: Self.lastPause).pause(after: failures)
  }

  private static func giveUp(_ jobs: some Sequence<Artwork.Job>, _ cause: String) -> [Action] {
    jobs.map { .answer(Artwork.Outcome(id: $0.id, failure: interrupted(cause))) }
  }

  private mutating func next(at now: Duration) -> [Action] {
    guard isWanted, process == .running || process == .none && pausedUntil <= now else { return [] }
    var actions: [Action] = []
    if process == .none {
      process = .running
      idleSince = now
      actions = [.start]
    }
    if inFlight.isEmpty { isAlone = false }
    while !isAlone, inFlight.count < (suspects.isEmpty ? width : 1) {
      isAlone = !suspects.isEmpty
      guard let job = suspects.popFirst() ?? urgent.popFirst() ?? others.popFirst() else { break }
      inFlight[job.id] = (job, now)
      actions.append(.send(job))
    }
    return actions
  }

  private static func interrupted(_ cause: String) -> LunaraError {
    LunaraError(
      "library.noArtworkWorker",
      "The program that scales pictures was ended by the system, or could not be started, each time. Try again later.",
      cause: cause)
  }

  private var tooSlow: String { "making it smaller took longer than \(patience.components.seconds) s" }
}
