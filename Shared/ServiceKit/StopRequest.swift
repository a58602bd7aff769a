import CPlatform
// Types of pthread.h belong to whichever C module the compiler loads first, this one or Glibc.
import CSystemd
import Glibc
import Synchronization

/// Waits, on a thread of its own, for whatever ends or reloads this process: SIGTERM, SIGINT, SIGHUP, or the closing of
/// the pipe that `lunara up` holds.
///
/// Graceful stop has 2 s; then the process ends regardless, because what matters is on disk already.
///
/// Why `@unchecked Sendable`: 1. the state is guarded by its mutex; 2. the descriptors are written once, before the
/// thread starts.
final class StopRequest: @unchecked Sendable {
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

  /// Catches the signals, in whichever thread they arrive, and begins to wait.
  ///
  /// - Parameter parent: the reading end of the supervisor's pipe; -1 without one.
  init(parent: Int32, log: Log) {
    self.parent = parent
    self.log = log
    signal(SIGPIPE, SIG_IGN)
    let wanted = [SIGTERM, SIGINT, SIGHUP]
    signals = lunara_caught_signal_descriptor(wanted, Int32(wanted.count))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 128 * 1024)
    var thread = pthread_t()
    pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<StopRequest>.fromOpaque(argument).takeRetainedValue().wait()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    pthread_attr_destroy(&attributes)
  }

  /// Returns when the process is asked to stop.
  func requested() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isRequested { state.waiting.append(continuation) }
        return state.isRequested
      }
      if isOver { continuation.resume() }
    }
  }

  /// Calls `body` at each SIGHUP, after those that were named before.
  func onReload(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.reloads.append(body) } }

  /// Asks for the end because another machine has taken this node's name.
  func displaced() {
    state.withLock { $0.isDisplaced = true }
    fire()
  }

  /// Whether another machine has taken this node's name.
  var isDisplaced: Bool { state.withLock { $0.isDisplaced } }

  private func wait() {
    var stopping = Stopping()
    var polled = [
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0), pollfd(fd: parent, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      // What was seen before must not be taken for new where the wait was interrupted.
      (polled[0].revents, polled[1].revents) = (0, 0)
      _ = poll(&polled, 2, stopping.remaining(at: .now))
      if stopping.isOverdue(at: .now) {
        log.error("Stopping took longer than 2 s; ended without waiting further.")
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
