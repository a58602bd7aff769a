import Bus
import Messages
import Model

/// The players of all rooms on the session bus of one desktop: they come and go with the rooms and with the bus.
///
/// Runs on a thread of its own, since sd-bus wants to be polled and its calls may wait for the bus.
actor MPRISPlayers {
  /// What a person should hear of.
  enum Event: Sendable {
    /// There is no session bus, or there is none any more.
    case busMissing(LunaraError)
    /// A room is on the bus under this name.
    case appeared(RoomName, name: String)
    /// A room refused a command, or could not be reached.
    case commandFailed(RoomName, LunaraError)
  }

  private let thread = IOThread()
  private let address: String?
  private let pauses: [Duration]
  private let monotonic: @Sendable () -> Int64
  private let perform: @Sendable (RoomName, RoomCommand) async throws -> Void
  private let page: (@Sendable () -> Void)?
  private let notify: @Sendable (Event) -> Void
  private let tables = RoomPlayer.makeTables()

  private var snapshots: [RoomName: PlayerSnapshot] = [:]
  private var players: [RoomName: Shown] = [:]
  private var attempts = 0
  private var retryAt: ContinuousClock.Instant?
  private var isMissing = false
  private var hasPage = false
  /// When the page was opened last, by the monotonic clock.
  private var pageOpenedAt: Int64?
  private var policy: NotificationPolicy
  private var notifier: NotificationSender?
  private var notifierDescriptor: Int32 = -1

  private struct Shown {
    let player: RoomPlayer
    var descriptor: Int32
    var isNamed = false
    var isBusy = false
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Makes a desktop that shows nothing yet.
  ///
  /// - Parameters:
  ///   - address: the bus; nil for the person's own.
  ///   - pauses: how long to wait before each try to find a bus that is not there; the last one repeats.
  ///   - notified: the rooms that notifications tell of.
  ///   - page: opens the page; nil where there is no way to.
  ///   - monotonic: this host's monotonic clock in microseconds, by which positions move on.
  ///   - perform: hands a command to a room and returns when it took hold there.
  ///   - notify: is told what a person should know.
  init(
    address: String?, pauses: [Duration] = [1, 2, 4, 8, 16, 30].map { .seconds($0) },
    notified: NotifiedRooms = .none, page: (@Sendable () -> Void)? = nil, monotonic: @escaping @Sendable () -> Int64,
    perform: @escaping @Sendable (RoomName, RoomCommand) async throws -> Void,
    notify: @escaping @Sendable (Event) -> Void
  ) {
    self.address = address
    self.pauses = pauses
    self.monotonic = monotonic
    self.perform = perform
    self.notify = notify
    self.page = page
    policy = NotificationPolicy(notified)
  }

  deinit { thread.stop() }

  /// Shows these rooms and no others.
  func show(_ snapshots: [RoomName: PlayerSnapshot]) {
    self.snapshots = snapshots
    for room in players.keys where snapshots[room] == nil { drop(room) }
    for (room, snapshot) in snapshots {
      guard let player = players[room]?.player else {
        if retryAt == nil { open(room, snapshot) }
        continue
      }
      attempt(room) {
        try player.show(snapshot)
        try watch(room, player)
      }
    }
    notifyDesktop()
    arm()
  }

  /// Shows that there is a page to be opened, or none.
  func show(hasPage: Bool) {
    self.hasPage = hasPage
    for (room, shown) in players {
      attempt(room) {
        try shown.player.show(raise: raise)
        try watch(room, shown.player)
      }
    }
    arm()
  }

  /// Opens the page; once a second, as each time is another window.
  private var raise: (() -> Void)? {
    guard hasPage, let page else { return nil }
    return { [weak self] in
      self?.assumeIsolated { desktop in
        let now = desktop.monotonic()
        if let last = desktop.pageOpenedAt, now - last < 1_000_000 { return }
        desktop.pageOpenedAt = now
        page()
      }
    }
  }

  // MARK: - Connections

  private func open(_ room: RoomName, _ snapshot: PlayerSnapshot) {
    do {
      let player = try RoomPlayer(
        room: room, snapshot: snapshot, raise: raise, address: address, tables: tables, monotonic: monotonic)
      players[room] = Shown(player: player, descriptor: -1)
      process(room)
    } catch {
      lost(LunaraError(error))
    }
  }

  /// Lets one room's connection work, and gives it up where it is broken.
  private func process(_ room: RoomName) {
    guard let player = players[room]?.player else { return }
    attempt(room) {
      try player.process()
      try watch(room, player)
    }
    guard let shown = players[room] else { return }
    if let name = player.name, !shown.isNamed {
      players[room]?.isNamed = true
      isMissing = false
      attempts = 0
      notify(.appeared(room, name: name))
    }
    if !shown.isBusy, player.hasCommands {
      players[room]?.isBusy = true
      Task { await self.performCommands(of: room, player) }
    }
  }

  /// Waits for what the connection waits for now: after anything that sends, this may be room to write.
  private func watch(_ room: RoomName, _ player: RoomPlayer) throws {
    let (number, events) = try player.descriptor()
    if let old = players[room]?.descriptor, old != number, old >= 0 { thread.ignore(old) }
    players[room]?.descriptor = number
    thread.watch(number, for: events) { [weak self] in
      self?.assumeIsolated { desktop in
        desktop.process(room)
        desktop.arm()
      }
    }
  }

  private func attempt(_ room: RoomName, _ work: () throws -> Void) {
    do {
      try work()
    } catch {
      drop(room)
      lost(LunaraError(error))
    }
  }

  private func drop(_ room: RoomName) {
    guard let shown = players.removeValue(forKey: room) else { return }
    if shown.descriptor >= 0 { thread.ignore(shown.descriptor) }
    shown.player.close()
  }

  /// The bus is not there: says so once, and tries again after a while.
  private func lost(_ error: LunaraError) {
    if !isMissing { notify(.busMissing(error)) }
    isMissing = true
    guard retryAt == nil, let longest = pauses.last else { return }
    retryAt = .now + (attempts < pauses.count ? pauses[attempts] : longest)
    attempts += 1
  }

  // MARK: - Time

  /// Has the thread wake up for the next retry or for what a connection has yet to do.
  private func arm() {
    let now = ContinuousClock.now
    var waits = players.values.compactMap(\.player.microsecondsToWait)
    if let wait = notifier?.microsecondsToWait { waits.append(wait) }
    if let due = policy.due { waits.append(max(0, due - MonotonicClock.microseconds())) }
    let moments = waits.map { now + .microseconds($0) } + [retryAt].compactMap(\.self)
    thread.schedule(at: moments.min()) { [weak self] in
      self?.assumeIsolated { $0.tick() }
    }
  }

  private func tick() {
    for room in players.keys { process(room) }
    notifyDesktop()
    processNotifier()
    if let moment = retryAt, moment <= .now {
      retryAt = nil
      for (room, snapshot) in snapshots where players[room] == nil && retryAt == nil { open(room, snapshot) }
    }
    arm()
  }

  // MARK: - Notifications

  /// Shows what is new. Without a desktop to show it, it is let go.
  private func notifyDesktop() {
    let told = policy.update(snapshots, at: MonotonicClock.microseconds())
    guard !told.isEmpty else { return }
    do {
      let notifier = try notifier ?? NotificationSender(address: address)
      self.notifier = notifier
      for notification in told { try notifier.show(notification) }
      processNotifier()
    } catch {
      dropNotifier()
    }
  }

  private func processNotifier() {
    guard let notifier else { return }
    do {
      try notifier.process()
      let (number, events) = try notifier.descriptor()
      if notifierDescriptor >= 0, notifierDescriptor != number { thread.ignore(notifierDescriptor) }
      notifierDescriptor = number
      thread.watch(number, for: events) { [weak self] in
        self?.assumeIsolated { desktop in
          desktop.processNotifier()
          desktop.arm()
        }
      }
    } catch {
      dropNotifier()
    }
  }

  /// The next notification connects anew.
  private func dropNotifier() {
    if notifierDescriptor >= 0 { thread.ignore(notifierDescriptor) }
    notifierDescriptor = -1
    notifier = nil
  }

  // MARK: - Commands

  /// Hands a room its commands one after the other, so that they take hold in the order they were given.
  private func performCommands(of room: RoomName, _ player: RoomPlayer) async {
    while let command = player.nextCommand() {
      do {
        try await perform(room, command.command)
        player.finish(command)
      } catch {
        let error = LunaraError(error)
        player.finish(command, error)
        notify(.commandFailed(room, error))
      }
      if players[room]?.player === player { attempt(room) { try watch(room, player) } }
    }
    if players[room]?.player === player { players[room]?.isBusy = false }
    arm()
  }
}
