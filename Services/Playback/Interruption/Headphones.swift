import Model

/// What a sound server has, as far as headphones are concerned.
struct SoundServerState: Hashable, Sendable {
  /// An output.
  struct Output: Hashable, Sendable {
    /// What makes it the same when it comes back.
    var identity: String
    /// Whether it is worn, all of it: headphones of their own on USB or radio.
    var isWorn = false
    /// The jack, or the like, that it sounds from now; nil where it has none.
    var port: Port?
    /// All it has.
    var ports: [Port] = []
  }

  /// A jack of an output.
  struct Port: Hashable, Sendable {
    var name: String
    /// Whether something worn is plugged in there.
    var isWorn = false
    /// Whether the server knows that nothing is plugged in.
    var isEmpty = false
  }

  var outputs: [Output] = []
  /// The identity of the output that this room sounds from; nil where it does not.
  var mine: String?
}

/// Follows whether the room is heard through headphones, and whether those are pulled: a pure state machine.
///
/// A server whose headphones are gone lets the sound go on from what is left, which is the loudspeaker of a laptop on a
/// train. What a person moves by hand is theirs.
struct Headphones: Hashable, Sendable {
  /// What happened to them.
  enum Change: Hashable, Sendable {
    /// They are gone, while the room was heard through them.
    case pulled
    /// The same are there again.
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
    /// It is.
    case on(Pair)
    /// It was until just now, when it was moved elsewhere.
    case left(Pair, MonotonicTime)
    /// It was until they were pulled.
    case off(Pair)
  }

  private var state = State.none

  /// Whether the room is heard through headphones.
  var areOn: Bool { if case .on = state { true } else { false } }

  /// A server may move the sound before it says that what it came from is gone.
  static let afterthought = Milliseconds(2000)

  /// Takes in what there is now.
  mutating func see(_ scene: SoundServerState, at now: MonotonicTime) -> Change? {
    switch state {
    case .off(let pair):
      guard pair.isThere(in: scene) else { return nil }
      state = Self.worn(in: scene)
      return .back
    case .on(let pair), .left(let pair, _):
      if !pair.isThere(in: scene), isRecent(at: now) {
        state = .off(pair)
        return .pulled
      }
      let next = Self.worn(in: scene)
      if next != .none || !isRecent(at: now) {
        state = next
      } else if case .on = state {
        // A room that is silent has left nothing.
        state = scene.mine == nil ? .on(pair) : .left(pair, now)
      }
      return nil
    case .none:
      state = Self.worn(in: scene)
      return nil
    }
  }

  /// Whether what is known of the pair is no old story.
  private func isRecent(at now: MonotonicTime) -> Bool {
    guard case .left(_, let since) = state else { return true }
    return now - since <= Self.afterthought
  }

  private static func worn(in scene: SoundServerState) -> State {
    guard let mine = scene.outputs.first(where: { $0.identity == scene.mine }) else { return .none }
    if let port = mine.port, port.isWorn { return .on(Pair(output: mine.identity, port: port.name)) }
    return mine.isWorn ? .on(Pair(output: mine.identity, port: nil)) : .none
  }
}

extension Headphones.Pair {
  /// Whether a server has them, and does not know better.
  fileprivate func isThere(in scene: SoundServerState) -> Bool {
    guard let output = scene.outputs.first(where: { $0.identity == output }) else { return false }
    guard let port else { return true }
    return output.ports.contains { $0.name == port && !$0.isEmpty }
  }
}
