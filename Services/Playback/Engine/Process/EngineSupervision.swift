import Messages
import Model

/// Follows what the player's process was told and what it reported, and decides what happens if it ends or no longer
/// reacts. It is a state machine without I/O.
///
/// A cue that ends the process fails, and the room goes on to the next one. If the process ends while one cue is heard
/// and another is prepared, it is not known which one did it: the audible one continues in a new process, and the
/// prepared one is withheld until it can be opened alone. So an ending always costs a cue, or comes at least
/// `progress` after the one before.
struct EngineSupervision {
  enum Action: Hashable, Sendable {
    /// Send the command to the process, which is started if it does not run.
    case send(EngineCommand)
    case report(EngineEvent)
    /// End the process at once; `ended` has to be called then.
    case kill(Fault)
  }

  /// The reason why a process is ended, or has ended.
  enum Fault: Hashable, Sendable {
    case crashed(status: Int32)
    case tooLarge(bytes: Int)
    case unresponsive

    /// True if what the process decoded may be the reason, and not that it could not start.
    var isOfDecoder: Bool {
      switch self {
      case .crashed(let status): status < 0
      case .tooLarge: true
      case .unresponsive: false
      }
    }

    /// The fault in a few words.
    var summary: String {
      switch self {
      case .crashed(let status) where status < 0: "the player's process was ended by signal \(-status)"
      case .crashed(let status): "the player's process ended with status \(status)"
      case .tooLarge(let bytes): "the player's process needed \(bytes >> 20) MiB of memory"
      case .unresponsive: "the player's process no longer reacted"
      }
    }
  }

  /// The cue that is opened or heard.
  private struct Current {
    var cue: Cue
    /// True once the process has begun to open it.
    var isOpened = false
    var hasBegun = false
    var isFlowing = false
    var position: Milliseconds
    /// The position at which it was opened in a new process.
    var restartedAt: Milliseconds?

    init(_ cue: Cue) {
      self.cue = cue
      position = cue.start
    }

    /// True if another process may be started for it.
    var mayRestart: Bool {
      guard let restartedAt else { return hasBegun || !isOpened }
      return position >= restartedAt + EngineSupervision.progress
    }
  }

  /// The time in which a running process has to react to `stop` and to `play`.
  static let reactionTime = Milliseconds(1500)
  /// The time in which a new process has to start, load libmpv and react.
  static let startTime = Milliseconds(15_000)
  /// The time after which a process that plays and reports nothing counts as unresponsive.
  static let silenceTime = Milliseconds(10_000)
  /// The length of sound after which a cue may be continued in a new process once more.
  static let progress = Milliseconds(10_000)
  /// The number of places that are remembered as ones that may end the process.
  private static let suspectLimit = 100

  private var current: Current?
  /// The cues after the current one that are being decoded already, and the prepared one after them.
  private var decoding: [Cue] = []
  private var prepared: Cue?
  /// A cue that follows the current one but is not given to the process.
  private var withheld: Cue?
  private var suspects: [Library.Locator] = []
  private var isPaused = false
  private var heardFromAt: MonotonicTime?
  /// The time by which the process has to react.
  private var reactionDue: MonotonicTime?

  /// True if nothing should be played.
  var isSilent: Bool { current == nil }

  /// The time when `wake` must be called; nil for never.
  var deadline: MonotonicTime? { [reactionDue, silenceDue].compactMap { $0 }.min() }

  private var silenceDue: MonotonicTime? {
    current?.isFlowing == true ? heardFromAt.map { $0 + Self.silenceTime } : nil
  }

  mutating func handle(_ command: EngineCommand) -> [Action] {
    switch command {
    case .play(let cue, let paused):
      current = Current(cue)
      decoding = []
      prepared = nil
      withheld = nil
      isPaused = paused
    case .prepare(let cue):
      // The locator of a stream may differ each time, so the first cue after a restart has to wait as well until the
      // current one has made progress.
      let isUnproven = current.map { track in track.restartedAt.map { track.position < $0 + Self.progress } ?? false }
      let isSuspect = cue.map { suspects.contains($0.locator) || isUnproven == true } ?? false
      (prepared, withheld) = isSuspect ? (nil, cue) : (cue, nil)
      if isSuspect { return [.send(.prepare(nil))] }
    case .pause(let held): isPaused = held
    case .seek(let id, let target): if current?.cue.id == id { current?.position = target }
    case .stop: forget()
    case .volume, .mute, .output, .listDevices: break
    }
    return [.send(command)]
  }

