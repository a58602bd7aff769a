import Synchronization

/// Lets a test have the only player of the process, where it needs to know why a stream failed.
///
/// libmpv reads that from FFmpeg's log, of which there is one in a process: it goes to the player that was there first,
/// and once that has ended to nobody (`init_libav` in common/av_log.c of mpv 0.35). A room is a process of its own;
/// test targets share one.
public final class PlayerTurns: Sendable {
  private static let all = PlayerTurns()

  private struct State {
    /// The number of tests that share at present; -1 where one is alone.
    var users = 0
    /// The tests that wait, in the order in which they came.
    var waiting: [(isAlone: Bool, go: CheckedContinuation<Void, Never>)] = []

    /// Removes and returns those whose turn it is: nobody overtakes one who waits to be alone.
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
