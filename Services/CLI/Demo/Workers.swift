import Glibc
import Model
import Synchronization

/// Works through a list of jobs on a few threads of its own: jobs may compute for seconds and wait for other processes,
/// which the concurrent pool must never do.
enum Workers {
  /// Runs all jobs in the order given, `count` at a time, and returns when all are done. After the first error no job
  /// is begun any more; it is thrown.
  static func run(_ jobs: [@Sendable () throws -> Void], count: Int) throws {
    let work = Work(jobs)
    var threads: [pthread_t] = []
    for _ in 1..<max(2, min(count, jobs.count)) {
      var thread = pthread_t()
      let reference = Unmanaged.passRetained(work)
      let error = pthread_create(
        &thread, nil,
        { argument in
          if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().workOff() }
          return nil
        }, reference.toOpaque())
      // With one thread less it only takes longer.
      if error == 0 { threads.append(thread) } else { reference.release() }
    }
    work.workOff()
    for thread in threads { pthread_join(thread, nil) }
    if let failure = work.failure { throw failure }
  }

  private final class Work: Sendable {
    private let jobs: [@Sendable () throws -> Void]
    private let state = Mutex<(next: Int, failure: (any Error)?)>((0, nil))

    init(_ jobs: [@Sendable () throws -> Void]) { self.jobs = jobs }

    var failure: (any Error)? { state.withLock { $0.failure } }

    func workOff() {
      while let job = takeNext() {
        do {
          try job()
        } catch {
          state.withLock { if $0.failure == nil { $0.failure = error } }
        }
      }
    }

    private func takeNext() -> (@Sendable () throws -> Void)? {
      state.withLock { state in
        guard state.failure == nil, state.next < jobs.count else { return nil }
        defer { state.next += 1 }
        return jobs[state.next]
      }
    }
  }
}
