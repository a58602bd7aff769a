import Synchronization

/// Wakes one waiting task. A signal that comes while nobody waits ends the next wait at once.
final class Wakeup: Sendable {
  private struct State {
    var isSignalled = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Ends the wait, or the next one.
  func signal() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard let waiting = state.waiting else {
        state.isSignalled = true
        return nil
      }
      state.waiting = nil
      return waiting
    }
    waiting?.resume()
  }

  /// Waits for a signal. Only one task may wait at a time.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isSignalled = state.withLock { state in
        if state.isSignalled {
          state.isSignalled = false
          return true
        }
        state.waiting = continuation
        return false
      }
      if isSignalled { continuation.resume() }
    }
  }
}
