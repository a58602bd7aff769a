import Bus
import Messages
import Model
import ServiceKit
import System

/// The MPRIS players of all rooms on the session bus of one desktop. Players are added and removed with the rooms and
/// the bus.
///
/// The actor runs on its own thread, since sd-bus must be polled and its calls may wait for the bus.
actor MPRISPlayers {
  /// An event that is logged for a person.
  enum Event: Sendable {
    /// There is no session bus, or the connection was lost.
    case busMissing(LunaraError)
    /// A room's player has got this name on the bus.
    case appeared(RoomName, name: String)
    /// A room refused a command, or could not be reached.
    case commandFailed(RoomName, LunaraError)
  }

  private let thread = IOThread()
  private let address: String?
  private let retries: RetryPolicy
  private let monotonic: @Sendable () -> Int64
  private let perform: @Sendable (RoomName, RoomCommand) async throws -> Void
  private let openPage: (@Sendable () -> Void)?
  private let report: @Sendable (Event) -> Void
  private let notifications: DesktopNotifications

  private var snapshots: [RoomName: PlayerSnapshot] = [:]
  private var players: [RoomName: RoomPlayer] = [:]
  private var attempts = 0
  private var retryAt: ContinuousClock.Instant?
  private var isMissing = false
  private var hasPage = false
  /// The time when the page was last opened, by the monotonic clock, in microseconds.
  private var pageOpenedAt: Int64?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Creates the object without any player; `show` adds them.
  ///
  /// - Parameters:
  ///   - address: the address of the bus; nil for the user's own session bus.
  ///   - retries: the pauses before each further attempt to reach a missing bus.
  ///   - notified: the rooms whose new tracks and errors are shown as notifications.
  ///   - openPage: opens the web page; nil if that is impossible.
  ///   - monotonic: returns this host's monotonic clock in microseconds, by which positions advance.
  ///   - perform: sends a command to a room and returns when the room has carried it out.
  ///   - report: receives the events.
  init(
    address: String?, retries: RetryPolicy = RetryPolicy(first: .seconds(1), longest: .seconds(30)),
    notified: NotifiedRooms = .none, openPage: (@Sendable () -> Void)? = nil,
    monotonic: @escaping @Sendable () -> Int64,
    perform: @escaping @Sendable (RoomName, RoomCommand) async throws -> Void,
    report: @escaping @Sendable (Event) -> Void
  ) {
    self.address = address
    self.retries = retries
    self.monotonic = monotonic
    self.perform = perform
    self.report = report
    self.openPage = openPage
    notifications = DesktopNotifications(of: notified, address: address)
  }

  deinit { thread.stop() }

  /// Shows these rooms, and removes the players of all others.
  func show(_ snapshots: [RoomName: PlayerSnapshot]) {
    self.snapshots = snapshots
    for room in players.keys where snapshots[room] == nil { close(room) }
    for (room, snapshot) in snapshots {
      guard let player = players[room] else {
        if retryAt == nil { connect(room, snapshot) }
        continue
      }
      watching(player) { try player.show(snapshot) }
    }
    updateNotifications()
    scheduleWake()
  }

  /// Sets whether the web page can be opened.
  func show(hasPage: Bool) {
    self.hasPage = hasPage
    for player in players.values { watching(player) { try player.show(raise: raise) } }
    scheduleWake()
  }

  /// Opens the web page, at most once a second, as each call may open another window; nil if there is no page.
  private var raise: (() -> Void)? {
    guard hasPage, let openPage else { return nil }
    return { [weak self] in
      self?.assumeIsolated { players in
        let now = players.monotonic()
        if let last = players.pageOpenedAt, now - last < 1_000_000 { return }
        players.pageOpenedAt = now
        openPage()
      }
    }
  }

  // MARK: - Connections

  private func connect(_ room: RoomName, _ snapshot: PlayerSnapshot) {
    do {
      let player = try RoomPlayer(
        room: room, snapshot: snapshot, raise: raise, address: address, monotonic: monotonic)
      players[room] = player
      process(player)
    } catch {
      busIsMissing(error)
    }
  }

  /// Handles the messages that have arrived for a room, and starts to send its commands.
  private func process(_ player: RoomPlayer) {
    watching(player) { try player.process() }
    guard players[player.room] === player else { return }
    if let name = player.name, !player.isReported {
      player.isReported = true
      isMissing = false
      attempts = 0
      report(.appeared(player.room, name: name))
    }
    if !player.isBusy, !player.waitingCommands.isEmpty {
      player.isBusy = true
      Task { await self.performCommands(of: player) }
    }
  }

  /// Sends a room's commands one after the other, so that they take effect in their order.
  private func performCommands(of player: RoomPlayer) async {
    while let command = player.nextCommand() {
      do {
        try await perform(player.room, command.command)
        player.finish(command)
      } catch {
        let error = LunaraError(error)
        player.finish(command, error)
        report(.commandFailed(player.room, error))
      }
      if players[player.room] === player { watching(player) {} }
    }
    scheduleWake()
  }

  /// Does `work`, which may send messages, then watches the connection's descriptor for the events that sd-bus now
  /// waits for, including that it can write again. An error means that the connection is lost.
  private func watching(_ player: RoomPlayer, _ work: () throws -> Void) {
    do {
      try work()
      let (number, events) = try player.bus.descriptor()
      if player.watchedDescriptor >= 0, player.watchedDescriptor != number { thread.ignore(player.watchedDescriptor) }
      player.watchedDescriptor = number
      thread.watch(number, for: events) { [weak self, room = player.room] in
        self?.assumeIsolated { players in
          if let player = players.players[room] { players.process(player) }
          players.scheduleWake()
        }
      }
    } catch {
      close(player.room)
      busIsMissing(error)
    }
  }

  private func close(_ room: RoomName) {
    guard let player = players.removeValue(forKey: room) else { return }
    if player.watchedDescriptor >= 0 { thread.ignore(player.watchedDescriptor) }
    player.close()
  }

  /// Reports once that the bus is missing, and schedules another attempt.
  private func busIsMissing(_ error: any Error) {
    if !isMissing { report(.busMissing(SessionBus.missing(error))) }
    isMissing = true
    guard retryAt == nil else { return }
    attempts += 1
    retryAt = .now + retries.pause(after: attempts)
  }

  // MARK: - Notifications

  /// Sends the notifications that are due. Without a desktop to show them they are dropped.
  private func updateNotifications() {
    notifications.update(snapshots)
    watchNotifications()
  }

  private func watchNotifications() {
    let old = notifications.watchedDescriptor
    let wanted = notifications.process()
    if old >= 0, old != wanted?.number { thread.ignore(old) }
    guard let wanted else { return }
    thread.watch(wanted.number, for: wanted.events) { [weak self] in
      self?.assumeIsolated { players in
        players.watchNotifications()
        players.scheduleWake()
      }
    }
  }

  // MARK: - Time

  /// Schedules the thread's next wake: for another attempt, or for a timeout of a connection.
  private func scheduleWake() {
    let (now, monotonic) = (ContinuousClock.now, MonotonicClock.microseconds())
    let due = players.values.map(\.due) + [notifications.due]
    let moments = due.map { due in due.map { now + .microseconds(max(0, $0 - monotonic)) } } + [retryAt]
    thread.schedule(at: moments.compactMap(\.self).min()) { [weak self] in
      self?.assumeIsolated { $0.wake() }
    }
  }

  private func wake() {
    for player in players.values { process(player) }
    updateNotifications()
    if let moment = retryAt, moment <= .now {
      retryAt = nil
      for (room, snapshot) in snapshots where players[room] == nil && retryAt == nil { connect(room, snapshot) }
    }
    scheduleWake()
  }
}
