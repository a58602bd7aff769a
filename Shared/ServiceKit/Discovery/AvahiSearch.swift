public import Bus
public import Model
import Synchronization

/// One search on a thread of its own: performs the actions of `MachineDiscovery` with Avahi's daemon.
actor AvahiSearch {
  private let thread = IOThread()
  private let announcement: Announcement
  private let found: @Sendable ([String]) -> Void
  private let report: @Sendable (LunaraError) -> Void
  private var discovery: MachineDiscovery
  private var connection: AvahiConnection?
  private var isOver = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(
    _ announcement: Announcement, found: @escaping @Sendable ([String]) -> Void,
    report: @escaping @Sendable (LunaraError) -> Void
  ) {
    self.announcement = announcement
    self.found = found
    self.report = report
    discovery = MachineDiscovery(port: announcement.port, tags: announcement.keys.tags, at: .now)
  }

  // This runs on the thread, as it closes the connection that the thread polls.
  isolated deinit {
    connection = nil
    thread.stop()
  }

  /// Starts the search; nothing else is done on this actor before.
  func begin() { turn() }

  /// Ends the search: the daemon withdraws the announcement when the connection closes.
  func end() {
    isOver = true
    drop()
    thread.schedule(at: nil) {}
  }

  /// Handles the events that came in, performs the resulting actions, and schedules the next turn.
  private func turn() {
    guard !isOver else { return }
    if let connection {
      do { try connection.bus.process() } catch { lose() }
      // Once the connection is lost, its earlier events are dropped.
      while self.connection === connection, !connection.events.isEmpty { handle(connection.events.removeFirst()) }
    }
    handle(.tags(announcement.keys.tags))
    handle(.passed)
    wait()
  }

  private func handle(_ event: MachineDiscovery.Event) {
    for action in discovery.handle(event, at: .now) {
      switch action {
      case .connect: connect()
      case .reportSeeds(let seeds): found(seeds)
      case .reportMissing: report(Self.missing)
      case .browse: attempt { try $0.browse() }
      case .announce(let name, let port, let txtRecords):
        attempt { try $0.announce(name: name, port: port, txtRecords: txtRecords) }
      case .withdraw: attempt { try $0.withdraw() }
      case .resolve(let service): attempt { try $0.resolve(service) }
      }
    }
  }

  private func connect() {
    drop()
    do { connection = try AvahiConnection() } catch { lose() }
  }

  private func attempt(_ body: (AvahiConnection) throws -> Void) {
    guard let connection else { return }
    do { try body(connection) } catch { lose() }
  }

  private func lose() {
    drop()
    handle(.disconnected)
  }

  private func drop() {
    connection?.bus.ignore(on: thread)
    connection = nil
  }

  private func wait() {
    var due = discovery.nextDue
    if let connection {
      do {
        try connection.bus.watch(on: thread) { [weak self] in self?.assumeIsolated { $0.turn() } }
      } catch {
        lose()
        due = discovery.nextDue
      }
      if let time = connection.bus.timeToWait { due = due.map { min($0, .now + time) } ?? .now + time }
    }
    thread.schedule(at: due) { [weak self] in self?.assumeIsolated { $0.turn() } }
  }

  /// The error to report if Avahi's daemon is missing, so that other machines are not found automatically.
  private static let missing = LunaraError(
    "bus.noDiscovery",
    "LUNARA_DISCOVER is on, but Avahi's daemon is not there, so other machines are not found by themselves. Install and start "
      + "avahi-daemon, or name one machine with LUNARA_SEEDS. The daemon is looked for again by itself.")
}

/// Finds machines of the household by DNS-SD, through Avahi's daemon on the system bus, as `_lunara._tcp`.
///
/// One process announces the machine; the daemon refuses the same name to the others, which try again later. Machines
/// of other households are ignored, as their tags differ.
public final class AvahiFinder: SeedFinder {
  private let search = Mutex<AvahiSearch?>(nil)

  public init() {}

  /// Starts the search. It does nothing if other machines cannot reach this one, as they could not answer.
  public func start(
    _ announcement: Announcement, found: @escaping @Sendable ([String]) -> Void,
    report: @escaping @Sendable (LunaraError) -> Void
  ) {
    stop()
    guard announcement.isReachable else { return }
    let fresh = AvahiSearch(announcement, found: found, report: report)
    search.withLock { $0 = fresh }
    Task { await fresh.begin() }
  }

  /// Ends the search.
  public func stop() {
    let former = search.withLock { search in
      defer { search = nil }
      return search
    }
    if let former { Task { await former.end() } }
  }
}
