import Bus
import CSystemd
import Glibc
import Model
import System

/// The reason of a failure on the bus, in the words of the called service or of the C library.
struct BusFailure: Error, CustomStringConvertible {
  let description: String
}

/// A connection to one service on the system bus. No call blocks: answers and signals are delivered within `process`.
///
/// Must be used on one thread only; sd-bus calls it back on that thread.
final class SystemBus {
  /// A handler of an answer. The message is valid only during the call.
  typealias Answer = (Result<BusMessage, BusFailure>) -> Void

  /// The handler of the signals that the rules match.
  var heard: (BusMessage) -> Void = { _ in }
  private let bus: OpaquePointer
  private let service: String
  private let patience: UInt64
  private let startsService: Bool
  /// The handlers of the open calls, by the cookies of their messages.
  private var waiting: [UInt64: Answer] = [:]
  private var failure: BusFailure?
  private var watched: Int32?

  /// Connects in the background; messages are sent after that.
  ///
  /// - Parameters:
  ///   - address: the address of the bus; nil for the system bus (sd_bus_open_system(3), which uses
  ///     DBUS_SYSTEM_BUS_ADDRESS).
  ///   - service: the service that is called.
  ///   - patience: the time limit for its answers, in microseconds.
  ///   - startsService: false if calls must not start the service, as a person may have stopped it.
  ///   - rules: the match rules of the signals to receive.
  init(
    _ address: String? = nil, of service: String, patience: UInt64, startsService: Bool = true, rules: [String]
  ) throws(BusFailure) {
    bus = try Self.open(address)
    self.service = service
    self.patience = patience
    self.startsService = startsService
    for rule in rules {
      try check(
        sd_bus_add_match_async(
          bus, nil, "type='signal',\(rule)",
          { message, context, _ in
            if let message { SystemBus.of(context)?.heard(BusMessage(message: message)) }
            return 0
          },
          { message, context, _ in
            if let error = message.flatMap({ BusMessage(message: $0).error }) { SystemBus.of(context)?.failure = error }
            return 0
          }, Unmanaged.passUnretained(self).toOpaque()))
    }
  }

  // sd-bus calls back only within `process`, so no call can follow.
  deinit { sd_bus_close_unref(bus) }

