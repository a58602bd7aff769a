import Model
import Plugins
import System

/// Runs the searches of plugins within the limits of `RequestLimiter`, in the order in which they came.
actor CallLimiter {
  private var limiter: RequestLimiter
  private var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
  private var last: UInt64 = 0
  private var timer: Task<Void, Never>?

  init(_ limits: RequestLimiter.Limits) { limiter = RequestLimiter(limits) }

  /// Runs a search when its turn has come. A task that is cancelled meanwhile gets its turn at once, and throws.
  func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    last += 1
    let request = last
    limiter.enqueue(request)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting[request] = continuation
        startNext()
      }
    } onCancel: {
      Task { await self.cancel(request) }
    }
    do {
      try Task.checkCancellation()
      let value = try await body()
      finish(request, .success)
      return value
    } catch {
      let words = [LunaraError(error).message, LunaraError(error).cause ?? ""].joined(separator: " ")
      finish(request, RequestLimiter.isThrottle(words) ? .throttled : .failure)
      throw error
    }
  }

  private func cancel(_ request: UInt64) {
    guard let continuation = waiting.removeValue(forKey: request) else { return }
    limiter.cancel(request)
    continuation.resume()
  }

  private func finish(_ request: UInt64, _ outcome: RequestLimiter.Outcome) {
    limiter.finish(request, outcome, at: MonotonicClock.milliseconds())
    startNext()
  }

  private func startNext() {
    let now = MonotonicClock.milliseconds()
    for request in limiter.start(at: now) { waiting.removeValue(forKey: request)?.resume() }
    timer?.cancel()
    timer = nil
    guard let next = limiter.nextStart else { return }
    let pause = max(Milliseconds(1), next - now)
    timer = Task {
      // A cancelled sleep is replaced by another one.
      do { try await Task.sleep(for: .milliseconds(pause.rawValue)) } catch { return }
      self.startNext()
    }
  }
}
