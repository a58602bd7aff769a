import CSystemd

/// How one gets onto the system's bus.
enum SystemBus {
  /// Connects to the bus at an address, or to the system's where none is given (sd_bus_open_system(3): there
  /// DBUS_SYSTEM_BUS_ADDRESS says which that is). The connection is made in the background; messages wait for it.
  ///
  /// - Returns: the connection, which is the caller's to close, or minus an errno.
  static func open(_ address: String?) -> (bus: OpaquePointer?, result: Int32) {
    var bus: OpaquePointer?
    guard let address else {
      let result = sd_bus_open_system(&bus)
      return (bus, result)
    }
    var result = sd_bus_new(&bus)
    if result >= 0 { result = sd_bus_set_address(bus, address) }
    if result >= 0 { result = sd_bus_set_bus_client(bus, 1) }
    if result >= 0 { result = sd_bus_start(bus) }
    guard result < 0 else { return (bus, result) }
    sd_bus_unref(bus)
    return (nil, result)
  }

  /// A message to logind's manager, which is the caller's to let go of; nil and minus an errno where it cannot be made.
  static func call(
    _ bus: OpaquePointer, _ member: String, _ words: [String],
    of interface: String = "org.freedesktop.login1.Manager"
  ) -> (message: OpaquePointer?, result: Int32) {
    var message: OpaquePointer?
    var result = sd_bus_message_new_method_call(
      bus, &message, "org.freedesktop.login1", "/org/freedesktop/login1", interface, member)
    for word in words where result >= 0 {
      result = word.withCString { sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), $0) }
    }
    guard result < 0 else { return (message, result) }
    sd_bus_message_unref(message)
    return (nil, result)
  }
}
