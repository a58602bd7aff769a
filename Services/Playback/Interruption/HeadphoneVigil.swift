import Messages
import Model
import ServiceKit

/// Has a room pause when the headphones that it is heard through are pulled, where a sound server tells.
///
/// As with the sleep, a room without sound costs nothing here.
actor HeadphoneMonitor {
  private let address: String?
  private let pause: Duration
  private let patience: Duration
  private let linger: Duration
  private var steering: RoomInterrupter?
  private var returned: @Sendable () async -> Void = {}
  /// When a server was lost that has not been found again with an output.
  private var lostAt: ContinuousClock.Instant?
  private var headphones = Headphones()
  private var isWanted = false
  private var isStopped = false
  private var server: SoundServer?
  private var work: Task<Void, Never>?
  private var leaving: Task<Void, Never>?

  /// Makes a vigil that begins with `begin`.
  ///
  /// - Parameters:
  ///   - address: the sound server; nil for the person's own.
  ///   - pause: how long to wait before one that was lost is looked for again.
  ///   - patience: how long to wait where there is none, or none any more.
  ///   - linger: how long the connection outlives the sound; longer than headphones are waited for.
  init(
    address: String? = nil, pause: Duration = .seconds(1), patience: Duration = .seconds(60),
    linger: Duration = .seconds(60)
  ) {
    self.address = address
    self.pause = pause
    self.patience = patience
    self.linger = linger
  }

  /// Whether the room is heard through headphones, as far as is known.
  var hearsHeadphones: Bool { headphones.areOn }

  /// Whether a server has said what there is.
  private(set) var hasMet = false

  /// Names the room that is kept.
  ///
  /// - Parameter returned: a sound server that was lost is there again, and has an output. libmpv looks for one at the
  ///   start only.
  func begin(_ steering: RoomInterrupter, returned: @escaping @Sendable () async -> Void = {}) {
    self.steering = steering
    self.returned = returned
    adapt()
  }

  /// Takes note of what the room does now.
  func watch(_ state: Playback.RoomState) {
    let isWanted = HostNeeds(state).isBusy
    guard isWanted != self.isWanted else { return }
    self.isWanted = isWanted
    adapt()
  }

  /// Lets go of everything, for good.
  func stop() async {
    isStopped = true
    leaving?.cancel()
    work?.cancel()
    server?.close()
    await work?.value
  }

  private func adapt() {
    guard !isStopped, steering != nil else { return }
    if isWanted {
      leaving?.cancel()
      leaving = nil
      if work == nil { work = Task { await keepWatch() } }
    } else if let server, leaving == nil {
      leaving = Task { [linger] in
        do { try await Task.sleep(for: linger) } catch { return }
        server.close()
      }
    }
  }

  private func keepWatch() async {
    while isWanted || isExpecting, !isStopped {
      if await listen() { lostAt = .now }
      guard isWanted || isExpecting, !isStopped else { break }
      do { try await Task.sleep(for: isExpecting ? pause : patience) } catch { break }
    }
    headphones = Headphones()
    lostAt = nil
    work = nil
    leaving = nil
    // What was wanted while this ended.
    adapt()
  }

  /// Whether one that was lost starts again, most likely. The room is paused meanwhile, and waits for it.
  private var isExpecting: Bool { lostAt.map { $0.duration(to: .now) < .seconds(15) } ?? false }

  /// Connects, and listens until the connection ends; whether there was one, and it was lost. It is let go of on return.
  private func listen() async -> Bool {
    let server = SoundServer(address: address)
    self.server = server
    defer { self.server = nil }
    leaving?.cancel()
    leaving = nil
    adapt()
    var isThere = false
    for await scene in server.scenes {
      isThere = true
      await see(scene)
    }
    return isThere && !server.isClosed
  }

  private func see(_ scene: SoundServerState) async {
    hasMet = true
    if lostAt != nil, !scene.outputs.isEmpty {
      lostAt = nil
      await returned()
    }
    switch headphones.see(scene, at: .now()) {
    case .pulled: await steering?.interrupt()
    case .back: await steering?.resume()
    case nil: break
    }
  }
}
