import Glibc
import Synchronization

/// Threads for work that blocks, which must not happen on the cooperative pool.
enum BlockingThreads {
  private final class Crew: Sendable {
    let body: @Sendable () -> Void
    let ended: @Sendable () -> Void
    private let running: Atomic<Int>

    init(_ count: Int, _ body: @escaping @Sendable () -> Void, _ ended: @escaping @Sendable () -> Void) {
      self.body = body
      self.ended = ended
      running = Atomic(count)
    }

    func leave() { if running.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { ended() } }
  }

  /// Runs what blocks on a thread of its own and gives what it gave.
  static func value<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
    let result = Mutex<Value?>(nil)
    await run(1) {
      let value = body()
      result.withLock { $0 = value }
    }
    return result.withLock { $0 }
  }

  /// Runs what blocks and may fail on a thread of its own.
  static func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    guard let result = await value({ Result { try body() } }) else { throw CancellationError() }
    return try result.get()
  }

  /// Runs `body` on so many threads at once and returns when all have ended. Where the system gives fewer threads,
  /// fewer run it; where it gives none, the calling thread does.
  static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      let crew = Crew(count, body) { continuation.resume() }
      var started = 0
      for _ in 0..<count where start(crew) { started += 1 }
      if started == 0 { body() }
      for _ in started..<count { crew.leave() }
    }
  }

  private static func start(_ crew: Crew) -> Bool {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    // Signals are for the main thread; a new thread inherits that these are blocked.
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let context = Unmanaged.passRetained(crew)
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let crew = Unmanaged<Crew>.fromOpaque(context).takeRetainedValue()
        crew.body()
        crew.leave()
        return nil
      }, context.toOpaque())
    guard result == 0 else {
      context.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
