public import Model
import System

/// A lock of logind's, held for as long as this lives (org.freedesktop.login1(5), "Inhibit").
public final class InhibitorLock: Sendable {
  /// The things that a lock keeps the host from.
  public enum Kind: Hashable, Sendable {
    /// Sleep is delayed until the lock is released, by at most the few seconds that logind grants.
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

  private let descriptor: Descriptor

  /// Takes a copy of the descriptor in logind's answer, which keeps its own. The lock is let go of with the last.
  init(answer: BusMessage) throws { descriptor = try Descriptor.duplicate(answer.descriptor()) }
}

extension InhibitorLock {
  /// Keeps this machine from going to sleep for as long as the lock lives.
  ///
  /// The lock blocks, rather than delays, as music of another room would end with the sleep all the same. Closing a lid
  /// and switching off work as before: that is a person's own will.
  ///
  /// - Parameters:
  ///   - why: the reason that a person reads who asks why the machine does not sleep.
  ///   - address: the bus to ask on; nil for the system's.
  /// - Throws: `service.noInhibitor` where there is no logind, or it refuses.
  public static func againstSleep(
    why: String, busAddress address: String? = nil
  ) async throws(LunaraError) -> InhibitorLock {
    let logind = Logind(busAddress: address)
    do {
      try await logind.open()
      let lock = try await logind.inhibit(.sleep, why: why)
      await logind.close()
      return lock
    } catch {
      await logind.close()
      throw LunaraError(
        "service.noInhibitor",
        "This machine cannot be kept from going to sleep while a room elsewhere plays from it. Allow this user polkit's org.freedesktop.login1.inhibit-block-sleep, or switch the machine's sleep off.",
        cause: LunaraError(error).cause)
    }
  }
}
