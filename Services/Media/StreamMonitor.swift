import HTTP
import Model
import ServiceKit
import Synchronization

/// Keeps this host awake while a room on another host plays from it.
///
/// A player reads a track much faster than it plays it. So the host stays awake while the track is sent, and also for
/// its duration and a margin from the start of sending: by then the player has asked for the next one.
final class StreamMonitor: Sendable {
  /// The time that the host stays awake beyond a track's duration.
  static let margin = Milliseconds(120_000)

  private struct State {
    var open = 0
    var until: ContinuousClock.Instant?
    var waiting: Task<Void, Never>?
    var guarding: InhibitorLock?
    var isStopped = false
  }

  private let state = Mutex(State())
  private let inhibit: @Sendable () async -> InhibitorLock?
  private let clock = ContinuousClock()

  /// Creates a monitor; `inhibit` returns a lock that keeps the host awake while it is retained, or nil if that is
  /// not possible.
  init(inhibit: @escaping @Sendable () async -> InhibitorLock?) { self.inhibit = inhibit }

  var isKept: Bool { state.withLock { $0.guarding != nil } }

  /// Keeps the host awake for a track that is sent from a file.
  func watch(_ file: OpenFile, lasting duration: Milliseconds) {
    state.withLock { $0.open += 1 }
    file.onClose { [weak self] in self?.state.withLock { $0.open -= 1 } }
    watch(lasting: duration)
  }

  /// Keeps the host awake for a track that begins now.
  func watch(lasting duration: Milliseconds) {
    let end = clock.now + .milliseconds((duration + Self.margin).rawValue)
    state.withLock { state in
      state.until = max(state.until ?? end, end)
      if state.waiting == nil, !state.isStopped { state.waiting = keep() }
    }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.waiting?.cancel()
      state.guarding = nil
    }
  }

  private func keep() -> Task<Void, Never> {
    Task { [weak self, inhibit] in
      let lock = await inhibit()
      self?.state.withLock { if !$0.isStopped { $0.guarding = lock } }
      while let next = self?.nextCheck() {
        do { try await ContinuousClock().sleep(until: next) } catch { return }
      }
    }
  }

  /// Returns the time of the next check. Where the host may sleep, gives the lock back and returns nil, in one step: a
  /// track that begins after that starts a new watch.
  func nextCheck() -> ContinuousClock.Instant? {
    state.withLock { state in
      let now = clock.now
      if let until = state.until, until > now { return until }
      // A player that reads slowly may still be reading after the track's duration.
      if state.open > 0 { return now + .seconds(10) }
      state.guarding = nil
      state.waiting = nil
      return nil
    }
  }
}
