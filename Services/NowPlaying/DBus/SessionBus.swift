import CSystemd
import Model
import System

/// Connections to the session bus of a desktop.
enum SessionBus {
  /// Connects to the bus at an address; nil is the person's own session bus. The connection is made in the background, and
  /// messages wait for it.
  ///
  /// - Throws: `nowplaying.noSessionBus`.
  static func open(_ address: String?) throws -> OpaquePointer {
    var bus: OpaquePointer?
    do {
      if let address {
        try check(sd_bus_new(&bus))
        try check(sd_bus_set_address(bus, address))
        try check(sd_bus_set_bus_client(bus, 1))
        try check(sd_bus_start(bus))
      } else {
        try check(sd_bus_open_user(&bus))
      }
      guard let bus else { throw LunaraError("nowplaying.badMessage", "sd-bus gave no connection.") }
      return bus
    } catch {
      sd_bus_unref(bus)
      throw missing(error)
    }
  }

  /// Returns the time by the monotonic clock, in microseconds, at which sd-bus has something to do even if nothing comes in;
  /// nil for never.
  static func deadline(of bus: OpaquePointer) -> Int64? {
    var deadline = UInt64.max
    return sd_bus_get_timeout(bus, &deadline) >= 0 ? Int64(exactly: deadline) : nil
  }

  /// Returns the error for a missing bus.
  static func missing(_ error: any Error) -> LunaraError {
    LunaraError(
      "nowplaying.noSessionBus",
      "There is no D-Bus session bus, so the desktop does not show what plays. Log in to a desktop, or set "
        + "DBUS_SESSION_BUS_ADDRESS to its bus. Lunara looks for it again by itself.",
      cause: LunaraError(error).cause)
  }
}

/// Turns the negative errno that sd-bus functions return into an error.
///
/// - Throws: `nowplaying.badMessage`.
@discardableResult
func check(_ result: Int32) throws -> Int32 {
  guard result < 0 else { return result }
  throw LunaraError(
    "nowplaying.badMessage", "A message could not be exchanged with the session bus.", cause: Errno(-result))
}
