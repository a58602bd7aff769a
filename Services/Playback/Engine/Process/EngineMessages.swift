import Messages
import Model
import System

/// The first message to the player's process: the output and the settings with which it starts.
struct EngineSetup: Codable, Hashable, Sendable {
  var pace: Pace
  /// The names and values of the output's options, one after the other.
  var options: [String]
  var failureMessage: String
  var volume: Int
  var isMuted: Bool
  var device: String?

  init(_ output: AudioOutput, _ start: MPVPlayer.Start) {
    pace = output.pace
    failureMessage = output.failureMessage
    options = output.options.flatMap { [$0.name, $0.value] }
    volume = start.volume
    isMuted = start.isMuted
    device = start.device
  }

  var output: AudioOutput {
    let pairs = stride(from: 0, to: options.count - 1, by: 2).map { (options[$0], options[$0 + 1]) }
    return AudioOutput(pace: pace, options: pairs, failureMessage: failureMessage)
  }
}

/// A command to the player's process. The open file of its cue is passed with the message.
struct EngineOrder: Codable, Hashable, Sendable {
  var command: EngineCommand
  /// The reason why the cue's file could not be opened.
  var fileError: LunaraError?
}

extension EngineCommand {
  /// The cue that the command loads; nil for other commands.
  var cue: Cue? {
    get {
      switch self {
      case .play(let cue, _): cue
      case .prepare(let cue): cue
      default: nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .play(_, let paused): self = .play(newValue, paused: paused)
      case .prepare: self = .prepare(newValue)
      default: break
      }
    }
  }

  /// True if the command makes those before it about cues void.
  var isFreshStart: Bool { if case .play = self { true } else { self == .stop } }
}

extension MessageSocket {
  /// Sends a value as JSON. Does not block.
  ///
  /// - Throws: `bus.badPayload`; an `Errno`, which is `wouldBlock` where the other end is slow.
  func send(_ value: some Encodable, passing file: Descriptor? = nil) throws {
    try send(try MessageCoding.encode(value), file.map { [$0] } ?? [], waits: false)
  }
}
