public import Model
import System

/// A lock of logind, which is held while this object exists (org.freedesktop.login1(5), "Inhibit").
public final class InhibitorLock: Sendable {
  /// The kinds of locks.
  public enum Kind: Hashable, Sendable {
    /// The lock delays sleep until it is released, but at most for the few seconds that logind allows.
    case sleepDelay
    /// The host does not count as idle, so that logind's idle action is not performed.
    case idle
    /// The host does not go to sleep automatically. Closing the lid and switching off have their usual effect.
    case sleep

    /// The two words that logind uses for the kind: the inhibited action and the mode.
    var words: (what: String, mode: String) {
      switch self {
      case .sleepDelay: ("sleep", "delay")
      case .idle: ("idle", "block")
      case .sleep: ("sleep", "block")
      }
    }
  }

  private let descriptor: Descriptor

  /// Duplicates the descriptor of logind's answer, which closes its own. The lock is released with the last copy.
  init(answer: BusMessage) throws { descriptor = try Descriptor.duplicate(answer.descriptor()) }
}

extension InhibitorLock {
  /// Keeps this machine from going to sleep while the lock exists.
  ///
  /// The lock blocks sleep instead of delaying it, as a delay would only put off the end of another room's music.
  /// Closing the lid and switching off have their usual effect, as a person wants that.
  ///
  /// - Parameters:
  ///   - why: the reason, which logind shows to people who list the locks.
  ///   - address: the address of the bus; nil for the system bus.
  /// - Throws: `service.noInhibitor` if there is no logind, or if it refuses.
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
