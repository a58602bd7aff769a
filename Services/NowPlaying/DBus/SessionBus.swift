import CSystemd
import Glibc
import Model

/// How one gets onto a session bus.
enum SessionBus {
  /// Connects to the bus at an address, or to the person's own where none is given. The connection is made in the
  /// background; messages wait for it.
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

  /// What a person reads when there is no bus.
  static func missing(_ error: any Error) -> LunaraError {
    LunaraError(
      "nowplaying.noSessionBus",
      "There is no D-Bus session bus, so the desktop does not show what plays. Log in to a desktop, or set "
        + "DBUS_SESSION_BUS_ADDRESS to its bus. It is looked for again by itself.",
      cause: LunaraError(error).cause)
  }
}

/// This host's monotonic clock, by which sd-bus counts its deadlines.
enum MonotonicClock {
  /// Microseconds since some moment before the process began.
  static func microseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
