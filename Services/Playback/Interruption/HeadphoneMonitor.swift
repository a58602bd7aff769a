import Glibc
import Messages
import Model
import ServiceKit

/// Pauses a room when the headphones through which it is heard are unplugged, as far as a sound server reports that.
/// Without sound there is no connection, as in `SleepMonitor`.
actor HeadphoneMonitor {
  private let address: String?
  private let player: @Sendable () -> Int32?
  /// The pause before looking again for a server that was lost.
  private let retryDelay: Duration
  /// The pause before looking again for a server if there was none.
  private let absenceDelay: Duration
  /// The time for which the connection stays open after the sound; longer than the room waits for headphones.
  private let linger: Duration
  private var interrupter: RoomInterrupter?
  private var onReturn: @Sendable () async -> Void = {}
  /// The time when the server was lost; nil once a server with an output was found.
  private var lostAt: ContinuousClock.Instant?
  private(set) var headphones = Headphones()
  private var isWanted = false
  private var isStopped = false
  private var server: SoundServer?
  private var work: Task<Void, Never>?
  private var leaving: Task<Void, Never>?

  /// Creates a monitor; `start` starts it. `address` is the sound server; nil for the user's own. `player` returns the
  /// id of the process that plays; nil for none.
  init(
    address: String? = nil, retryDelay: Duration = .seconds(1), absenceDelay: Duration = .seconds(60),
    linger: Duration = .seconds(60), player: @escaping @Sendable () -> Int32? = { getpid() }
  ) {
    self.address = address
    self.linger = linger
    self.player = player
    self.retryDelay = retryDelay
    self.absenceDelay = absenceDelay
  }

  private(set) var hasState = false

  /// Starts to watch the room. `onReturn` is called when a server was lost and one with an output is there again, as
  /// libmpv looks for a server only when it opens an output.
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
    // Sound may have started while the work ended.
    adapt()
  }

  /// True for 15 s after a server was lost, as it will most likely start again. The room is paused meanwhile.
  private var isExpecting: Bool { lostAt.map { $0.duration(to: .now) < .seconds(15) } ?? false }

  /// Connects, and listens until the connection ends. Returns true if there was a connection and it was lost.
  private func listen() async -> Bool {
    let server = SoundServer(address: address, player: player)
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
    /// The name or address by which the output is recognised when it comes back.
    var identity: String
    /// True if the whole output is headphones, for example on USB or Bluetooth.
    var isHeadphones = false
    /// The port, such as a jack, that the output uses now; nil if it has none.
    var port: Port?
    var ports: [Port] = []
  }

  struct Port: Hashable, Sendable {
    var name: String
    /// True if the port is for headphones.
    var isHeadphones = false
    /// True if the server knows that nothing is plugged in.
    var isEmpty = false
  }

  var outputs: [Output] = []
  /// The identity of the output that this process plays on; nil if it plays on none.
  var ours: String?
}

/// Determines if the room is heard through headphones, and if these are unplugged. It is a state machine without I/O.
///
/// A sound server plays on through another output when headphones are gone, such as the loudspeaker of a laptop on a
/// train. Only a person who moves the sound wants that.
struct Headphones: Hashable, Sendable {
  enum Change: Hashable, Sendable {
    /// The headphones are gone while the room was heard through them.
    case pulled
    /// The same headphones are there again.
    case back
  }

  /// Headphones: a whole output, or a port of one.
  fileprivate struct Pair: Hashable, Sendable {
    var output: String
    var port: String?
  }

  private enum State: Hashable, Sendable {
    case none
    case on(Pair)
    /// The room was heard through these until this time, when the sound moved to another output.
    case left(Pair, MonotonicTime)
    /// The room was heard through these until they were unplugged.
    case off(Pair)
  }

  private var state = State.none

  var areOn: Bool { if case .on = state { true } else { false } }

  /// The time after a move of the sound within which missing headphones count as unplugged: a server may move the sound
  /// before it reports that they are gone.
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
        // A silent room plays on no output, so the sound has not moved.
        state = server.ours == nil ? .on(pair) : .left(pair, now)
      }
      return nil
    case .none:
      state = Self.headphones(in: server)
      return nil
    }
  }

  /// True if the room is heard through the headphones, or was so until a moment ago.
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
  /// Returns true if a server has the headphones, and does not know that nothing is plugged in.
  fileprivate func isThere(in server: SoundServerState) -> Bool {
    guard let output = server.outputs.first(where: { $0.identity == output }) else { return false }
    guard let port else { return true }
    return output.ports.contains { $0.name == port && !$0.isEmpty }
  }
}
