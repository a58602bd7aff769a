import CPlatform
import Glibc

/// A POSIX thread, for work that blocks and so must not run on Swift's cooperative pool.
///
/// All signals are blocked in it, as the main thread handles them, except those that faults of the thread raise, such
/// as SIGSEGV, so that a crash is reported.
public struct SystemThread: Hashable, Sendable {
  private let handle: pthread_t

  /// The calling thread.
  public static var current: SystemThread { SystemThread(handle: pthread_self()) }

  /// True if the calling thread is this thread.
  public var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

  /// Lowers the priority of the calling thread for as long as it lives, to a nice value from 0 to 19.
  public static func lowerPriority(toNice nice: Int32) { lunara_lower_priority(nice) }

  /// Starts a detached thread.
  ///
  /// - Parameters:
  ///   - name: the name that `ps -L` and debuggers show; the kernel keeps the first 15 bytes.
  ///   - stackSize: the size of the stack in bytes; nil for the system's default.
  ///   - body: the work of the thread.
  /// - Throws: The error of pthread_create, usually `EAGAIN`.
  public static func start(
    _ name: String, stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) {
    try startJoinable(name, stackSize: stackSize, body).detach()
  }

  /// Starts a thread that has to be joined or detached once.
  ///
  /// - Throws: The error of pthread_create, usually `EAGAIN`.
  public static func startJoinable(
    _ name: String, stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) -> SystemThread {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    var handle = pthread_t()
    let start = Unmanaged.passRetained(Start(name, body))
    let result = withSignalsBlocked {
      pthread_create(
        &handle, &attributes,
        { argument in
          guard let argument else { return nil }
          let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
          lunara_name_thread(start.name)
          start.body()
          return nil
        }, start.toOpaque())
    }
    guard result == 0 else {
      start.release()
      throw Errno(result)
    }
    return SystemThread(handle: handle)
  }

  /// Blocks until the thread has ended, and frees its resources.
  public func join() { pthread_join(handle, nil) }

  /// Makes the system free the thread when it ends.
  public func detach() { pthread_detach(handle) }

  /// Runs `body` with signals blocked in this thread, so that threads which a C library starts inherit that.
  public static func withSignalsBlocked<Result>(_ body: () throws -> Result) rethrows -> Result {
    var blocked = sigset_t()
    var before = sigset_t()
    sigfillset(&blocked)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&blocked, fault) }
    pthread_sigmask(SIG_SETMASK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }

  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }
}
