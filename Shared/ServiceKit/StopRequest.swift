import CPlatform
import Glibc
import Synchronization
import System

/// Waits on a thread of its own for the events that end or reload this process: SIGTERM, SIGINT, SIGHUP, or the closing
/// of the pipe that `lunara up` holds.
///
/// A stop may take 2 s; then the process is ended, as all important data is on the disk already.
final class StopRequest: Sendable {
  private struct State {
    var isRequested = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var reloads: [@Sendable () -> Void] = []
    var isDisplaced = false
  }

  private let state = Mutex(State())
  private let signals: Int32
  private let parent: Int32
  private let log: Log

  /// Catches the signals of all threads, and starts to wait.
  ///
  /// - Parameters:
  ///   - parent: the reading end of the supervisor's pipe; -1 without one.
  ///   - log: the log for errors.
  init(parent: Int32, log: Log) {
    self.parent = parent
    self.log = log
    signal(SIGPIPE, SIG_IGN)
    let wanted = [SIGTERM, SIGINT, SIGHUP]
    signals = lunara_caught_signal_descriptor(wanted, Int32(wanted.count))
    do { try SystemThread.start("signals", stackSize: 128 * 1024) { self.wait() } } catch {
      log.warning("No thread could be started to wait for signals: \(error.text). Stop this process by `kill -9`.")
    }
  }

  func requested() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isRequested { state.waiting.append(continuation) }
        return state.isRequested
      }
      if isOver { continuation.resume() }
    }
  }

  /// Calls `body` at each SIGHUP, after the functions that were set before.
  func onReload(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.reloads.append(body) } }

  /// Requests the stop because another machine has taken this node's name.
  func displaced() {
    state.withLock { $0.isDisplaced = true }
    fire()
  }

  var isDisplaced: Bool { state.withLock { $0.isDisplaced } }

  private func wait() {
    var stopping = Stopping()
    var polled = [
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0), pollfd(fd: parent, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      // If `poll` is interrupted, it leaves the former events, which must not be handled again.
      polled[0].revents = 0
      polled[1].revents = 0
      _ = poll(&polled, 2, stopping.remaining(at: .now))
      if stopping.isOverdue(at: .now) {
        log.error("The service did not stop within 2 s and was ended.")
        _exit(1)
      }
      if polled[1].revents != 0 {
        polled[1].fd = -1
        if stopping.parentLeft(at: .now) { fire() }
      }
      guard polled[0].revents != 0 else { continue }
      switch lunara_next_signal(signals) {
      case SIGTERM, SIGINT:
        switch stopping.signalled(at: .now) {
        case .stop: fire()
        case .wait: break
        case .end: _exit(1)
        }
      case SIGHUP: for reload in state.withLock({ $0.reloads }) { reload() }
      default: break
      }
    }
  }

  private func fire() {
    let waiting = state.withLock { state in
      state.isRequested = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// Decides when a process that was asked to stop is ended. Pure.
struct Stopping {
  enum Verdict {
    case stop
    /// The process is stopping already, because its parent has ended.
    case wait
    /// A second signal came, so a person wants the process to end at once.
    case end
  }

  /// The time after which the process is ended, a little less than the promised 2 s.
  static let patience = Duration.milliseconds(1900)

  private var deadline: ContinuousClock.Instant?
  private var wasSignalled = false

  mutating func parentLeft(at now: ContinuousClock.Instant) -> Bool {
    guard deadline == nil else { return false }
    deadline = now + Self.patience
    return true
  }

  /// Handles a signal that requests the stop.
  ///
  /// A supervisor requests it twice, by its pipe and by a signal, so only a second signal ends the process at once.
  mutating func signalled(at now: ContinuousClock.Instant) -> Verdict {
    defer { wasSignalled = true }
    if wasSignalled { return .end }
    return parentLeft(at: now) ? .stop : .wait
  }

  /// Returns the time to wait for `poll`, in milliseconds; -1 for ever.
  func remaining(at now: ContinuousClock.Instant) -> Int32 {
    guard let deadline else { return -1 }
    let (seconds, attoseconds) = (deadline - now).components
    return Int32(clamping: max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
  }

  func isOverdue(at now: ContinuousClock.Instant) -> Bool { deadline.map { $0 <= now } ?? false }
}
