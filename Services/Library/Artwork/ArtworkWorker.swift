import Glibc
import Messages
import Model
import System

/// Makes thumbnails in the process `lunara-artwork`, which runs only while there are jobs.
actor ArtworkWorker {
  private let program: String
  /// A clock that stops while the host sleeps, so that sleep does not count as a job's time.
  private let clock = SuspendingClock()
  private let begin: SuspendingClock.Instant
  private var plan: WorkerPlan
  private var process: WorkerProcess?
  private var waiting: [Int: CheckedContinuation<Artwork.Outcome, any Error>] = [:]
  private var lastID = 0
  private var timer: Task<Void, Never>?
  private var isStopped = false
  /// The events of the worker process, in their order.
  private let events = AsyncStream.makeStream(of: WorkerPlan.Event.self)
  private var listening: Task<Void, Never>?

  /// Makes a worker whose process is not started yet.
  ///
  /// - Parameter program: the file of `lunara-artwork`; by default it lies beside this program.
  init(program: String? = nil) {
    self.program = program ?? Self.beside()
    begin = clock.now
    plan = WorkerPlan(width: Self.width)
  }

  /// The number of jobs at once: one for each processor, and as many that wait in the pipe.
  static var width: Int { 2 * max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Makes thumbnails of a picture; `isUrgent` is true where somebody waits for them.
  ///
  /// - Throws: `library.badPicture`, `library.fileMissing`, `library.artUnwritable`, `library.noArtworkWorker`;
  ///   `CancellationError` once it was stopped.
  func make(
    _ wants: [Artwork.Want], of path: LocalPath, in folder: String, isUrgent: Bool
  ) async throws -> Artwork.Outcome {
    guard !isStopped else { throw CancellationError() }
    lastID += 1
    let job = Artwork.Job(id: lastID, path: path, folder: LocalPath(folder), wants: wants)
    let outcome = try await withCheckedThrowingContinuation { continuation in
      waiting[job.id] = continuation
      handle(.wanted(job, isUrgent: isUrgent))
    }
    if let failure = outcome.failure { throw failure }
    return outcome
  }

  /// Ends the worker. Its jobs are dropped, and their pictures are not recorded as broken.
  func stop() {
    isStopped = true
    timer?.cancel()
    process?.end()
    events.continuation.finish()
    for continuation in waiting.values { continuation.resume(throwing: CancellationError()) }
    waiting = [:]
  }

  private func handle(_ event: WorkerPlan.Event) {
    guard !isStopped else { return }
    actions: for action in plan.handle(event, at: clock.now - begin) {
      switch action {
      case .start:
        do { try start() } catch {
          // All jobs fail at once where the program is missing.
          for id in waiting.keys { answer(Artwork.Outcome(id: id, failure: LunaraError(error))) }
          plan = WorkerPlan(width: Self.width)
          break actions
        }
      case .send(let job):
        // If the process has ended meanwhile, an `ended` event follows, which handles this job as well.
        do { try process?.send(job) } catch { process?.end() }
      case .answer(let outcome): answer(outcome)
      case .release: process?.release()
      case .kill: process?.end()
      }
    }
    setTimer()
  }

  private func start() throws {
    let continuation = events.continuation
    process = try WorkerProcess(
      program: program, answered: { continuation.yield(.answered($0)) }, ended: { continuation.yield(.ended) })
    guard listening == nil else { return }
    listening = Task {
      for await event in events.stream {
        if case .ended = event {
          process?.close()
          process = nil
        }
        handle(event)
      }
    }
  }

  private func answer(_ outcome: Artwork.Outcome) {
    waiting.removeValue(forKey: outcome.id)?.resume(returning: outcome)
  }

  private func setTimer() {
    timer?.cancel()
    guard let deadline = plan.deadline else { return }
    let moment = begin + deadline
    timer = Task {
      do { try await clock.sleep(until: moment) } catch { return }
      handle(.timePassed)
    }
  }

  private static func beside() -> String {
    // The start says that there is no worker where this program's path is unknown.
    do { return "\(Files.folder(of: try Files.resolved("/proc/self/exe")))/lunara-artwork" } catch {
      return "lunara-artwork"
    }
  }
}

/// A running `lunara-artwork`, connected by a pair of sockets. Its owner ends it.
final class WorkerProcess: Sendable {
  private let process: ChildProcess
  private let socket: Descriptor

  /// Starts a process. `answered` is called for each outcome and `ended` once when it has ended, both on a thread of
  /// their own. Throws `library.noArtworkWorker`.
  init(
    program: String, answered: @escaping @Sendable (Artwork.Outcome) -> Void, ended: @escaping @Sendable () -> Void
  ) throws(LunaraError) {
    do throws(Errno) {
      var ends: [Int32] = [-1, -1]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
        throw .current
      }
      socket = Descriptor(owning: ends[0])
      let theirs = try Descriptor(owning: ends[1]).duplicate()
      let log = try Descriptor.duplicate(STDERR_FILENO)
      process = try ChildProcess(
        program, [program], environment: Self.environment, descriptors: [theirs, theirs, log])
    } catch {
      throw LunaraError(
        "library.noArtworkWorker",
        "\(program) cannot be started, so there are no thumbnails. Is Lunara installed completely?", cause: error)
    }
    let (socket, process) = (socket, process)
    Task {
      await BlockingThreads.run(1) {
        Self.read(socket, answered)
        // It may have closed its end and run on all the same.
        process.send(SIGKILL)
        process.wait()
      }
      ended()
    }
  }

  /// Closes the socket; called after `ended`, when nothing is sent any more.
  func close() { socket.close() }

  /// Sends a job. Where the process has ended the job is lost, and `ended` is called.
  func send(_ job: Artwork.Job) throws {
    let line = try MessageCoding.encode(job) + [10]
    var sent = 0
    while sent < line.count {
      let count = line[sent...].withUnsafeBytes {
        Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, Errno.current == .interrupted { continue }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Lets the process end when all its jobs are done.
  func release() { shutdown(socket.number, Int32(SHUT_WR)) }

  /// Ends the process at once.
  func end() { process.send(SIGKILL) }

  /// Reads lines until the process closes its end or writes something else than an outcome.
  private static func read(_ socket: Descriptor, _ answered: (Artwork.Outcome) -> Void) {
    var rest: [UInt8] = []
    while case .bytes(let bytes) = socket.read() {
      rest += bytes
      while let end = rest.firstIndex(of: 10) {
        // Any other line means that the process is broken.
        do { answered(try MessageCoding.decode(Artwork.Outcome.self, from: rest[..<end])) } catch { return }
        rest.removeSubrange(...end)
      }
    }
  }

  /// The environment of the worker: of this process's only the variables that find libraries.
  private static var environment: Environment {
    var environment = Environment(["LC_ALL": "C.UTF-8", "MALLOC_ARENA_MAX": "2"])
    for name in ["LD_LIBRARY_PATH", "SWIFT_BACKTRACE"] {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    return environment
  }
}
