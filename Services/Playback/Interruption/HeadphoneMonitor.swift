import Messages
import Model
import ServiceKit

/// Pauses a room when the headphones that it is heard through are pulled, as far as a sound server reports it. Without
/// sound there is no connection, as in `SleepMonitor`.
actor HeadphoneMonitor {
  private let address: String?
  /// The time before a server that was lost is looked for again.
  private let retryDelay: Duration
  /// The time before a server is looked for again if there was none.
  private let absenceDelay: Duration
  /// The time that the connection outlives the sound; longer than headphones are waited for.
  private let linger: Duration
  private var interrupter: RoomInterrupter?
  private var onReturn: @Sendable () async -> Void = {}
  /// The time at which the server was lost; nil once it was found again with an output.
  private var lostAt: ContinuousClock.Instant?
  private(set) var headphones = Headphones()
  private var isWanted = false
  private var isStopped = false
  private var server: SoundServer?
  private var work: Task<Void, Never>?
  private var leaving: Task<Void, Never>?

  /// Makes a monitor that begins with `start`; `address` is the sound server, nil for the person's own.
  init(
    address: String? = nil, retryDelay: Duration = .seconds(1), absenceDelay: Duration = .seconds(60),
    linger: Duration = .seconds(60)
  ) {
    (self.address, self.linger) = (address, linger)
    (self.retryDelay, self.absenceDelay) = (retryDelay, absenceDelay)
  }

  private(set) var hasState = false

  /// Begins to watch the room. `onReturn` is called when a sound server that was lost is there again, and has an
  /// output. libmpv looks for one at the start only.
  func start(_ interrupter: RoomInterrupter, onReturn: @escaping @Sendable () async -> Void = {}) {
    self.interrupter = interrupter
    self.onReturn = onReturn
    adapt()
  }

  func watch(_ state: Playback.RoomState) {
    let isWanted = HostNeeds(state).isPlaying
    guard isWanted != self.isWanted else { return }
    self.isWanted = isWanted
    adapt()
  }

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

/// The outputs of a sound server, as far as headphones are concerned.
struct SoundServerState: Hashable, Sendable {
  struct Output: Hashable, Sendable {
    /// The name or address by which it is recognised when it comes back.
    var identity: String
    /// True if all of it is headphones, on USB or by radio.
    var isHeadphones = false
    /// The jack, or the like, that it plays on now; nil where it has none.
    var port: Port?
    var ports: [Port] = []
  }

  struct Port: Hashable, Sendable {
    var name: String
    /// True if headphones are plugged in there.
    var isHeadphones = false
    /// True if the server knows that nothing is plugged in.
    var isEmpty = false
  }

  var outputs: [Output] = []
  /// The identity of the output that this process plays on; nil for none.
  var ours: String?
}

/// Tells if the room is heard through headphones, and if those are pulled: a pure state machine.
///
/// A server whose headphones are gone plays on through what is left, such as the loudspeaker of a laptop on a train. A
/// person who moves the sound by hand wants that.
struct Headphones: Hashable, Sendable {
  enum Change: Hashable, Sendable {
    /// They are gone, while the room was heard through them.
    case pulled
    /// The same headphones are there again.
    case back
  }

  /// Headphones: an output, or a jack of one.
  fileprivate struct Pair: Hashable, Sendable {
    var output: String
    var port: String?
  }

  private enum State: Hashable, Sendable {
    case none
    case on(Pair)
    /// It was heard through these until that time, when the sound was moved elsewhere.
    case left(Pair, MonotonicTime)
    /// It was heard through these until they were pulled.
    case off(Pair)
  }

  private var state = State.none

  var areOn: Bool { if case .on = state { true } else { false } }

  /// The time within which headphones count as pulled after the sound was moved, which a server may do first.
  static let moveMargin = Milliseconds(2000)

  mutating func update(_ server: SoundServerState, at now: MonotonicTime) -> Change? {
    switch state {
    case .off(let pair):
      guard pair.isThere(in: server) else { return nil }
      state = Self.headphones(in: server)
      return .back
    case .on(let pair), .left(let pair, _):
      if !pair.isThere(in: server), isRecent(at: now) {
        state = .off(pair)
        return .pulled
      }
      let next = Self.headphones(in: server)
      if next != .none || !isRecent(at: now) {
        state = next
      } else if case .on = state {
        // A silent room plays on no output at all, so it has not moved to another one.
        state = server.ours == nil ? .on(pair) : .left(pair, now)
      }
      return nil
    case .none:
      state = Self.headphones(in: server)
      return nil
    }
  }

  /// True if the room was heard through the pair until just now.
  private func isRecent(at now: MonotonicTime) -> Bool {
    guard case .left(_, let since) = state else { return true }
    return now - since <= Self.moveMargin
  }

  private static func headphones(in server: SoundServerState) -> State {
    guard let mine = server.outputs.first(where: { $0.identity == server.ours }) else { return .none }
    if let port = mine.port, port.isHeadphones { return .on(Pair(output: mine.identity, port: port.name)) }
    return mine.isHeadphones ? .on(Pair(output: mine.identity, port: nil)) : .none
  }
}

extension Headphones.Pair {
  /// Returns true if a server has them, and does not know that nothing is plugged in.
  fileprivate func isThere(in server: SoundServerState) -> Bool {
    guard let output = server.outputs.first(where: { $0.identity == output }) else { return false }
    guard let port else { return true }
    return output.ports.contains { $0.name == port && !$0.isEmpty }
  }
}
