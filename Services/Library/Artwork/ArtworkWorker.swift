import CPlatform
import Glibc
import Messages
import Model

/// Has thumbnails made by a process of its own, which runs only while there is something to make.
actor ArtworkWorker {
  private let program: String
  /// It stands still while the host sleeps, so that nobody is late for that.
  private let clock = SuspendingClock()
  private let begin: SuspendingClock.Instant
  private var plan: WorkerPlan
  private var process: WorkerProcess?
  private var waiting: [Int: CheckedContinuation<Artwork.Outcome, any Error>] = [:]
  private var lastID = 0
  private var timer: Task<Void, Never>?
  private var isStopped = false
  /// What the worker says, in its order.
  private let said = AsyncStream.makeStream(of: WorkerPlan.Event.self)
  private var listening: Task<Void, Never>?

  /// Makes a worker that is not started yet.
  ///
  /// - Parameter program: the file of `lunara-artwork`; by default it lies beside this program.
  init(program: String? = nil) {
    self.program = program ?? Self.beside()
    begin = clock.now
    plan = WorkerPlan(width: Self.width)
  }

  /// One job for each processor, and as many that wait in the pipe.
  static var width: Int { 2 * max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Makes thumbnails of a picture; `isUrgent` where somebody waits for them.
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

  /// Ends the worker. What it had to do is given up, which says nothing of the pictures.
  func stop() {
    isStopped = true
    timer?.cancel()
    process?.end()
    said.continuation.finish()
    for continuation in waiting.values { continuation.resume(throwing: CancellationError()) }
    waiting = [:]
  }

  private func handle(_ event: WorkerPlan.Event) {
    guard !isStopped else { return }
    actions: for action in plan.handle(event, at: clock.now - begin) {
      switch action {
      case .start:
        do { try start() } catch {
          // Nobody is kept waiting for a program that is not there.
          for id in waiting.keys { answer(Artwork.Outcome(id: id, failure: LunaraError(error))) }
          plan = WorkerPlan(width: Self.width)
          break actions
        }
      case .send(let job):
        // One that has ended is told of soon, and the job with it.
        do { try process?.send(job) } catch { process?.end() }
      case .answer(let outcome): answer(outcome)
      case .release: process?.release()
      case .kill: process?.end()
      }
    }
    setTimer()
  }

  private func start() throws {
    let continuation = said.continuation
    process = try WorkerProcess(
      program: program, told: { continuation.yield(.told($0)) }, ended: { continuation.yield(.ended) })
    guard listening == nil else { return }
    listening = Task {
      for await event in said.stream {
        if case .ended = event {
          process?.closed()
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
      handle(.passed)
    }
  }

  private static func beside() -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    let path = String(decoding: bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "") + "lunara-artwork"
  }
}

/// A running `lunara-artwork`, talked to by a pair of sockets. Its owner ends it.
final class WorkerProcess: Sendable {
  private let pid: pid_t
  private let socket: Int32

  /// Starts one. `told` is called for each line it says, and `ended` once when it has ended, both on a thread of its
  /// own.
  ///
  /// - Throws: `library.noArtworkWorker`.
  init(
    program: String, told: @escaping @Sendable (Artwork.Outcome) -> Void, ended: @escaping @Sendable () -> Void
  ) throws(LunaraError) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw Self.failure(program, errno)
    }
    // What a child is given has to have a number of 10 or more.
    let theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
    let log = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10)
    defer { for descriptor in [ends[1], theirs, log] where descriptor >= 0 { close(descriptor) } }
    var pid: pid_t = 0
    let error =
      theirs < 0 || log < 0
      ? errno
      : Self.withWords([program]) { words in
        Self.withWords(Self.environment) { variables in
          lunara_spawn(&pid, program, words, variables, [theirs, theirs, log], 3)
        }
      }
    guard error == 0 else {
      close(ends[0])
      throw Self.failure(program, error)
    }
    self.pid = pid
    socket = ends[0]
    let (reading, child) = (socket, pid)
    Task {
      await ReaderThreads.run(1) {
        Self.read(reading, told)
        // It may have closed its end and go on all the same.
        kill(child, SIGKILL)
        var ending: Int32 = 0
        lunara_reap(child, 1, &ending)
      }
      ended()
    }
  }

  /// To be called after `ended`, when nothing is sent any more.
  func closed() { close(socket) }

  /// Gives it a job; where it has ended the job is lost, and `ended` comes.
  func send(_ job: Artwork.Job) throws {
    let line = try MessageCoding.encode(job) + [10]
    var done = 0
    while done < line.count {
      let count = line.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress.map { $0 + done }, line.count - done, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      done += count
    }
  }

  /// Lets it end when it is done.
  func release() { shutdown(socket, Int32(SHUT_WR)) }

  /// Ends it at once.
  func end() { kill(pid, SIGKILL) }

  /// Reads lines until there are no more.
  private static func read(_ socket: Int32, _ told: (Artwork.Outcome) -> Void) {
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      let count = Glibc.read(socket, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest += buffer[..<count]
      while let end = rest.firstIndex(of: 10) {
        // What it says in another form says that something has gone wrong in it.
        do { told(try MessageCoding.decode(Artwork.Outcome.self, from: rest[..<end])) } catch { return }
        rest.removeSubrange(...end)
      }
    }
  }

  /// Of this process's environment only what finds libraries.
  private static var environment: [String] {
    var found = ["LC_ALL=C.UTF-8", "MALLOC_ARENA_MAX=2"]
    for name in ["LD_LIBRARY_PATH", "SWIFT_BACKTRACE"] {
      if let value = getenv(name) { found.append("\(name)=\(String(cString: value))") }
    }
    return found
  }

  private static func withWords<Result>(
    _ words: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers)
  }

  private static func failure(_ program: String, _ number: Int32) -> LunaraError {
    LunaraError(
      "library.noArtworkWorker",
      "\(program) cannot be started, so there are no thumbnails. Is Lunara installed completely?",
      cause: String(cString: strerror(number)))
  }
}
