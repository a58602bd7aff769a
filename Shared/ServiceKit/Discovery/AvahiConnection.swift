import CSystemd
import Glibc
import System

/// One connection to the system bus, and what Avahi's daemon says there (its D-Bus interface, `org.freedesktop.Avahi`).
///
/// An object of this class is used on one thread only; sd-bus calls it back on that thread, within `process`.
final class AvahiConnection {
  /// The answer that is waited for.
  private enum Question {
    case state, host, browser
    case group, entry(String), commit(String)
    case service(DiscoveredService)
  }

  private static let type = "_lunara._tcp"
  /// The flag of a service that is announced on this machine (`AVAHI_LOOKUP_RESULT_LOCAL`).
  private static let local: UInt32 = 8

  /// The events since this was emptied.
  var events: [MachineDiscovery.Event] = []
  private let bus: OpaquePointer
  private var questions: [UInt64: Question] = [:]
  /// The daemon's own address on the bus: signals of others do not count.
  private var daemon = ""
  private var wanted: (name: String, port: UInt16, remarks: [String])?
  private var group: String?
  private var browser: String?

  /// Connects to the system bus in the background, and asks how the daemon is.
  ///
  /// - Throws: `bus.noDiscovery` where there is no system bus.
  init() throws {
    var opened: OpaquePointer?
    try check(sd_bus_open_system(&opened))
    guard let opened else { throw failure(ENOTCONN) }
    bus = opened
    let context = Unmanaged.passUnretained(self).toOpaque()
    let hear: sd_bus_message_handler_t = { message, context, _ in
      guard let message, let context else { return 0 }
      Unmanaged<AvahiConnection>.fromOpaque(context).takeUnretainedValue().handle(
        signal: AvahiMessage(message: message))
      return 0
    }
    let interfaces = ["Server", "ServiceBrowser", "EntryGroup"].map { "interface='\(AvahiCall.daemon).\($0)'" }
    let owner = "sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(AvahiCall.daemon)'"
    for rule in interfaces + [owner] {
      try check(sd_bus_add_match_async(bus, nil, "type='signal',\(rule)", hear, nil, context))
    }
    try ask(AvahiCall("GetState", of: "Server", at: "/", on: bus), .state)
  }

  // With the connection the daemon drops what it has of this process; nothing calls back any more.
  deinit { sd_bus_close_unref(bus) }

  // MARK: - The event loop's side

  /// The descriptor and the events to poll for.
  ///
  /// - Throws: `bus.noDiscovery` when the connection is broken.
  func descriptor() throws -> (number: Int32, events: Int32) {
    (try check(sd_bus_get_fd(bus)), try check(sd_bus_get_events(bus)))
  }

  /// The time until `process` has something to do even if nothing comes in; nil for never.
  var timeToWait: Duration? {
    var deadline = UInt64.max
    guard sd_bus_get_timeout(bus, &deadline) >= 0, let deadline = Int64(exactly: deadline) else { return nil }
    return .microseconds(max(0, deadline - MonotonicClock.microseconds()))
  }

  /// Handles what came in, and sends what waits.
  ///
  /// - Throws: `bus.noDiscovery` when the connection is lost.
  func process() throws { while try check(sd_bus_process(bus, nil)) > 0 {} }

  // MARK: - What is wanted of the daemon

  /// Has the services of our kind listed.
  func browse() throws {
    if let browser { try free(browser, "ServiceBrowser") }
    browser = nil
    let call = try AvahiCall("ServiceBrowserNew", of: "Server", at: "/", on: bus)
    try call.add(AvahiCall.any)
    try call.add(AvahiCall.any)
    try call.add(Self.type, "")
    try call.add(UInt32(0))
    try ask(call, .browser)
  }

  /// Announces this machine: a group is made for it, filled and committed.
  func announce(name: String, port: UInt16, remarks: [String]) throws {
    wanted = (name, port, remarks)
    try ask(AvahiCall("EntryGroupNew", of: "Server", at: "/", on: bus), .group)
  }

  /// Takes the announcement back, be it made or on its way.
  func withdraw() throws {
    wanted = nil
    if let group { try free(group, "EntryGroup") }
    group = nil
  }

  /// Asks what a service says of itself.
  func resolve(_ service: DiscoveredService) throws {
    let call = try AvahiCall("ResolveService", of: "Server", at: "/", on: bus)
    try call.add(service.interface)
    try call.add(service.family)
    try call.add(service.name, Self.type, service.domain)
    try call.add(service.family)
    try call.add(UInt32(0))
    try ask(call, .service(service))
  }

