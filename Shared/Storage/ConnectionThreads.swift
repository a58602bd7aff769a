import Model
import System

/// The place of a job among those that wait for a connection.
public enum JobPriority: Sendable {
  /// After all others that wait, in the order in which such jobs were submitted: for the many steps of long work.
  case background
  /// Before all background jobs, in the order in which such jobs were submitted.
  case normal
}

/// A pool of threads, each with its own connection, that run jobs by priority and then in the order in which they were
/// submitted.
///
/// SQLite blocks, so it never runs on the cooperative pool. Threads start when there is work. After some idle seconds
/// they close their connections and end; those of a pool whose threads stay only give memory back.
final class ConnectionThreads: Sendable {
  private struct State: Sendable {
    var jobs = FIFO<Job>()
    var backgroundJobs = FIFO<Job>()
    var running: Set<SystemThread> = []
    var idle = 0
    /// The number of threads that close their connections for good.
    var ending = 0
    /// Threads that have ended and are still to be joined.
    var ended: [SystemThread] = []
    var isClosed = false
    /// Set where nobody will join.
    var isAbandoned = false
    var onEnd: [CheckedContinuation<Void, Never>] = []

    var jobCount: Int { jobs.count + backgroundJobs.count }

    mutating func append(_ job: @escaping Job, _ priority: JobPriority) {
      switch priority {
      case .normal: jobs.append(job)
      case .background: backgroundJobs.append(job)
      }
    }

    mutating func removeEnded() -> [SystemThread] {
      defer { ended = [] }
      return ended
    }
  }

  let path: String
  private let limit: Int
  private let stays: Bool
  private let linger: Milliseconds
  private let open: @Sendable () throws -> DatabaseConnection
  private let state = Monitor(State())

  /// Creates a pool of at most `limit` threads, whose connections `open` opens. A thread that had no job for `linger`
  /// ends, unless `stays` is true.
  init(
    path: String, limit: Int, stays: Bool, linger: Milliseconds,
    open: @escaping @Sendable () throws -> DatabaseConnection
  ) {
    self.path = path
    self.limit = limit
    self.stays = stays
    self.linger = linger
    self.open = open
  }

  /// Queues a job. Throws `storage.closed` after `close()`, and `storage.failed` where no thread can be started.
  func submit(_ job: @escaping Job, _ priority: JobPriority = .normal) throws {
    let ended: [SystemThread] = try state.change { state in
      guard !state.isClosed else { throw StorageError.closed(path) }
      if state.jobCount >= state.idle, state.running.count < limit { state.running.insert(try start()) }
      state.append(job, priority)
      return state.removeEnded()
    }
    for thread in ended { thread.join() }
  }

  var waitingJobs: Int { state.change { $0.jobCount } }

  /// Refuses new jobs, runs those that wait, and ends the threads with their connections.
  func close() async {
    await withCheckedContinuation { continuation in
      let isEnded = state.change { state in
        state.isClosed = true
        guard !state.running.isEmpty || state.ending > 0 else { return true }
        state.onEnd.append(continuation)
        return false
      }
      if isEnded { continuation.resume() }
    }
    // These threads have nothing left to run, so joining them takes no time.
    for thread in state.change({ $0.removeEnded() }) { thread.join() }
  }

  /// Does the same as `close()`, without waiting for the threads to end.
  func abandon() {
    let ended = state.change { state in
      state.isClosed = true
      state.isAbandoned = true
      return state.removeEnded()
    }
    for thread in ended { thread.join() }
  }

  private func start() throws -> SystemThread {
    do throws(Errno) { return try SystemThread.startJoinable("database") { [self] in run() } } catch {
      throw StorageError.noThread(path, error)
    }
  }

  private func run() {
    let worker = Worker(open)
    loop: while true {
      switch next(for: worker) {
      case .run(let job): worker.run(job)
      case .sync: worker.sync()
      case .trim:
        worker.trim()
        SystemMemory.giveBack()
      case .end: break loop
      }
    }
    worker.end()
    // The memory of the jobs before this pause is free by now; without this its pages would stay with the process.
    SystemMemory.giveBack()
    let thread = SystemThread.current
    // Waiting callers are resumed last, so that joining this thread takes no time.
    let onEnd: [CheckedContinuation<Void, Never>] = state.change { state in
      state.ending -= 1
      if state.isAbandoned { thread.detach() } else { state.ended.append(thread) }
      guard state.isClosed, state.running.isEmpty, state.ending == 0 else { return [] }
      defer { state.onEnd = [] }
      return state.onEnd
    }
    for continuation in onEnd { continuation.resume() }
  }

