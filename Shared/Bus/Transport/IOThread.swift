import CPlatform
import Glibc
public import Model
import Synchronization
import System

/// One thread that does I/O: a serial executor whose loop runs an actor's jobs and waits for its descriptors. Each node
/// has one; so has any other actor that must poll for a C library.
///
/// A task may prefer it as well: calls between such a task and the actor need no change of threads.
///
/// No socket call runs on the cooperative pool. The thread ends with `stop`, which its actor calls when it is released.
///
/// `@unchecked Sendable` is safe because (1) `queue` is guarded by its mutex; (2) `wakeup` and `failure` are written
/// before others can refer to this object, and only read afterwards; (3) `sources`, `due` and `fire` are used on the
/// thread only, which `checkIsolated` verifies.
public final class IOThread: SerialExecutor, TaskExecutor, @unchecked Sendable {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var isStopped = false
    /// True once the loop has ended, so that no more jobs run here.
    var isEnded = false
    var thread: SystemThread?
  }

  private let queue = Mutex(Queue())
  private let wakeup: Int32
  /// The error if the system refused a thread, else nil; after an error the actor's jobs never run.
  public private(set) var failure: LunaraError?
  private var sources: [Int32: (events: Int16, ready: () -> Void)] = [:]
  private var due: ContinuousClock.Instant?
  private var fire: () -> Void = {}

  public init() {
    wakeup = lunara_wakeup()
    // The thread retains the executor until `stop`.
    do throws(Errno) { try SystemThread.start("io", stackSize: 512 * 1024) { self.loop() } } catch {
      failure = LunaraError(
        "bus.noThread", "The system refuses this process a thread. Are too many processes running?", cause: error)
    }
  }

  deinit { if wakeup >= 0 { close(wakeup) } }

  /// Runs a job of the actor, or of a task that prefers this thread. Such a task may outlive the actor: its further
  /// jobs run on the global executor.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (isTaken, mustWake) = queue.withLock { queue in
      guard !queue.isEnded else { return (false, false) }
      queue.jobs.append(job)
      return (true, queue.jobs.count == 1 && queue.thread?.isCurrent != true)
    }
    if !isTaken { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    if mustWake { wake() }
  }

  /// Returns the executor for the actor.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Returns the executor for a task that prefers this thread.
  public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

  /// Stops the program if it is called on another thread.
  public func checkIsolated() {
    precondition(queue.withLock { $0.thread?.isCurrent == true }, "Called off the I/O thread.")
  }

  /// Ends the loop after the jobs that are queued now.
  public func stop() {
    queue.withLock { $0.isStopped = true }
    wake()
  }

  /// Calls `ready` on the thread whenever `descriptor` has one of `events`, by default data to read.
  public func watch(_ descriptor: Int32, for events: Int32? = nil, _ ready: @escaping () -> Void) {
    checkIsolated()
    sources[descriptor] = (Int16(truncatingIfNeeded: events ?? POLLIN), ready)
  }

  /// Stops watching a descriptor.
  public func ignore(_ descriptor: Int32) {
    checkIsolated()
    sources[descriptor] = nil
  }

  /// Calls `fire` on the thread once at a time, or never if that is nil; it replaces the former call.
  public func schedule(at moment: ContinuousClock.Instant?, _ fire: @escaping () -> Void) {
    checkIsolated()
    due = moment
    self.fire = fire
  }

  private func wake() {
    var one: UInt64 = 1
    // If the counter is full, the thread is woken as well, so the result does not matter.
    _ = write(wakeup, &one, 8)
  }

  private func loop() {
    queue.withLock { $0.thread = .current }
    while true {
      let jobs = queue.withLock { queue in
        let jobs = queue.jobs
        queue.jobs = []
        return jobs
      }
      for job in jobs {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      }
      let isOver = queue.withLock { queue in
        queue.isEnded = queue.jobs.isEmpty && queue.isStopped
        return queue.isEnded
      }
      if isOver { break }
      let now = ContinuousClock.now
      if let due, due <= now {
        self.due = nil
        fire()
        continue
      }
      waitForEvents(now: now)
    }
    // The closures may refer to the node, so they are released here; a cycle through this object would keep it alive.
    sources = [:]
    fire = {}
  }

  private func waitForEvents(now: ContinuousClock.Instant) {
    var polled = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
    for (descriptor, source) in sources { polled.append(pollfd(fd: descriptor, events: source.events, revents: 0)) }
    // Jobs may have been queued meanwhile; then the wake-up descriptor is readable and poll returns at once.
    let hasJobs = queue.withLock { !$0.jobs.isEmpty }
    var nanoseconds = hasJobs ? 0 : due.map { max(0, ($0 - now).nanoseconds) } ?? -1
    // If there was no descriptor left for waking, the queue is polled every 5 ms.
    if wakeup < 0, nanoseconds < 0 || nanoseconds > 5_000_000 { nanoseconds = 5_000_000 }
    let count = lunara_poll(&polled, UInt(polled.count), nanoseconds)
    guard count > 0 else { return }
    if polled[0].revents != 0 {
      var value: UInt64 = 0
      _ = read(wakeup, &value, 8)
    }
    for entry in polled.dropFirst() where entry.revents != 0 { sources[entry.fd]?.ready() }
  }
}

extension Duration {
  /// The duration in whole nanoseconds.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    // A duration beyond 292 years is cut off.
    return overflow ? (seconds < 0 ? .min : .max) : product &+ attoseconds / 1_000_000_000
  }

  /// The duration in whole milliseconds.
  var milliseconds: Milliseconds { Milliseconds(nanoseconds / 1_000_000) }
}
