import CSystemd
import Glibc
public import Model
import System

/// A lock of logind's, held for as long as this lives (org.freedesktop.login1(5), "Inhibit").
public final class InhibitorLock: Sendable {
  /// The things that a lock keeps the host from.
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

  private let descriptor: Descriptor

  /// Takes the descriptor out of logind's answer, which owns the one that it came with; nil where it holds none.
  init?(answer: OpaquePointer) {
    var lent: Int32 = -1
    let result = sd_bus_message_read_basic(answer, CChar(UInt8(ascii: "h")), &lent)
    guard result >= 0 else { return nil }
    // The lock is let go of with the descriptor.
    do { descriptor = try Descriptor.duplicate(lent) } catch { return nil }
  }
}

/// Keeps this machine from going to sleep for as long as it lives, by an inhibitor lock of logind.
///
/// The lock blocks, rather than delays, as music of another room would end with the sleep all the same. Closing a lid
/// and switching off work as before: that is a person's own will.
public final class SleepInhibitor: Sendable {
  private let lock: InhibitorLock

  /// Asks logind; waits for its answer for at most 5 s, so it is for no thread that others wait for.
  ///
  /// - Parameters:
  ///   - why: the reason that a person reads who asks why the machine does not sleep.
  ///   - address: the bus to ask on; nil for the system's.
  /// - Throws: `service.noInhibitor` where there is no logind, or it refuses.
  public init(why: String, busAddress address: String? = nil) throws(LunaraError) {
    let (opened, code) = SystemBus.open(address)
    guard let bus = opened else { throw Self.refusal(Errno(-code).text) }
    defer { sd_bus_close_unref(bus) }
    let words = InhibitorLock.Kind.sleep.words
    let (message, result) = SystemBus.call(bus, "Inhibit", [words.what, "Lunara", why, words.mode])
    guard let message else { throw Self.refusal(Errno(-result).text) }
    defer { sd_bus_message_unref(message) }
    var reply: OpaquePointer?
    defer { sd_bus_message_unref(reply) }
    var error = sd_bus_error()
    defer { sd_bus_error_free(&error) }
    let answered = sd_bus_call(bus, message, 5_000_000, &error, &reply)
    guard answered >= 0, let reply else {
      throw Self.refusal(error.message.map { String(cString: $0) } ?? Errno(-answered).text)
    }
    guard let lock = InhibitorLock(answer: reply) else { throw Self.refusal("the answer holds no descriptor") }
    self.lock = lock
  }

  private static func refusal(_ cause: String) -> LunaraError {
    LunaraError(
      "service.noInhibitor",
      "This machine cannot be kept from going to sleep while a room elsewhere plays from it. Allow this user polkit's org.freedesktop.login1.inhibit-block-sleep, or switch the machine's sleep off.",
      cause: cause)
  }
}
