import CPlatform
import Glibc
import Model
import Synchronization

/// Runs an asynchronous command while the main thread waits for its end and for Ctrl-C.
enum Interruptible {
  /// Runs `body`; SIGINT and SIGTERM cancel it, a second one ends the process at once.
  ///
  /// To be called on the main thread before other threads run, so that all of them inherit the blocked signals.
  static func run(_ body: @escaping @Sendable () async throws -> Void) throws {
    let signals = Descriptor(owning: lunara_signal_descriptor([SIGINT, SIGTERM], 2))
    let (ended, ending) = try Descriptor.pipe()
    let outcome = Outcome()
    let task = Task {
      do {
        try await body()
      } catch {
        outcome.failure.withLock { $0 = error }
      }
      Descriptor.write([1], to: ending.number)
    }
    var isCancelled = false
    var polled = [signals.number, ended.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&polled, 2, -1) < 0 || polled[1].revents == 0 {
      if lunara_next_signal(signals.number) != 0 {
        if isCancelled { _exit(ExitStatus.interrupted.rawValue) }
        isCancelled = true
        task.cancel()
      }
    }
    if let failure = outcome.failure.withLock({ $0 }) { throw failure }
  }

  private final class Outcome: Sendable {
    let failure = Mutex<(any Error)?>(nil)
  }
}