  private enum Order: Sendable {
    case run(Job)
    /// Sync the log and answer the callers that wait for it.
    case sync
    /// Give memory back.
    case trim
    case end
  }

  /// Blocks until there is something to do for a thread, and returns it.
  private func next(for worker: Worker) -> Order {
    var isIdle = false
    func order(_ state: inout State) -> Order? {
      if !isIdle { state.idle += 1 }
      isIdle = true
      var order: Order?
      if worker.mustSync {
        order = .sync
      } else if let job = state.jobs.popFirst() {
        order = .run(job)
      } else if worker.hasUnsynced {
        order = .sync
      } else if let job = state.backgroundJobs.popFirst() {
        order = .run(job)
      } else if state.isClosed {
        order = end(&state)
      }
      if order != nil { state.idle -= 1 }
      return order
    }
    if let order = state.wait(atMost: worker.isTrimmed ? nil : linger, order) { return order }
    return state.change { state in
      // A job may have come in between.
      if let order = order(&state) { return order }
      state.idle -= 1
      return stays ? .trim : end(&state)
    }
  }

  /// Removes the calling thread from those that run jobs, so that a new job starts a new thread.
  private func end(_ state: inout State) -> Order {
    state.running.remove(.current)
    state.ending += 1
    return .end
  }
}

/// Work for a connection's thread. The closure gets the connection, or the error with which opening it failed.
typealias Job = @Sendable (Result<DatabaseConnection, any Error>) -> Outcome

/// The result of a job that has run, which its caller still waits for.
struct Outcome {
  /// True if the caller may get the result only after the log was synced.
  let needsSync: Bool
  /// The actions to run once the change is committed, before the caller gets the result.
  var actions: [@Sendable () -> Void] = []
  /// Gives the caller the result, or this error where the log could not be synced.
  let deliver: (LunaraError?) -> Void

  func finish() {
    for action in actions { action() }
    deliver(nil)
  }
}

/// One thread's connection and the outcomes of its jobs that their callers have not got yet. Used only on that thread.
///
/// The log is synced once for all changes that came in while the last sync ran. Their outcomes wait for that sync in
/// order, also those that need no sync themselves: facts are published in the order of their commits.
final class Worker {
  private static let batch = 64

  private let open: () throws -> DatabaseConnection
  private var connection: DatabaseConnection?
  private var unsynced: [Outcome] = []
  private var failure: LunaraError?
  /// True if the connection has no memory to give back.
  private(set) var isTrimmed = true

  /// Makes a worker that opens its connection when it is first needed.
  init(_ open: @escaping () throws -> DatabaseConnection) { self.open = open }

  /// True if callers of jobs that have run still wait for a sync.
  var hasUnsynced: Bool { !unsynced.isEmpty }
  /// True if so many callers wait for a sync that further jobs have to wait, too.
  var mustSync: Bool { unsynced.count >= Self.batch }

  func run(_ job: Job) {
    isTrimmed = false
    let outcome = job(Result { try usable() })
    if outcome.needsSync || hasUnsynced {
      unsynced.append(outcome)
    } else {
      outcome.finish()
    }
    // A transaction that could not even be rolled back ends with its connection.
    if connection?.isInTransaction == true { connection = nil }
  }

  private func usable() throws -> DatabaseConnection {
    if let failure { throw failure }
    if let connection { return connection }
    let fresh = try open()
    connection = fresh
    return fresh
  }

  /// Syncs the log and gives all waiting callers their results.
  func sync() {
    do {
      try connection?.sync()
    } catch {
      // The kernel forgets pages that it could not write (fsync(2)), so a later sync would succeed without them: every
      // later job fails until the service has started again.
      failure = LunaraError(error)
    }
    let told = unsynced
    unsynced = []
    for outcome in told {
      if let failure {
        // The actions are left out, as the change may not survive. So are those of later changes: a fact that they
        // publish would show that there is an earlier one.
        outcome.deliver(outcome.needsSync ? failure : nil)
      } else {
        outcome.finish()
      }
    }
  }

  func trim() {
    connection?.trim()
    isTrimmed = true
  }

  func end() {
    connection?.trim()
    connection = nil
  }
}
