import Glibc
import Model

/// Threads of their own that run jobs in the order given, each on the connection of its thread.
///
/// SQLite blocks, so it never runs on the cooperative pool. Threads start when there is work; after some idle seconds
/// they end with their connections, or, where they stay, give memory back.
final class ConnectionThreads: Sendable {
  private struct State: Sendable {
    var jobs = FIFO<Job>()
    var running: Set<pthread_t> = []
    /// How many threads wait for a job.
    var idle = 0
    /// How many threads close their connections for good.
    var ending = 0
    /// Threads that have ended of themselves and are to be joined.
    var ended: [pthread_t] = []
    var isClosed = false
    /// Set where nobody will join.
    var isAbandoned = false
    var onEnd: [CheckedContinuation<Void, Never>] = []
  }

  let path: String
  private let limit: Int
  private let stays: Bool
  private let linger: Milliseconds
  private let open: @Sendable () throws -> Connection
  private let state = Monitor(State())

  /// Makes at most `limit` threads, whose connections `open` opens; they stay or end after `linger` without a job.
  init(
    path: String, limit: Int, stays: Bool, linger: Milliseconds, open: @escaping @Sendable () throws -> Connection
  ) {
    self.path = path
    self.limit = limit
    self.stays = stays
    self.linger = linger
    self.open = open
  }

  /// Hands a job over; throws `storage.closed` after `close()`.
  func submit(_ job: @escaping Job) throws {
    let ended: [pthread_t] = try state.change { state in
      guard !state.isClosed else { throw StorageError.closed(path) }
      if state.jobs.count >= state.idle, state.running.count < limit { state.running.insert(try start()) }
      state.jobs.append(job)
      defer { state.ended = [] }
      return state.ended
    }
    for thread in ended { pthread_join(thread, nil) }
  }

  /// How many jobs wait for a thread.
  var waitingJobs: Int { state.change { $0.jobs.count } }

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
    // The last thing these threads did was to say so: a join takes no time.
    let ended = state.change { state in
      defer { state.ended = [] }
      return state.ended
    }
    for thread in ended { pthread_join(thread, nil) }
  }

  /// The same as `close()`, but without waiting for it.
  func abandon() {
    let ended = state.change { state in
      state.isClosed = true
      state.isAbandoned = true
      defer { state.ended = [] }
      return state.ended
    }
    for thread in ended { pthread_join(thread, nil) }
  }

  private func start() throws -> pthread_t {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    // Signals are for the main thread: this one blocks them all, which a new thread inherits.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<ConnectionThreads>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard result == 0 else {
      context.release()
      throw StorageError.noThread(path, result)
    }
    return thread
  }

  private func run() {
    let worker = Worker(open)
    loop: while true {
      switch next(for: worker) {
      case .run(let job): worker.run(job)
      case .settle: worker.settle()
      case .trim: worker.trim()
      case .end: break loop
      }
    }
    worker.end()
    let thread = pthread_self()
    // Whoever waits is resumed as the very last thing, so that a join of this thread takes no time.
    let onEnd: [CheckedContinuation<Void, Never>] = state.change { state in
      state.ending -= 1
      if state.isAbandoned { pthread_detach(thread) } else { state.ended.append(thread) }
      guard state.isClosed, state.running.isEmpty, state.ending == 0 else { return [] }
      defer { state.onEnd = [] }
      return state.onEnd
    }
    for continuation in onEnd { continuation.resume() }
  }

  private enum Order: Sendable {
    case run(Job)
    /// Finish what waits for a sync of the log.
    case settle
    case trim
    case end
  }

  /// What a thread is to do now; blocks until there is something.
  private func next(for worker: Worker) -> Order {
    var isIdle = false
    func order(_ state: inout State) -> Order? {
      if !isIdle { state.idle += 1 }
      isIdle = true
      var order: Order?
      if worker.mustSettle {
        order = .settle
      } else if let job = state.jobs.popFirst() {
        order = .run(job)
      } else if worker.hasUnsettled {
        order = .settle
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

  /// From here on a new job starts a new thread.
  private func end(_ state: inout State) -> Order {
    state.running.remove(pthread_self())
    state.ending += 1
    return .end
  }
}
