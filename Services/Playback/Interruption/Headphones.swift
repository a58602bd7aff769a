import Model

/// The outputs of a sound server, as far as headphones are concerned.
struct SoundServerState: Hashable, Sendable {
  /// An output.
  struct Output: Hashable, Sendable {
    /// The name or address by which it is recognised when it comes back.
    var identity: String
    /// True if all of it is worn: headphones on USB or radio.
    var isWorn = false
    /// The jack, or the like, that it plays on now; nil where it has none.
    var port: Port?
    /// All it has.
    var ports: [Port] = []
  }

  /// A jack of an output.
  struct Port: Hashable, Sendable {
    var name: String
    /// True if something worn is plugged in there.
    var isWorn = false
    /// True if the server knows that nothing is plugged in.
    var isEmpty = false
  }

  var outputs: [Output] = []
  /// The identity of the output that this process plays on; nil for none.
  var ours: String?
}

/// Tells if the room is heard through headphones, and if those are pulled: a pure state machine.
///
/// A server whose headphones are gone plays on through what is left, such as the loudspeaker of a laptop on a train. A person who
/// moves the sound by hand wants that.
struct Headphones: Hashable, Sendable {
  /// A change that concerns the room.
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
    /// The room is not heard through any.
    case none
    /// It is heard through these.
    case on(Pair)
    /// It was heard through these until that time, when the sound was moved elsewhere.
    case left(Pair, MonotonicTime)
    /// It was heard through these until they were pulled.
    case off(Pair)
  }

  private var state = State.none

  /// True if the room is heard through headphones.
  var areOn: Bool { if case .on = state { true } else { false } }

  /// The time within which headphones count as pulled after the sound was moved: a server may move it before it reports that they
  /// are gone.
  static let moveMargin = Milliseconds(2000)

  /// Handles the present state of the server.
  mutating func update(_ server: SoundServerState, at now: MonotonicTime) -> Change? {
    switch state {
    case .off(let pair):
      guard pair.isThere(in: server) else { return nil }
      state = Self.worn(in: server)
      return .back
    case .on(let pair), .left(let pair, _):
      if !pair.isThere(in: server), isRecent(at: now) {
        state = .off(pair)
        return .pulled
      }
      let next = Self.worn(in: server)
      if next != .none || !isRecent(at: now) {
        state = next
      } else if case .on = state {
        // A room that is silent has left nothing.
        state = server.ours == nil ? .on(pair) : .left(pair, now)
      }
      return nil
    case .none:
      state = Self.worn(in: server)
      return nil
    }
  }

  /// True if the room was heard through the pair until just now.
  private func isRecent(at now: MonotonicTime) -> Bool {
    guard case .left(_, let since) = state else { return true }
    return now - since <= Self.moveMargin
  }

  private static func worn(in server: SoundServerState) -> State {
    guard let mine = server.outputs.first(where: { $0.identity == server.ours }) else { return .none }
    if let port = mine.port, port.isWorn { return .on(Pair(output: mine.identity, port: port.name)) }
    return mine.isWorn ? .on(Pair(output: mine.identity, port: nil)) : .none
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
