import HTTP
import Model
import ServiceKit
import Synchronization

/// Keeps this host awake while a room elsewhere plays from it.
///
/// A player reads a track much faster than it plays, and asks for the next one before it ends. So the host stays awake
/// while an answer is on its way, and from its beginning on for as long as the track lasts and a little more.
final class StreamMonitor: Sendable {
  /// How much longer than a track.
  static let margin = Milliseconds(120_000)

  private struct State {
    var open = 0
    var until: ContinuousClock.Instant?
    var waiting: Task<Void, Never>?
    var guarding: SleepInhibitor?
    var isStopped = false
  }

  private let state = Mutex(State())
  private let inhibit: @Sendable () -> SleepInhibitor?
  private let clock = ContinuousClock()

  /// Makes a streamMonitor; `inhibit` keeps the host awake for as long as what it gives lives, nil where that is not possible.
  init(inhibit: @escaping @Sendable () -> SleepInhibitor?) { self.inhibit = inhibit }

  /// Whether the host is kept awake just now.
  var isKept: Bool { state.withLock { $0.guarding != nil } }

  /// Keeps the host awake for a track that is sent.
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

  /// Lets the host sleep.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.waiting?.cancel()
      state.guarding = nil
    }
  }

  private func keep() -> Task<Void, Never> {
    Task { [weak self, inhibit] in
      // Asking blocks, and music does not wait for it.
      let inhibitor = await BlockingThreads.value { inhibit() } ?? nil
      self?.state.withLock { if !$0.isStopped { $0.guarding = inhibitor } }
      while let next = self?.nextLook() {
        do { try await ContinuousClock().sleep(until: next) } catch { break }
      }
      self?.state.withLock { state in
        state.guarding = nil
        state.waiting = nil
      }
    }
  }

  /// When to look again; nil where the host may sleep.
  private func nextLook() -> ContinuousClock.Instant? {
    state.withLock { state in
      let now = clock.now
      if let until = state.until, until > now { return until }
      // Somebody who reads slowly.
      return state.open > 0 ? now + .seconds(10) : nil
    }
  }
}
