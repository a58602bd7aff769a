import Synchronization

/// Threads for work that blocks, which must not happen on the cooperative pool.
public enum BlockingThreads {
  /// Calls `ended` when `leave` was called as often as there are threads.
  private final class Countdown: Sendable {
    private let left: Atomic<Int>
    private let ended: @Sendable () -> Void

    init(_ count: Int, ended: @escaping @Sendable () -> Void) {
      left = Atomic(count)
      self.ended = ended
    }

    func leave() { if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { ended() } }
  }

  /// Resumes a continuation once.
  private final class Once: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, Never>?>

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = Mutex(continuation) }

    func resume() {
      let continuation = continuation.withLock { continuation in
        defer { continuation = nil }
        return continuation
      }
      continuation?.resume()
    }
  }

  /// Runs work that blocks on a thread of its own, and returns its result; nil if the waiting for it was ended.
  public static func value<Value: Sendable>(
    until abandonment: Abandonment? = nil, _ body: @escaping @Sendable () -> Value
  ) async -> Value? {
    let result = Mutex<Value?>(nil)
    await run(1, until: abandonment) {
      let value = body()
      result.withLock { $0 = value }
    }
    return result.withLock { $0 }
  }

  /// Runs `body` for each number below `count`, for several of them at once, and blocks until all are done.
  ///
  /// - Parameters:
  ///   - count: the number of calls.
  ///   - width: the most calls at once. The calling thread makes some of them, and all where the system gives no other.
  ///   - body: the work.
  public static func concurrently(_ count: Int, width: Int, _ body: @escaping @Sendable (Int) -> Void) {
    guard width > 1, count > 1 else {
      for number in 0..<count { body(number) }
      return
    }
    let state = Monitor((next: 0, done: 0))
    @Sendable func work() {
      while true {
        let number = state.change { state in
          defer { state.next += 1 }
          return state.next
        }
        guard number < count else { return }
        body(number)
        state.change { $0.done += 1 }
      }
    }
    do { for _ in 1..<min(width, count) { try SystemThread.start("lunara-blocking", work) } } catch {
      // The threads that run do the work of those that the system refuses.
    }
    work()
    state.wait { $0.done == count ? () : nil }
  }

  /// Runs work that blocks and may fail on a thread of its own.
  public static func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    guard let result = await value({ Result { try body() } }) else { throw CancellationError() }
    return try result.get()
  }

  /// Runs `body` on `count` threads at once and returns when all have ended. Where the system gives fewer threads,
  /// fewer run it; where it gives none, the calling thread does.
  ///
  /// - Parameters:
  ///   - count: the number of threads, at least 1.
  ///   - nice: the nice value of the threads.
  ///   - abandonment: ends the waiting for the threads; nil if all are waited for.
  ///   - body: the work.
  public static func run(
    _ count: Int, nice: Int32 = 0, until abandonment: Abandonment? = nil, _ body: @escaping @Sendable () -> Void
  ) async {
    await withCheckedContinuation { continuation in
      let once = Once(continuation)
      let number = abandonment?.wait { once.resume() }
      let countdown = Countdown(count) {
        if let number { abandonment?.forget(number) }
        once.resume()
      }
      var started = 0
      do {
        for _ in 0..<count {
          try SystemThread.start("lunara-blocking") {
            if nice > 0 { SystemThread.lowerPriority(toNice: nice) }
            body()
            countdown.leave()
          }
          started += 1
        }
      } catch {
        // The threads that run do the work of those that the system refuses.
        if started == 0 { body() }
      }
      for _ in started..<count { countdown.leave() }
    }
  }
}
