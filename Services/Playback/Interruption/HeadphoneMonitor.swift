import Messages
import Model
import ServiceKit

/// Pauses a room when the headphones that it is heard through are pulled, as far as a sound server reports it.
///
/// Without sound there is no connection, as in `SleepMonitor`.
actor HeadphoneMonitor {
  private let address: String?
  private let retryDelay: Duration
  private let absenceDelay: Duration
  private let linger: Duration
  private var interrupter: RoomInterrupter?
  private var onReturn: @Sendable () async -> Void = {}
  /// The time at which the server was lost; nil once it was found again with an output.
  private var lostAt: ContinuousClock.Instant?
  private var headphones = Headphones()
  private var isWanted = false
  private var isStopped = false
  private var server: SoundServer?
  private var work: Task<Void, Never>?
  private var leaving: Task<Void, Never>?

  /// Makes a monitor that begins with `start`.
  ///
  /// - Parameters:
  ///   - address: the sound server; nil for the person's own.
  ///   - retryDelay: the time before a server that was lost is looked for again.
  ///   - absenceDelay: the time before a server is looked for again if there was none.
  ///   - linger: the time that the connection outlives the sound; longer than headphones are waited for.
  init(
    address: String? = nil, retryDelay: Duration = .seconds(1), absenceDelay: Duration = .seconds(60),
    linger: Duration = .seconds(60)
  ) {
    self.address = address
    self.retryDelay = retryDelay
    self.absenceDelay = absenceDelay
    self.linger = linger
  }

  /// True if the room is heard through headphones, as far as is known.
  var hearsHeadphones: Bool { headphones.areOn }

  /// True once a server has listed its outputs.
  private(set) var hasState = false

  /// Begins to watch the room.
  ///
  /// - Parameter onReturn: called when a sound server that was lost is there again, and has an output. libmpv looks for one at
  ///   the start only.
  func start(_ interrupter: RoomInterrupter, onReturn: @escaping @Sendable () async -> Void = {}) {
    self.interrupter = interrupter
    self.onReturn = onReturn
    adapt()
  }

  /// Handles a state of the room.
  func watch(_ state: Playback.RoomState) {
    let isWanted = HostNeeds(state).isPlaying
    guard isWanted != self.isWanted else { return }
    self.isWanted = isWanted
    adapt()
  }

  /// Ends the connection for good.
  func stop() async {
    isStopped = true
    leaving?.cancel()
    work?.cancel()
    server?.close()
    await work?.value
  }

  private func adapt() {
    guard !isStopped, interrupter != nil else { return }
    if isWanted {
      leaving?.cancel()
      leaving = nil
      if work == nil { work = Task { await run() } }
    } else if let server, leaving == nil {
      leaving = Task { [linger] in
        do { try await Task.sleep(for: linger) } catch { return }
        server.close()
      }
    }
  }

  private func run() async {
    while isWanted || isExpecting, !isStopped {
      if await listen() { lostAt = .now }
      guard isWanted || isExpecting, !isStopped else { break }
      do { try await Task.sleep(for: isExpecting ? retryDelay : absenceDelay) } catch { break }
    }
    headphones = Headphones()
    lostAt = nil
    work = nil
    leaving = nil
    // Sound may have begun while this ended.
    adapt()
  }

  /// True while a server that was lost most likely starts again. The room is paused meanwhile, and waits for it.
  private var isExpecting: Bool { lostAt.map { $0.duration(to: .now) < .seconds(15) } ?? false }

  /// Connects, and listens until the connection ends; returns true if there was one, and it was lost.
  private func listen() async -> Bool {
    let server = SoundServer(address: address)
    self.server = server
    defer { self.server = nil }
    leaving?.cancel()
    leaving = nil
    adapt()
    var isThere = false
    for await state in server.states {
      isThere = true
      await update(state)
    }
    return isThere && !server.isClosed
  }

  private func update(_ state: SoundServerState) async {
    hasState = true
    if lostAt != nil, !state.outputs.isEmpty {
      lostAt = nil
      await onReturn()
    }
    switch headphones.update(state, at: .now()) {
    case .pulled: await interrupter?.interrupt()
    case .back: await interrupter?.resume()
    case nil: break
    }
  }
}