  /// Handles that a command was sent to the process, which `isNew` if it has not reported anything yet.
  mutating func sent(_ command: EngineCommand, isNew: Bool, at now: MonotonicTime) {
    switch command {
    case .play, .stop: reactionDue = now + (isNew ? Self.startTime : Self.reactionTime)
    default: break
    }
  }

  mutating func handle(_ event: EngineEvent, at now: MonotonicTime) -> [Action] {
    heardFromAt = now
    switch event {
    case .opening(let id), .failed(let id, _), .began(let id): if id == current?.cue.id { reactionDue = nil }
    case .exhausted: if current?.isOpened ?? true { reactionDue = nil }
    case .outputFailed: reactionDue = nil
    default: break
    }
    switch event {
    case .opening(let id): if id == current?.cue.id { current?.isOpened = true }
    case .began(let id):
      while id != current?.cue.id, following.contains(where: { $0.id == id }) { promote() }
      guard id == current?.cue.id else { break }
      current?.isOpened = true
      current?.hasBegun = true
    case .flowing(let id, let position), .position(let id, let position):
      guard id == current?.cue.id else { break }
      current?.isFlowing = true
      current?.position = position
      if let cue = current?.cue { suspects.removeAll { $0 == cue.locator } }
    case .halted(let id, let position, let reason):
      guard id == current?.cue.id else { break }
      current?.isFlowing = false
      // After a jump the position is already the target's.
      if reason != .seek { current?.position = position }
    case .ended(let id, _), .failed(let id, _):
      if id == current?.cue.id { promote() }
      if id == prepared?.id { prepared = nil }
      decoding.removeAll { $0.id == id }
    case .reopened(let id):
      if id == current?.cue.id {
        decoding = []
        prepared = nil
      }
    case .decoding(let id):
      guard let cue = prepared, cue.id == id else { break }
      decoding = decoding + [cue]
      prepared = nil
    case .outputLost: isPaused = true
    case .outputFailed: forget()
    case .exhausted:
      // A cue that is not being opened yet was wanted after this was reported.
      guard current.map(\.isOpened) ?? true else { break }
      let next = withheld
      forget()
      return [.report(next.map { .exhausted($0.id) } ?? event)]
    case .duration, .output, .devices, .buffered: break
    }
    return [.report(event)]
  }

  mutating func wake(at now: MonotonicTime) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    return [.kill(.unresponsive)]
  }

  /// Handles that the process has ended, which nobody asked for.
  mutating func ended(_ fault: Fault, at now: MonotonicTime) -> [Action] {
    reactionDue = nil
    heardFromAt = nil
    guard var track = current else {
      forget()
      return [.report(.output(used: nil, problem: nil))]
    }
    if let next = following.first {
      suspects = (suspects + following.map(\.locator)).suffix(Self.suspectLimit)
      withheld = next
      decoding = []
      prepared = nil
    } else if !track.mayRestart {
      let next = withheld
      forget()
      if !track.isOpened, !fault.isOfDecoder { return [.report(.outputFailed(Self.failure(fault)))] }
      return [.report(.failed(track.cue.id, Self.failure(of: track.cue, fault))), .report(.exhausted(next?.id))]
    }
    var actions: [Action] = track.isFlowing ? [.report(.halted(track.cue.id, track.position, .starved))] : []
    if track.hasBegun { actions.append(.report(.reopened(track.cue.id))) }
    track.cue.start = track.position
    track.restartedAt = track.position
    track.isOpened = false
    track.isFlowing = false
    current = track
    return actions + [.send(.play(track.cue, paused: isPaused))]
  }

  private var following: [Cue] { decoding + [prepared].compactMap { $0 } }

  private mutating func promote() {
    current = following.first.map { Current($0) }
    current?.isOpened = true
    if decoding.isEmpty { prepared = nil } else { decoding.removeFirst() }
  }

  private mutating func forget() {
    current = nil
    decoding = []
    prepared = nil
    withheld = nil
  }

  private static func failure(of cue: Cue, _ fault: Fault) -> LunaraError {
    let name = if case .file(let path, _) = cue.locator { "\(path)" } else { "The server's file of this track" }
    return LunaraError(
      "playback.decoderFailed", "\(name) ended the player, so it was skipped. It may be damaged; replace it.",
      cause: fault.summary)
  }

  private static func failure(_ fault: Fault) -> LunaraError {
    LunaraError(
      "playback.engineFailed", "The player could not be started. Resume to try again.", cause: fault.summary)
  }
}
