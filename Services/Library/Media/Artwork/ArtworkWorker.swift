import Glibc
import Messages
import Model
import Sources
import Synchronization
import System

/// Makes thumbnails in the process `lunara-artwork`, which runs only while there are jobs. A killed process that waits
/// for a disk is replaced after a second; while `stuckLimit` of them wait, no other is started.
actor ArtworkWorker {
  private struct Waiting {
    var files: [Descriptor]
    var continuation: CheckedContinuation<Artwork.Outcome, any Error>
  }

  /// The most killed processes that may wait for a disk.
  private static let stuckLimit = 4

  private let program: String
  private let spawn: @Sendable (String) throws(Errno) -> WorkerProcess
  private let patience: Duration
  /// The number of killed processes that are not gone.
  private let stuck = Mutex(0)
  /// A clock that stops while the host sleeps, so that sleep does not count as a job's time.
  private let clock = SuspendingClock()
  private let begin: SuspendingClock.Instant
  private var plan: WorkerPlan
  private var process: WorkerProcess?
  private var waiting: [Int: Waiting] = [:]
  private var lastID = 0
  private var timer: Task<Void, Never>?
  private var isStopped = false
  /// The events of the worker process, in their order.
  private let events = AsyncStream.makeStream(of: WorkerPlan.Event.self)
  private var listening: Task<Void, Never>?

  /// Makes a worker whose process is not started yet.
  ///
  /// - Parameters:
  ///   - program: the file of `lunara-artwork`; by default it lies beside this program.
  ///   - patience: the most time for one picture.
  ///   - spawn: starts the program.
  init(
    program: String? = nil, patience: Duration = WorkerPlan.patience,
    spawn: @escaping @Sendable (String) throws(Errno) -> WorkerProcess = { program throws(Errno) in
      try WorkerProcess(program)
    }
  ) {
    self.program = program ?? WorkerProcess.program("lunara-artwork")
    self.patience = patience
    self.spawn = spawn
    begin = clock.now
    plan = WorkerPlan(width: Self.width, patience: patience)
  }

  /// The number of jobs at once: one for each processor, and as many that wait in the socket.
  static var width: Int { 2 * max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Makes thumbnails of a picture.
  ///
  /// - Parameters:
  ///   - thumbnails: the thumbnails, each with the open file into which it is written.
  ///   - picture: the open picture.
  ///   - isUrgent: true where somebody waits for them.
  /// Returns the outcome, which has a failure beside its colours where the end of the picture is missing.
  ///
  /// - Throws: `library.badPicture`, `library.fileMissing`, `library.artUnwritable`, `library.noArtworkWorker`;
  ///   `CancellationError` once it was stopped.
  func make(
    _ thumbnails: [(want: Artwork.Want, file: Descriptor)], of picture: Descriptor, isUrgent: Bool
  ) async throws -> Artwork.Outcome {
    guard !isStopped else { throw CancellationError() }
    lastID += 1
    let job = Artwork.Job(id: lastID, wants: thumbnails.map(\.want))
    let outcome = try await withCheckedThrowingContinuation { continuation in
      waiting[job.id] = Waiting(files: [picture] + thumbnails.map(\.file), continuation: continuation)
      handle(.wanted(job, isUrgent: isUrgent))
    }
    // A picture that could be shown in part has both colours and a failure.
    if let failure = outcome.failure, outcome.palette == nil { throw failure }
    return outcome
  }

  /// Ends the worker. Its jobs are dropped, and their pictures are not recorded as broken.
  func stop() {
    isStopped = true
    timer?.cancel()
    kill()
    events.continuation.finish()
    for waiting in waiting.values { waiting.continuation.resume(throwing: CancellationError()) }
    waiting = [:]
  }

  private func handle(_ event: WorkerPlan.Event) {
    guard !isStopped else { return }
    actions: for action in plan.handle(event, at: clock.now - begin) {
      switch action {
      case .start:
        do { try start() } catch  where [.wouldBlock, .noMemory, Errno(EMFILE)].contains(error) {
          // Processes, memory or descriptors have run out for now.
          handle(.refused("lunara-artwork could not be started: \(error)"))
          break actions
        } catch {
          // All jobs fail at once where the program is missing.
          for id in waiting.keys { answer(Artwork.Outcome(id: id, failure: missing(error))) }
          plan = WorkerPlan(width: Self.width, patience: patience)
          break actions
        }
      case .send(let job):
        // If the process has ended meanwhile, an `ended` event follows, which handles this job as well.
        do { try send(job) } catch { kill() }
      case .answer(let outcome): answer(outcome)
      case .release: process?.socket.finishSending()
      case .kill: kill()
      }
    }
    setTimer()
  }

  private func missing(_ cause: Errno) -> LunaraError {
    LunaraError(
      "library.noArtworkWorker",
      "\(program) cannot be started, so there are no thumbnails. Is Lunara installed completely?", cause: cause)
  }

  /// Kills the process. Its end is reported even if it waits for a disk, as its socket reports nothing then.
  private func kill() {
    process?.kill()
    process?.socket.finish()
  }

  private func start() throws(Errno) {
    // The former processes hold memory for as long as their disk does not answer.
    guard stuck.withLock({ $0 < Self.stuckLimit }) else { throw .wouldBlock }
    let process = try spawn(program)
    self.process = process
    Task { await BlockingThreads.value { [self] in follow(process) } }
    guard listening == nil else { return }
    listening = Task {
      for await event in events.stream {
        if case .ended = event { self.process = nil }
        handle(event)
      }
    }
  }

  /// Reports the answers and the end of a process, and returns when it is gone.
  private nonisolated func follow(_ process: WorkerProcess) {
    let report = events.continuation
    Self.receive(from: process.socket) { report.yield(.answered($0)) }
    if let ending = process.end() {
      report.yield(.ended("lunara-artwork \(ending)", byOthers: ending.wasKilledByOthers))
      return
    }
    stuck.withLock { $0 += 1 }
    report.yield(.ended("lunara-artwork does not end"))
    while process.wait(within: Milliseconds(60_000)) == nil {}
    stuck.withLock { $0 -= 1 }
  }

  private func send(_ job: Artwork.Job) throws {
    guard let process, let files = waiting[job.id]?.files else { return }
    // A worker before this one may have read and written them in part.
    try files.first?.rewind()
    for file in files.dropFirst() { try file.empty() }
    try process.socket.send(try MessageCoding.encode(job), files)
  }

  /// Receives outcomes until the process closes its end or sends something else than an outcome.
  private static func receive(from socket: MessageSocket, _ answered: (Artwork.Outcome) -> Void) {
    do {
      while let message = try socket.receive() {
        answered(try MessageCoding.decode(Artwork.Outcome.self, from: message.bytes))
      }
    } catch {
      // The process is broken, and its end is reported.
    }
  }

  private func answer(_ outcome: Artwork.Outcome) {
    waiting.removeValue(forKey: outcome.id)?.continuation.resume(returning: outcome)
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
}
