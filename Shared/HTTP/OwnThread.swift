import Glibc
import Model

/// Threads for C libraries that block.
enum OwnThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs a closure on a thread of its own, which nobody needs to join.
  static func start(_ body: @escaping @Sendable () -> Void) throws {
    let context = Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let result = withoutSignals {
      pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
          return nil
        }, context.toOpaque())
    }
    guard result == 0 else {
      context.release()
      throw LunaraError(
        "http.noThread", "The system gives no further thread. Raise its limits.",
        cause: String(cString: strerror(result)))
    }
    pthread_detach(thread)
  }

  /// Runs a closure with all signals blocked, so that a thread it starts leaves them to the main thread.
  static func withoutSignals<T>(_ body: () -> T) -> T {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }
}
