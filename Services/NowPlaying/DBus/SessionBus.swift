import CSystemd
import Model
import System

/// A connection to a desktop's session bus. Used on one thread only.
final class SessionBus {
  /// The largest number of messages that are handled at once, so that one busy program does not delay the other rooms.
  private static let messagesPerTurn = 64

  let handle: OpaquePointer

  /// Connects to the bus at `address`, or to the user's own session bus if it is nil. Connecting continues in the
  /// background, and messages wait for it.
  init(_ address: String?) throws {
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
      handle = bus
    } catch {
      sd_bus_unref(bus)
      throw error
    }
  }

  deinit { sd_bus_close_unref(handle) }

  /// Returns the descriptor to watch, and the events of poll(2) to watch it for.
  func descriptor() throws -> (number: Int32, events: Int32) {
    (try check(sd_bus_get_fd(handle)), try check(sd_bus_get_events(handle)))
  }

  func process() throws {
    for _ in 0..<Self.messagesPerTurn where try check(sd_bus_process(handle, nil)) == 0 { break }
  }

  /// The time of the monotonic clock, in microseconds, at which `process` must be called even if no message arrives;
  /// nil if there is none.
  var due: Int64? {
    var deadline = UInt64.max
    return sd_bus_get_timeout(handle, &deadline) >= 0 ? Int64(exactly: deadline) : nil
  }

  /// Returns the error for a bus that does not exist, or whose connection was lost.
  static func missing(_ error: any Error) -> LunaraError {
    LunaraError(
      "nowplaying.noSessionBus",
      "There is no D-Bus session bus, so the desktop does not show what plays. Log in to a desktop, or set "
        + "DBUS_SESSION_BUS_ADDRESS to its bus. Lunara looks for it again by itself.",
      cause: LunaraError(error).cause)
  }
}

/// Throws `nowplaying.badMessage` for the negative errno of an sd-bus function, and returns any other result.
@discardableResult
func check(_ result: Int32) throws -> Int32 {
  guard result < 0 else { return result }
  throw LunaraError(
    "nowplaying.badMessage", "A message could not be exchanged with the session bus.", cause: Errno(-result))
}
