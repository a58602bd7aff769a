import Synchronization

/// Gives a test the only player of the process, where it checks why a stream failed.
///
/// libmpv reads that reason from FFmpeg's log, of which a process has one. The log goes to the oldest player, and after
/// its end to none (`init_libav` in common/av_log.c of mpv 0.35). A room has a process of its own; tests share one.
public final class PlayerTurns: Sendable {
  private static let all = PlayerTurns()

  private struct State {
    /// The number of tests that share at present; -1 while one has the process to itself.
    var users = 0
    /// The tests that wait, in the order of their arrival.
    var waiting: [(isAlone: Bool, go: CheckedContinuation<Void, Never>)] = []

    /// Removes and returns the tests whose turn it is. No test overtakes one that waits to be alone.
    mutating func next() -> [CheckedContinuation<Void, Never>] {
      var ready: [CheckedContinuation<Void, Never>] = []
      while let first = waiting.first, users == 0 || users > 0 && !first.isAlone {
        users = first.isAlone ? -1 : users + 1
        ready.append(waiting.removeFirst().go)
      }
      return ready
    }
  }

  private let state = Mutex(State())

  /// Runs a test that plays while others may as well.
  public static func among<T>(_ body: () async throws -> T) async rethrows -> T {
    await all.acquire(alone: false)
    defer { all.release() }
    return try await body()
  }

  /// Runs a test that plays while no other does.
  public static func alone<T>(_ body: () async throws -> T) async rethrows -> T {
    await all.acquire(alone: true)
    defer { all.release() }
    return try await body()
  }

  private func acquire(alone: Bool) async {
    await withCheckedContinuation { continuation in
      start(
        state.withLock { state in
          state.waiting.append((alone, continuation))
          return state.next()
        })
    }
  }

  private func release() {
    start(
      state.withLock { state in
        state.users = state.users < 0 ? 0 : state.users - 1
        return state.next()
      })
  }

  private func start(_ ready: [CheckedContinuation<Void, Never>]) {
    for continuation in ready { continuation.resume() }
  }
}
