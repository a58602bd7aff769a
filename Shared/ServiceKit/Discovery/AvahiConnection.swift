import Model

/// The connection to Avahi's daemon on the system bus: it calls the daemon and collects the daemon's signals as events
/// (D-Bus interface `org.freedesktop.Avahi`).
///
/// Must be used on one thread only, on which `bus.process` calls it back.
final class AvahiConnection {
  private static let daemon = "org.freedesktop.Avahi"
  private static let type = BusValue.text("_lunara._tcp")
  /// The value that means any network device, or any protocol (`AVAHI_IF_UNSPEC`, `AVAHI_PROTO_UNSPEC`).
  private static let any = BusValue.int(-1)
  /// The flag of a service that is announced on this machine (`AVAHI_LOOKUP_RESULT_LOCAL`).
  private static let local: UInt32 = 8

  /// The events that were received and not yet handled.
  var events: [MachineDiscovery.Event] = []
  // The daemon drops this process's announcement and browser when this connection closes.
  let bus: SystemBus
  /// The daemon's unique name on the bus: signals of other senders are ignored.
  private var daemon = ""
  private var wanted: (name: String, port: UInt16, txtRecords: [String])?
  private var group: String?
  private var browser: String?

  /// Connects to the system bus in the background, and requests the daemon's state; throws if there is no system bus.
  init() throws {
    let interfaces = ["Server", "ServiceBrowser", "EntryGroup"].map { "interface='\(Self.daemon).\($0)'" }
    let owner = "sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.daemon)'"
    // The daemon itself waits up to 5 s for the service that it resolves.
    bus = try SystemBus(of: Self.daemon, patience: 10_000_000, startsService: false, rules: interfaces + [owner])
    bus.heard = { [unowned self] in self.handle(signal: $0) }
    try askForState()
  }

  // MARK: - Requests to the daemon

  func browse() throws {
    if let browser { try free(browser, "ServiceBrowser") }
    browser = nil
    let values: [BusValue] = [Self.any, Self.any, Self.type, .text(""), .flags(0)]
    try ask("ServiceBrowserNew", values, failed: { $0.events.append(.browserFailed) }) {
      $0.browser = try $1.objectPath()
    }
  }

  /// Announces this machine: creates an entry group, adds the service to it and commits it.
  func announce(name: String, port: UInt16, txtRecords: [String]) throws {
    wanted = (name, port, txtRecords)
    try ask("EntryGroupNew", failed: { if $0.wanted != nil { $0.refused() } }) {
      try $0.fill(group: $1.objectPath())
    }
  }

  private func fill(group path: String) throws {
    guard let wanted, group == nil else { return try free(path, "EntryGroup") }
    group = path
    let failed: (AvahiConnection) -> Void = { if $0.group == path { $0.refused() } }
    let values: [BusValue] = [
      Self.any, Self.any, .flags(0), .text(wanted.name), Self.type, .text(""), .text(""), .port(wanted.port),
      .txtRecords(wanted.txtRecords),
    ]
    try ask("AddService", of: "EntryGroup", at: path, values, failed: failed) { connection, _ in
      guard connection.group == path else { return }
      try connection.ask("Commit", of: "EntryGroup", at: path, failed: failed) { connection, _ in
        if connection.group == path { connection.events.append(.announced) }
      }
    }
  }

  /// Withdraws the announcement, even if it is not made yet.
  func withdraw() throws {
    wanted = nil
    if let group { try free(group, "EntryGroup") }
    group = nil
  }

  func resolve(_ service: DiscoveredService) throws {
    let values: [BusValue] = [
      .int(service.interface), .int(service.family), .text(service.name), Self.type, .text(service.domain),
      .int(service.family), .flags(0),
    ]
    try ask("ResolveService", values, failed: { $0.events.append(.resolved(service, nil)) }) { connection, message in
      try message.skip("iissssi")
      let details = ServiceDetails(
        address: try message.text(), port: try message.port(), txtRecords: try message.txtRecords())
      connection.events.append(.resolved(service, details))
    }
  }

  private func askForState() throws {
    try ask("GetState", failed: { $0.events.append(.daemonAway) }) {
      $0.daemon = $1.sender
      try $0.handleState($1.int())
    }
  }

  private func ask(
    _ member: String, of interface: String = "Server", at path: String = "/", _ values: [BusValue] = [],
    failed: @escaping (AvahiConnection) -> Void, _ handle: @escaping (AvahiConnection, BusMessage) throws -> Void
  ) throws {
    try bus.call(member, of: "\(Self.daemon).\(interface)", at: path, values) { [unowned self] answer in
      // An answer of an unexpected form counts as a failure.
      do { try handle(self, answer.get()) } catch { failed(self) }
    }
  }

  /// Frees an object of the daemon. The daemon's answer is ignored.
  private func free(_ path: String, _ interface: String) throws {
    try bus.call("Free", of: "\(Self.daemon).\(interface)", at: path) { _ in }
  }

  // MARK: - Signals of the daemon

  private func refused() {
    events.append(.refused)
    // If the connection is broken, there is no announcement to withdraw.
    do { try withdraw() } catch { group = nil }
  }

  private func handle(signal message: BusMessage) {
    do {
      if message.member == "NameOwnerChanged" { return try ownerChanged(message) }
      guard message.sender == daemon else { return }
      switch message.member {
      case "StateChanged" where message.path == group:
        // 3: another machine on the network has the name; 4: the daemon failed (`AvahiEntryGroupState`).
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
      // A signal of an unexpected form is ignored.
      return
    }
  }

  private func listed(_ message: BusMessage) throws -> DiscoveredService {
    let (interface, family, name) = (try message.int(), try message.int(), try message.text())
    try message.skip("s")
    return DiscoveredService(interface: interface, family: family, name: name, domain: try message.text())
  }

  private func ownerChanged(_ message: BusMessage) throws {
    guard message.sender == "org.freedesktop.DBus" else { return }
    try message.skip("ss")
    wanted = nil
    group = nil
    browser = nil
    daemon = ""
    events.append(.daemonAway)
    if try !message.text().isEmpty { try askForState() }
  }

  /// Handles a state of the daemon (`AvahiServerState`): 2 is running.
  private func handleState(_ state: Int32) throws {
    guard state == 2 else { return events.append(.daemonBusy) }
    try ask("GetHostName", failed: { $0.events.append(.daemonAway) }) {
      $0.events.append(.daemonReady(host: try $1.text()))
    }
  }
}
