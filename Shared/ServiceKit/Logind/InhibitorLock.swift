import CSystemd
import Glibc

/// A lock of logind's, held for as long as this lives (org.freedesktop.login1(5), "Inhibit").
public final class InhibitorLock: Sendable {
  /// What a lock is against.
  public enum Kind: Hashable, Sendable {
    /// The host's going to sleep waits until the lock is let go of, for at most the few seconds that logind grants.
    case sleepDelay
    /// The host does not count as idle, so nothing that is done to idle hosts is done to it.
    case idle
    /// The host does not sleep by itself. Closing a lid and switching off work as before.
    case sleep

    /// Logind's words for it: what, and how.
    var words: (what: String, mode: String) {
      switch self {
      case .sleepDelay: ("sleep", "delay")
      case .idle: ("idle", "block")
      case .sleep: ("sleep", "block")
      }
    }
  }

  private let descriptor: Int32

  /// Takes the descriptor out of logind's answer, which owns the one that it came with; nil where it holds none.
  init?(answer: OpaquePointer) {
    var lent: Int32 = -1
    let result = sd_bus_message_read_basic(answer, CChar(UInt8(ascii: "h")), &lent)
    descriptor = result >= 0 ? fcntl(lent, F_DUPFD_CLOEXEC, 3) : -1
    guard descriptor >= 0 else { return nil }
  }

  // The lock is let go of with the descriptor.
  deinit { if descriptor >= 0 { close(descriptor) } }
}
