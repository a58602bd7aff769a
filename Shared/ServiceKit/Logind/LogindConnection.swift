import CSystemd
import Glibc
import Model
import System

/// A connection to logind on the system's bus. Nothing here waits: answers come within `process`.
///
/// An object of this class is used on one thread only; sd-bus calls it back on that thread.
final class LogindConnection {
  /// A handler of logind's answer.
  typealias Answer = (Result<OpaquePointer, LunaraError>) -> Void

  private let bus: OpaquePointer
  /// The handlers that wait for an answer, by the number of the call.
  private var waiting: [UInt64: Answer] = [:]
  /// Is told of each PrepareForSleep: whether the host goes to sleep, or has been asleep.
  private let sleeps: (Bool) -> Void
  private var failure: LunaraError?

  /// The time logind may take to answer, in microseconds.
  private static let patience: UInt64 = 5_000_000

  /// Connects, and has the bus tell of the host's sleep.
  ///
  /// - Throws: `service.noLogind`.
  init(_ address: String?, sleeps: @escaping (Bool) -> Void) throws(LunaraError) {
    let (opened, code) = SystemBus.open(address)
    guard let bus = opened else { throw Logind.missing(Errno(-code).text) }
    self.bus = bus
    self.sleeps = sleeps
    let result = sd_bus_match_signal_async(
      bus, nil, "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
      "PrepareForSleep", { message, context, _ in LogindConnection.signalled(message, context) },
      { message, context, _ in LogindConnection.matched(message, context) }, Unmanaged.passUnretained(self).toOpaque())
    guard result >= 0 else { throw Logind.missing(Errno(-result).text) }
  }

  // sd-bus calls back only within `process`, so nothing comes after this.
  deinit { sd_bus_close_unref(bus) }

  /// The descriptor and the events to poll for.
  func descriptor() throws(LunaraError) -> (number: Int32, events: Int32) {
    (try check(sd_bus_get_fd(bus)), try check(sd_bus_get_events(bus)))
  }

  /// The time until `process` has something to do even if nothing comes in; nil for never.
  var timeToWait: Duration? {
    var deadline = UInt64.max
    guard sd_bus_get_timeout(bus, &deadline) >= 0, let deadline = Int64(exactly: deadline) else { return nil }
    return .microseconds(max(0, deadline - MonotonicClock.microseconds()))
  }

  /// Handles what came in.
  ///
  /// - Throws: `service.noLogind` when the connection is lost.
  func process() throws(LunaraError) {
    while try check(sd_bus_process(bus, nil)) > 0 {}
    if let failure { throw failure }
  }

  /// Calls a method of logind's; the answer may be read within `answer` only.
  func call(
    _ member: String, _ words: [String], of interface: String = "org.freedesktop.login1.Manager",
    answer: @escaping Answer
  ) {
    let (made, code) = SystemBus.call(bus, member, words, of: interface)
    guard let message = made else { return answer(.failure(Logind.missing(Errno(-code).text))) }
    defer { sd_bus_message_unref(message) }
    let result = sd_bus_call_async(
      bus, nil, message, { message, context, _ in LogindConnection.answered(message, context) },
      Unmanaged.passUnretained(self).toOpaque(), Self.patience)
    var number: UInt64 = 0
    guard result >= 0, sd_bus_message_get_cookie(message, &number) >= 0 else {
      return answer(.failure(Logind.missing(Errno(-result).text)))
    }
    waiting[number] = answer
  }

  /// Tells all who wait that no answer will come.
  func giveUp(_ error: LunaraError) {
    let answers = waiting.values
    waiting = [:]
    for answer in answers { answer(.failure(error)) }
  }

  private func check(_ result: Int32) throws(LunaraError) -> Int32 {
    guard result >= 0 else { throw Logind.missing(Errno(-result).text) }
    return result
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> LogindConnection? {
    context.map { Unmanaged<LogindConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func signalled(_ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    var isSleeping: Int32 = 0
    guard sd_bus_message_read_basic(message, CChar(UInt8(ascii: "b")), &isSleeping) > 0 else { return 0 }
    of(context)?.sleeps(isSleeping != 0)
    return 0
  }

  private static func matched(_ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    if let error = error(of: message) { of(context)?.failure = Logind.missing(error) }
    return 0
  }

  private static func answered(_ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    var number: UInt64 = 0
    guard let message, sd_bus_message_get_reply_cookie(message, &number) >= 0 else { return 0 }
    guard let answer = of(context)?.waiting.removeValue(forKey: number) else { return 0 }
    answer(error(of: message).map { .failure(Logind.missing($0)) } ?? .success(message))
    return 0
  }

  private static func error(of message: OpaquePointer?) -> String? {
    guard let error = sd_bus_message_get_error(message) else { return nil }
    return error.pointee.message.map { String(cString: $0) } ?? error.pointee.name.map { String(cString: $0) } ?? ""
  }
}

/// Connects to the system's bus and makes messages for it.
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
