import Messages
import Model
import ServiceKit

/// Pauses a room before its host sleeps, and resumes it afterwards; while the room plays, the host does not count as
/// idle.
///
/// A connection to logind, with a thread, exists only while the room plays or waits for the end of a sleep, and for
/// `linger` afterwards. Without logind nothing happens.
actor SleepMonitor {
  struct Delays: Sendable {
    /// The pauses before a lost connection is tried again; after the last one `withoutLogind`.
    var afterLoss: [Duration] = [1, 2, 5, 15, 60].map { .seconds($0) }
    /// The pause before looking for logind again if it was not there.
    var withoutLogind = Duration.seconds(300)
    /// The time for which the connection stays open when it is no longer needed.
    var linger = Duration.seconds(60)
  }

  private let room: RoomName
  private let address: String?
  private let delays: Delays
  private let log: Log
  private var interrupter: RoomInterrupter?
  private var needs = HostNeeds()
  /// The open connection.
  private var logind: Logind?
  /// The connection that is open or being opened.
  private var opening: Logind?
  private var locks: [InhibitorLock.Kind: InhibitorLock] = [:]
  private var requested: Set<InhibitorLock.Kind> = []
  /// True while the host sleeps, or is about to.
  private var isAsleep = false
  private var isStopped = false
  private var work: Task<Void, Never>?
  private var leaving: Task<Void, Never>?
  private var isAbsenceLogged = false

  /// Creates a monitor; `start` starts it. `busAddress` is the bus of logind; nil for the system bus.
  init(room: RoomName, busAddress: String? = nil, delays: Delays = Delays(), log: Log) {
    self.room = room
    address = busAddress
    self.delays = delays
    self.log = log
  }

  /// True if there is a connection, or one is being opened.
  var isConnected: Bool { opening != nil }

  func start(_ interrupter: RoomInterrupter) {
    self.interrupter = interrupter
    adapt()
  }

  func watch(_ state: Playback.RoomState) {
    let needs = HostNeeds(state)
    guard needs != self.needs else { return }
    self.needs = needs
    adapt()
  }

  /// Releases all locks and closes the connection permanently.
  func stop() async {
    isStopped = true
    locks = [:]
    leaving?.cancel()
    work?.cancel()
    await opening?.close()
    await work?.value
  }

  /// Opens or closes the connection, and takes or releases the locks, as the room needs them.
  private func adapt() {
    guard !isStopped, interrupter != nil else { return }
    if needs.watchesSleep {
      leaving?.cancel()
      leaving = nil
      if work == nil { work = Task { await run() } }
    } else if let logind, leaving == nil {
      leaving = Task { [delays] in
        do { try await Task.sleep(for: delays.linger) } catch { return }
        await logind.close()
      }
    }
    // While the host is about to sleep, logind grants no new delay lock.
    let due = isAsleep ? needs.locks.subtracting([.sleepDelay]) : needs.locks
    for lock in locks.keys where !due.contains(lock) { locks[lock] = nil }
    guard let logind else { return }
    for lock in due where locks[lock] == nil && !requested.contains(lock) {
      requested.insert(lock)
      Task { await request(lock, from: logind) }
    }
  }

  private func request(_ lock: InhibitorLock.Kind, from logind: Logind) async {
    do {
      let reason = lock == .idle ? "Plays music in \(room)" : "Pauses the music in \(room)"
      let held = try await logind.inhibit(lock, why: reason)
      requested.remove(lock)
      guard self.logind === logind else { return }
      locks[lock] = held
      // The lock may no longer be needed.
      adapt()
    } catch {
      requested.remove(lock)
      guard self.logind !== logind else { return log.debug("\(LunaraError(error))") }
      adapt()
    }
  }

  // MARK: - The connection

  private func run() async {
    // The pauses that are left after a lost connection; nil if there never was one.
    var delaysLeft: ArraySlice<Duration>?
    while needs.watchesSleep, !isStopped {
      if let lasted = await listen(), delaysLeft == nil || lasted > delays.linger { delaysLeft = delays.afterLoss[...] }
      guard needs.watchesSleep, !isStopped else { break }
      do { try await Task.sleep(for: delaysLeft?.popFirst() ?? delays.withoutLogind) } catch { break }
    }
    work = nil
    leaving = nil
    // Sound may have started while the work ended.
    adapt()
  }

  /// Connects, and listens until the connection ends. Returns how long that took; nil if there was no connection.
  private func listen() async -> Duration? {
    let logind = Logind(busAddress: address)
    opening = logind
    defer {
      opening = nil
      self.logind = nil
      locks = [:]
      isAsleep = false
    }
    do {
      try await logind.open()
    } catch {
      if !isAbsenceLogged { log.debug("\(LunaraError(error))") }
      isAbsenceLogged = true
      await logind.close()
      return nil
    }
    let since = ContinuousClock.now
    self.logind = logind
    isAbsenceLogged = false
    for await event in logind.events { await handle(event) }
    return since.duration(to: .now)
  }

  private func handle(_ event: Logind.Event) async {
    switch event {
    case .goesToSleep:
      await interrupter?.interrupt()
      // The host waits until the delay lock is released, which `adapt` does when `isAsleep` is true.
      isAsleep = true
      adapt()
    case .isAwake:
      isAsleep = false
      adapt()
      await interrupter?.resume()
    }
  }
}

/// The needs that a room has of its host, depending on its state.
struct HostNeeds: Hashable, Sendable {
  /// True while the room plays: then the host does not count as idle.
  var isPlaying = false
  /// True if the room must pause before a sleep, or waits for the end of one.
  var watchesSleep = false

  var locks: Set<InhibitorLock.Kind> {
    Set((isPlaying ? [.idle] : []) + (watchesSleep ? [.sleepDelay] : []))
  }
}

extension HostNeeds {
  init(_ state: Playback.RoomState) {
    isPlaying = state.state == .playing || state.state == .buffering
    watchesSleep = isPlaying || state.retriesAt != nil || state.interruption == Interruption.sleep.name
  }
}

/// The functions with which a monitor interrupts its room.
struct RoomInterrupter: Sendable {
  /// Pauses the room; returns when the sound has stopped and the position is stored.
  var interrupt: @Sendable () async -> Void
  /// Resumes the room if it was paused for this reason.
  var resume: @Sendable () async -> Void
}

extension RoomInterrupter {
  init(of room: Room, _ reason: Interruption) {
    self.init(interrupt: { await room.interrupt(reason) }, resume: { room.interruptionOver(reason) })
  }
}
