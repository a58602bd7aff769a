import Messages
import Model
import ServiceKit

/// Keeps a room in step with its host's sleep: the room pauses before it and plays on after it, and while there is sound
/// the host does not count as idle.
///
/// A room without sound costs nothing here: there is a connection to logind, and a thread for it, only while there is
/// something to hear or to hold, and a little longer. Without logind all is quiet.
actor SleepMonitor {
  /// How long is waited for what.
  struct Pace: Sendable {
    /// Before a lost connection is tried again, each time; then as where there was none.
    var afterLoss: [Duration] = [1, 2, 5, 15, 60].map { .seconds($0) }
    /// Before logind is looked for again where there was none.
    var withoutLogind = Duration.seconds(300)
    /// How long the connection outlives the want of it.
    var linger = Duration.seconds(60)
  }

  private let room: RoomName
  private let address: String?
  private let pace: Pace
  private let log: Log
  private var steering: RoomInterrupter?
  private var wanted = HostNeeds()
  /// The connection that is open.
  private var logind: Logind?
  /// The one that is open or being opened.
  private var opening: Logind?
  private var locks: [HostNeeds.Lock: InhibitorLock] = [:]
  private var asking: Set<HostNeeds.Lock> = []
  /// Whether the host sleeps, or would but for others that delay it.
  private var isAsleep = false
  private var isStopped = false
  private var work: Task<Void, Never>?
  private var leaving: Task<Void, Never>?
  private var isMissingTold = false

  /// Makes a vigil that begins with `begin`.
  ///
  /// - Parameter busAddress: the bus of logind; nil for the system's.
  init(room: RoomName, busAddress: String? = nil, pace: Pace = Pace(), log: Log) {
    self.room = room
    address = busAddress
    self.pace = pace
    self.log = log
  }

  /// Whether there is a connection, or one is being made.
  var isConnected: Bool { opening != nil }

  /// Names the room that is kept.
  func begin(_ steering: RoomInterrupter) {
    self.steering = steering
    adapt()
  }

  /// Takes note of what the room does now.
  func watch(_ state: Playback.RoomState) {
    let wanted = HostNeeds(state)
    guard wanted != self.wanted else { return }
    self.wanted = wanted
    adapt()
  }

  /// Lets go of everything, for good.
  func stop() async {
    isStopped = true
    locks = [:]
    leaving?.cancel()
    work?.cancel()
    await opening?.close()
    await work?.value
  }

  /// Has what is wanted and what is held agree.
  private func adapt() {
    guard !isStopped, steering != nil else { return }
    if wanted.hearsOfSleep {
      leaving?.cancel()
      leaving = nil
      if work == nil { work = Task { await keepWatch() } }
    } else if let logind, leaving == nil {
      leaving = Task { [pace] in
        do { try await Task.sleep(for: pace.linger) } catch { return }
        await logind.close()
      }
    }
    // While the host is about to sleep logind grants no delay of that.
    let due = isAsleep ? wanted.locks.subtracting([.sleepDelay]) : wanted.locks
    for lock in locks.keys where !due.contains(lock) { locks[lock] = nil }
    guard let logind else { return }
    for lock in due where locks[lock] == nil && !asking.contains(lock) {
      asking.insert(lock)
      Task { await take(lock, from: logind) }
    }
  }

  private func take(_ lock: HostNeeds.Lock, from logind: Logind) async {
    do {
      let held = try await logind.inhibit(lock.kind, why: lock.reason(room))
      asking.remove(lock)
      guard self.logind === logind else { return }
      locks[lock] = held
      // Meanwhile it may not be wanted any more.
      adapt()
    } catch {
      asking.remove(lock)
      guard self.logind !== logind else { return log.debug("\(LunaraError(error))") }
      adapt()
    }
  }

  // MARK: - The connection

  private func keepWatch() async {
    // What comes next where a connection was lost; nil where there never was one.
    var pauses: ArraySlice<Duration>?
    while wanted.hearsOfSleep, !isStopped {
      if let lasted = await listen(), pauses == nil || lasted > pace.linger { pauses = pace.afterLoss[...] }
      guard wanted.hearsOfSleep, !isStopped else { break }
      do { try await Task.sleep(for: pauses?.popFirst() ?? pace.withoutLogind) } catch { break }
    }
    work = nil
    leaving = nil
    // What was wanted while this ended.
    adapt()
  }

  /// Connects, and listens until the connection ends; for how long that was, nil where there was none. The connection
  /// and its thread are let go of on return.
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
      if !isMissingTold { log.debug("\(LunaraError(error))") }
      isMissingTold = true
      await logind.close()
      return nil
    }
    let since = ContinuousClock.now
    self.logind = logind
    isMissingTold = false
    for await event in logind.events { await handle(event) }
    return since.duration(to: .now)
  }

  private func handle(_ event: Logind.Event) async {
    switch event {
    case .goesToSleep:
      await steering?.interrupt()
      // The host has waited for this; the lock goes with it.
      isAsleep = true
      adapt()
    case .isAwake:
      isAsleep = false
      adapt()
      await steering?.resume()
    }
  }
}

extension HostNeeds.Lock {
  fileprivate var kind: InhibitorLock.Kind {
    switch self {
    case .sleepDelay: .sleepDelay
    case .idle: .idle
    }
  }

  /// What a person reads who asks logind who holds what.
  fileprivate func reason(_ room: RoomName) -> String {
    switch self {
    case .sleepDelay: "Pauses the music in \(room)"
    case .idle: "Plays music in \(room)"
    }
  }
}
