import CSystemd
import Glibc
import Model
import System

/// A call of one of the daemon's methods, as it is written.
///
/// It starts no daemon that is not there: that one is stopped may be somebody's wish.
struct AvahiCall: ~Copyable {
  static let daemon = "org.freedesktop.Avahi"
  /// As the daemon's interface has it: any network device, any protocol.
  static let any: Int32 = -1

  private let message: OpaquePointer

  init(_ member: String, of interface: String, at path: String, on bus: OpaquePointer) throws {
    var message: OpaquePointer?
    try check(
      sd_bus_message_new_method_call(bus, &message, Self.daemon, path, "\(Self.daemon).\(interface)", member))
    guard let message else { throw failure(ENOMEM) }
    self.message = message
    sd_bus_message_set_auto_start(message, 0)
  }

  deinit { sd_bus_message_unref(message) }

  func add(_ value: Int32) throws { _ = try withUnsafePointer(to: value) { try append("i", $0) } }
  func add(_ value: UInt32) throws { _ = try withUnsafePointer(to: value) { try append("u", $0) } }
  func add(_ value: UInt16) throws { _ = try withUnsafePointer(to: value) { try append("q", $0) } }
  func add(_ texts: String...) throws {
    for text in texts { _ = try text.withCString { try append("s", $0) } }
  }

  /// Adds the remarks of a service.
  func add(remarks: [String]) throws {
    try check(sd_bus_message_open_container(message, Self.code("a"), "ay"))
    for remark in remarks {
      let bytes = Array(remark.utf8)
      try check(sd_bus_message_append_array(message, Self.code("y"), bytes, bytes.count))
    }
    try check(sd_bus_message_close_container(message))
  }

  /// Sends it; the number that its answer will bear.
  func send(
    on bus: OpaquePointer, to answered: @escaping sd_bus_message_handler_t, _ context: UnsafeMutableRawPointer
  ) throws -> UInt64 {
    // The daemon waits up to 5 s for a service that it asks.
    try check(sd_bus_call_async(bus, nil, message, answered, context, 10_000_000))
    var number: UInt64 = 0
    try check(sd_bus_message_get_cookie(message, &number))
    return number
  }

  private func append(_ type: Unicode.Scalar, _ value: UnsafeRawPointer) throws -> Int32 {
    try check(sd_bus_message_append_basic(message, Self.code(type), value))
  }

  /// An ASCII letter as sd-bus names its types.
  static func code(_ letter: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: letter.value) }
}

/// A message from the daemon; its values are read in their order.
struct AvahiMessage {
  let message: OpaquePointer

  var sender: String { sd_bus_message_get_sender(message).map { String(cString: $0) } ?? "" }
  var path: String { sd_bus_message_get_path(message).map { String(cString: $0) } ?? "" }
  var member: String { sd_bus_message_get_member(message).map { String(cString: $0) } ?? "" }
  var isError: Bool { sd_bus_message_is_method_error(message, nil) > 0 }

  func int() throws -> Int32 {
    var value: Int32 = 0
    try check(sd_bus_message_read_basic(message, AvahiCall.code("i"), &value))
    return value
  }

  func flags() throws -> UInt32 {
    var value: UInt32 = 0
    try check(sd_bus_message_read_basic(message, AvahiCall.code("u"), &value))
    return value
  }

  func port() throws -> UInt16 {
    var value: UInt16 = 0
    try check(sd_bus_message_read_basic(message, AvahiCall.code("q"), &value))
    return value
  }

  func text(_ type: Unicode.Scalar = "s") throws -> String {
    var value: UnsafePointer<CChar>?
    try check(sd_bus_message_read_basic(message, AvahiCall.code(type), &value))
    return value.map { String(cString: $0) } ?? ""
  }

  func skip(_ types: String) throws { try check(sd_bus_message_skip(message, types)) }

  /// The remarks of a service.
  func remarks() throws -> [String] {
    var found: [String] = []
    try check(sd_bus_message_enter_container(message, AvahiCall.code("a"), "ay"))
    while true {
      var bytes: UnsafeRawPointer?
      var size = 0
      guard try check(sd_bus_message_read_array(message, AvahiCall.code("y"), &bytes, &size)) > 0 else { break }
      found.append(String(decoding: UnsafeRawBufferPointer(start: bytes, count: size), as: UTF8.self))
    }
    try check(sd_bus_message_exit_container(message))
    return found
  }
}

/// Turns the negative errno that sd-bus functions return into an error.
@discardableResult
func check(_ result: Int32) throws -> Int32 {
  guard result < 0 else { return result }
  throw failure(-result)
}

/// The error of a machine on which other machines cannot be found by themselves.
func failure(_ code: Int32?) -> LunaraError {
  LunaraError(
    "bus.noDiscovery",
    "LUNARA_DISCOVER is on, but Avahi's daemon is not there, so other machines are not found by themselves. Install and start "
      + "avahi-daemon, or name one machine with LUNARA_SEEDS. The daemon is looked for again by itself.",
    cause: code.map { Errno($0).text })
}
