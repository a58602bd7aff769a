import CPlatform
import Glibc
import Model
import Synchronization
import System

/// Waits on one thread for all sockets, and calls their handlers when something can be read or written
/// (epoll(7), edge-triggered).
final class SocketEvents: Sendable {
  private struct State {
    var handlers: [UInt64: @Sendable () -> Void] = [:]
    var lastKey: UInt64 = 0
  }

  private static let stopKey: UInt64 = 0

  private let state = Mutex(State())
  private let poll: Descriptor
  private let stopping: Descriptor

  /// Starts the thread.
  ///
  /// - Throws: `mpd.cannotListen`.
  init() throws {
    let number = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard number >= 0 else { throw Self.failure(.current) }
    poll = Descriptor(owning: number)
    let wakeup = lunara_wakeup()
    guard wakeup >= 0 else { throw Self.failure(.current) }
    stopping = Descriptor(owning: wakeup)
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: Self.stopKey))
    guard epoll_ctl(poll.number, EPOLL_CTL_ADD, wakeup, &event) == 0 else { throw Self.failure(.current) }
    do throws(Errno) {
      try SystemThread.start("lunara-mpd-io") { [self] in run() }
    } catch {
      throw Self.failure(error)
    }
  }

  private static func failure(_ cause: Errno) -> LunaraError {
    LunaraError(
      "mpd.cannotListen", "MPD clients cannot be served. Are too many files open?", cause: cause.text)
  }

  /// Calls `handler` whenever the socket becomes readable or writable, or its other end closes.
  ///
  /// - Returns: the key for `remove`; nil if the system refuses.
  func add(_ socket: Descriptor, _ handler: @escaping @Sendable () -> Void) -> UInt64? {
    let key = state.withLock { state in
      state.lastKey += 1
      state.handlers[state.lastKey] = handler
      return state.lastKey
    }
    let events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
    var event = epoll_event(events: events, data: epoll_data_t(u64: key))
    guard epoll_ctl(poll.number, EPOLL_CTL_ADD, socket.number, &event) == 0 else {
      state.withLock { $0.handlers[key] = nil }
      return nil
    }
    return key
  }

  /// Ends the calls for a socket, which has to be open still.
  func remove(_ socket: Descriptor, _ key: UInt64) {
    state.withLock { $0.handlers[key] = nil }
    var event = epoll_event()
    epoll_ctl(poll.number, EPOLL_CTL_DEL, socket.number, &event)
  }

  /// Ends the thread.
  func stop() {
    do throws(Errno) {
      try stopping.write([1, 0, 0, 0, 0, 0, 0, 0])
    } catch {
      // The thread ends with the process.
    }
  }

  private func run() {
    var events = [epoll_event](repeating: epoll_event(), count: 64)
    while true {
      let count = epoll_wait(poll.number, &events, Int32(events.count), -1)
      if count < 0, errno != EINTR { return }
      for event in events.prefix(max(0, Int(count))) {
        let key = event.data.u64
        if key == Self.stopKey { return }
        state.withLock { $0.handlers[key] }?()
      }
    }
  }
}
