import CSystemd
import Glibc
public import Model

/// Keeps this machine from going to sleep for as long as it lives, by an inhibitor lock of logind
/// (org.freedesktop.login1(5), "Inhibit").
///
/// The lock blocks, rather than delays, as music of another room would end with the sleep all the same. Closing a lid
/// and switching off work as before: that is a person's own will.
public final class SleepInhibitor: Sendable {
  private let descriptor: Int32

  /// Asks logind; waits for its answer for at most 5 s, so it is for no thread that others wait for.
  ///
  /// - Parameters:
  ///   - why: what a person reads who asks why the machine does not sleep.
  ///   - address: the bus to ask on; nil for the system's.
  /// - Throws: `service.noInhibitor` where there is no logind, or it refuses.
  public init(why: String, busAddress address: String? = nil) throws(LunaraError) {
    var bus: OpaquePointer?
    defer { sd_bus_close_unref(bus) }
    var result: Int32
    if let address {
      result = sd_bus_new(&bus)
      if result >= 0 { result = sd_bus_set_address(bus, address) }
      if result >= 0 { result = sd_bus_set_bus_client(bus, 1) }
      if result >= 0 { result = sd_bus_start(bus) }
    } else {
      result = sd_bus_open_system(&bus)
    }
    guard result >= 0, let bus else { throw Self.refusal(String(cString: strerror(-result))) }
    var message: OpaquePointer?
    defer { sd_bus_message_unref(message) }
    result = sd_bus_message_new_method_call(
      bus, &message, "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "Inhibit")
    for word in ["sleep", "Lunara", why, "block"] where result >= 0 {
      result = word.withCString { sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), $0) }
    }
    guard result >= 0 else { throw Self.refusal(String(cString: strerror(-result))) }
    var reply: OpaquePointer?
    defer { sd_bus_message_unref(reply) }
    var error = sd_bus_error()
    defer { sd_bus_error_free(&error) }
    result = sd_bus_call(bus, message, 5_000_000, &error, &reply)
    guard result >= 0 else {
      throw Self.refusal(error.message.map { String(cString: $0) } ?? String(cString: strerror(-result)))
    }
    // The message owns the descriptor it came with.
    var lent: Int32 = -1
    result = sd_bus_message_read_basic(reply, CChar(UInt8(ascii: "h")), &lent)
    let kept = result >= 0 ? fcntl(lent, F_DUPFD_CLOEXEC, 3) : -1
    guard kept >= 0 else { throw Self.refusal("the answer holds no descriptor") }
    descriptor = kept
  }

  // The lock is let go of with the descriptor.
  deinit { close(descriptor) }

  private static func refusal(_ cause: String) -> LunaraError {
    LunaraError(
      "service.noInhibitor",
      "This machine cannot be kept from going to sleep while a room elsewhere plays from it. Allow this user polkit's org.freedesktop.login1.inhibit-block-sleep, or switch the machine's sleep off.",
      cause: cause)
  }
}