  private func ask(_ call: consuming AvahiCall, _ question: Question) throws {
    let answered: sd_bus_message_handler_t = { message, context, _ in
      guard let message, let context else { return 0 }
      Unmanaged<AvahiConnection>.fromOpaque(context).takeUnretainedValue().answered(message)
      return 1
    }
    questions[try call.send(on: bus, to: answered, Unmanaged.passUnretained(self).toOpaque())] = question
  }

  /// Lets go of something of the daemon's; there is nothing to hear about it.
  private func free(_ path: String, _ interface: String) throws {
    let call = try AvahiCall("Free", of: interface, at: path, on: bus)
    _ = try call.send(on: bus, to: { _, _, _ in 1 }, Unmanaged.passUnretained(self).toOpaque())
  }

  // MARK: - What the daemon says

  private func answered(_ message: OpaquePointer) {
    var number: UInt64 = 0
    guard sd_bus_message_get_reply_cookie(message, &number) >= 0,
      let question = questions.removeValue(forKey: number)
    else { return }
    let message = AvahiMessage(message: message)
    do {
      guard !message.isError else { return failed(question) }
      try handle(message, answering: question)
    } catch {
      // An answer of another form is none.
      failed(question)
    }
  }

  private func handle(_ message: AvahiMessage, answering question: Question) throws {
    switch question {
    case .state:
      daemon = message.sender
      try handleState(message.int())
    case .host: events.append(.daemonReady(host: try message.text()))
    case .browser: browser = try message.text("o")
    case .group:
      let path = try message.text("o")
      guard let wanted, group == nil else { return try free(path, "EntryGroup") }
      group = path
      let call = try AvahiCall("AddService", of: "EntryGroup", at: path, on: bus)
      try call.add(AvahiCall.any)
      try call.add(AvahiCall.any)
      try call.add(UInt32(0))
      try call.add(wanted.name, Self.type, "", "")
      try call.add(wanted.port)
      try call.add(remarks: wanted.remarks)
      try ask(call, .entry(path))
    case .entry(let path):
      guard path == group else { return }
      try ask(AvahiCall("Commit", of: "EntryGroup", at: path, on: bus), .commit(path))
    case .commit(let path): if path == group { events.append(.announced) }
    case .service(let service):
      try message.skip("iissssi")
      let (address, port, remarks) = (try message.text(), try message.port(), try message.remarks())
      events.append(.resolved(service, ServiceDetails(address: address, port: port, remarks: remarks)))
    }
  }

  private func failed(_ question: Question) {
    switch question {
    case .state, .host: events.append(.daemonAway)
    case .browser: events.append(.browserFailed)
    case .group: if wanted != nil { refused() }
    case .entry(let path), .commit(let path): if path == group { refused() }
    case .service(let service): events.append(.resolved(service, nil))
    }
  }

  private func refused() {
    events.append(.refused)
    // A broken connection leaves nothing to take back.
    do { try withdraw() } catch { group = nil }
  }

  private func handle(signal message: AvahiMessage) {
    do {
      if message.member == "NameOwnerChanged" { return try ownerChanged(message) }
      guard message.sender == daemon else { return }
      switch message.member {
      case "StateChanged" where message.path == group:
        // Two on the network have one name, or the daemon cannot.
        if try message.int() >= 3 { refused() }
      case "StateChanged" where message.path == "/": try handleState(message.int())
      case "ItemNew":
        let service = try listed(message)
        events.append(.appeared(service, isOwn: try message.flags() & Self.local != 0))
      case "ItemRemove": events.append(.vanished(try listed(message)))
      case "Failure" where message.path == browser: events.append(.browserFailed)
      default: break
      }
    } catch {
      // A signal of another form says nothing.
      return
    }
  }

  private func listed(_ message: AvahiMessage) throws -> DiscoveredService {
    let (interface, family, name) = (try message.int(), try message.int(), try message.text())
    try message.skip("s")
    return DiscoveredService(interface: interface, family: family, name: name, domain: try message.text())
  }

  private func ownerChanged(_ message: AvahiMessage) throws {
    guard message.sender == "org.freedesktop.DBus" else { return }
    try message.skip("ss")
    (wanted, group, browser, daemon) = (nil, nil, nil, "")
    events.append(.daemonAway)
    if try !message.text().isEmpty { try ask(AvahiCall("GetState", of: "Server", at: "/", on: bus), .state) }
  }

  /// Handles a state of the daemon (`AvahiServerState`): 2 is running.
  private func handleState(_ state: Int32) throws {
    guard state == 2 else { return events.append(.daemonBusy) }
    try ask(AvahiCall("GetHostName", of: "Server", at: "/", on: bus), .host)
  }
}
