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