  private static func open(_ address: String?) throws(BusFailure) -> OpaquePointer {
    var bus: OpaquePointer?
    var result: Int32
    if let address {
      result = sd_bus_new(&bus)
      if result >= 0 { result = sd_bus_set_address(bus, address) }
      if result >= 0 { result = sd_bus_set_bus_client(bus, 1) }
      if result >= 0 { result = sd_bus_start(bus) }
    } else {
      result = sd_bus_open_system(&bus)
    }
    if result >= 0, let bus { return bus }
    sd_bus_unref(bus)
    throw BusFailure(description: Errno(-result).text)
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> SystemBus? {
    context.map { Unmanaged<SystemBus>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The time until `process` has something to do without a new message; nil for never.
  var timeToWait: Duration? {
    var deadline = UInt64.max
    guard sd_bus_get_timeout(bus, &deadline) >= 0, let deadline = Int64(exactly: deadline) else { return nil }
    return .microseconds(max(0, deadline - MonotonicClock.microseconds()))
  }

  /// Makes a thread call `ready` whenever `process` has something to do.
  func watch(on thread: IOThread, _ ready: @escaping () -> Void) throws(BusFailure) {
    let (number, events) = (try check(sd_bus_get_fd(bus)), try check(sd_bus_get_events(bus)))
    if watched != number { ignore(on: thread) }
    watched = number
    thread.watch(number, for: events, ready)
  }

  func ignore(on thread: IOThread) {
    if let watched { thread.ignore(watched) }
    watched = nil
  }

  /// Handles received messages and sends waiting ones; throws if the connection is lost.
  func process() throws(BusFailure) {
    while try check(sd_bus_process(bus, nil)) > 0 {}
    if let failure { throw failure }
  }

  /// Does what there is to do now, and makes a thread call `again` whenever there is more. Throws if the connection is
  /// lost.
  func work(on thread: IOThread, again: @escaping () -> Void) throws(BusFailure) {
    try process()
    try watch(on: thread, again)
    thread.schedule(at: timeToWait.map { .now + $0 }, again)
  }

  /// Ends what `work` began, and fails all open calls.
  func end(on thread: IOThread, _ failure: BusFailure) {
    ignore(on: thread)
    thread.schedule(at: nil) {}
    giveUp(failure)
  }

  func call(
    _ member: String, of interface: String, at path: String, _ values: [BusValue] = [], answer: @escaping Answer
  ) throws(BusFailure) {
    var made: OpaquePointer?
    try check(sd_bus_message_new_method_call(bus, &made, service, path, interface, member))
    guard let message = made else { throw BusFailure(description: Errno(ENOMEM).text) }
    defer { sd_bus_message_unref(message) }
    if !startsService { sd_bus_message_set_auto_start(message, 0) }
    for value in values { try check(value.append(to: message)) }
    try check(
      sd_bus_call_async(
        bus, nil, message,
        { message, context, _ in
          var number: UInt64 = 0
          guard let message, sd_bus_message_get_reply_cookie(message, &number) >= 0 else { return 0 }
          let answer = BusMessage(message: message)
          SystemBus.of(context)?.waiting.removeValue(forKey: number)?(
            answer.error.map { .failure($0) } ?? .success(answer))
          return 0
        }, Unmanaged.passUnretained(self).toOpaque(), patience))
    var number: UInt64 = 0
    try check(sd_bus_message_get_cookie(message, &number))
    waiting[number] = answer
  }

  /// Fails all open calls.
  func giveUp(_ failure: BusFailure) {
    let answers = waiting.values
    waiting = [:]
    for answer in answers { answer(.failure(failure)) }
  }
}

enum BusValue {
  case int(Int32), flags(UInt32), port(UInt16), text(String)
  /// An array of byte arrays.
  case txtRecords([String])

  /// Appends the value to a message; returns the result of sd-bus.
  fileprivate func append(to message: OpaquePointer) -> Int32 {
    switch self {
    case .int(let value):
      return withUnsafePointer(to: value) { sd_bus_message_append_basic(message, code("i"), $0) }
    case .flags(let value):
      return withUnsafePointer(to: value) { sd_bus_message_append_basic(message, code("u"), $0) }
    case .port(let value):
      return withUnsafePointer(to: value) { sd_bus_message_append_basic(message, code("q"), $0) }
    case .text(let value): return value.withCString { sd_bus_message_append_basic(message, code("s"), $0) }
    case .txtRecords(let txtRecords):
      var result = sd_bus_message_open_container(message, code("a"), "ay")
      for record in txtRecords where result >= 0 {
        let bytes = Array(record.utf8)
        result = sd_bus_message_append_array(message, code("y"), bytes, bytes.count)
      }
      return result < 0 ? result : sd_bus_message_close_container(message)
    }
  }
}

/// A message from the bus; its values have to be read in their order.
struct BusMessage {
  let message: OpaquePointer

  var sender: String { sd_bus_message_get_sender(message).map { String(cString: $0) } ?? "" }
  var path: String { sd_bus_message_get_path(message).map { String(cString: $0) } ?? "" }
  var member: String { sd_bus_message_get_member(message).map { String(cString: $0) } ?? "" }

  var error: BusFailure? {
    guard let error = sd_bus_message_get_error(message)?.pointee else { return nil }
    return BusFailure(description: (error.message ?? error.name).map { String(cString: $0) } ?? "")
  }

  func int() throws(BusFailure) -> Int32 { try value("i", 0) }
  func flags() throws(BusFailure) -> UInt32 { try value("u", 0) }
  func port() throws(BusFailure) -> UInt16 { try value("q", 0) }
  func flag() throws(BusFailure) -> Bool { try value("b", 0 as Int32) != 0 }
  /// Returns a descriptor, which the message closes.
  func descriptor() throws(BusFailure) -> Int32 { try value("h", -1) }
  func text() throws(BusFailure) -> String { try characters("s") }
  func objectPath() throws(BusFailure) -> String { try characters("o") }

  func skip(_ types: String) throws(BusFailure) { try check(sd_bus_message_skip(message, types)) }
  func enter(_ type: Unicode.Scalar, of contents: String) throws(BusFailure) {
    try check(sd_bus_message_enter_container(message, code(type), contents))
  }

  /// Returns an array of byte arrays as texts.
  func txtRecords() throws(BusFailure) -> [String] {
    var found: [String] = []
    try enter("a", of: "ay")
    while true {
      var bytes: UnsafeRawPointer?
      var size = 0
      guard try check(sd_bus_message_read_array(message, code("y"), &bytes, &size)) > 0 else { break }
      found.append(String(decoding: UnsafeRawBufferPointer(start: bytes, count: size), as: UTF8.self))
    }
    try check(sd_bus_message_exit_container(message))
    return found
  }

  private func characters(_ type: Unicode.Scalar) throws(BusFailure) -> String {
    try value(type, UnsafePointer<CChar>?.none).map { String(cString: $0) } ?? ""
  }

  private func value<Value>(_ type: Unicode.Scalar, _ initial: Value) throws(BusFailure) -> Value {
    var value = initial
    let result = withUnsafeMutablePointer(to: &value) { sd_bus_message_read_basic(message, code(type), $0) }
    guard try check(result) > 0 else { throw BusFailure(description: "a value is missing") }
    return value
  }
}

/// Returns the sd-bus type code for an ASCII letter.
private func code(_ letter: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: letter.value) }

/// Throws an error if the result of an sd-bus function is a negative errno.
@discardableResult
private func check(_ result: Int32) throws(BusFailure) -> Int32 {
  guard result < 0 else { return result }
  throw BusFailure(description: Errno(-result).text)
}
