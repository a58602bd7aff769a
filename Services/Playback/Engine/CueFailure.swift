import Messages
import Model

/// Explains why a cue could not be played. No message contains an address, as addresses may contain secrets.
enum CueFailure {
  /// Returns the error for a cue.
  static func explain(_ cue: Cue, _ ending: PlayerSignal.Ending, complaint: String?) -> LunaraError {
    switch ending {
    case .inputFailed(.unusable(let error)): error
    case .inputFailed(.stream(let failure)): explain(failure)
    default: notAudio(cue, "is in no format that can be played, or it is damaged", cause: complaint)
    }
  }

  static let badLocator = LunaraError(
    "playback.badLocator", "The place given for this track is neither a file nor an http address.")

  /// Returns the error for a file or stream that is not audio; `fault` continues the sentence about it.
  static func notAudio(_ cue: Cue, _ fault: String, cause: String? = nil) -> LunaraError {
    let message =
      switch cue.locator {
      case .file(let path, _): "\(path) \(fault). Play it elsewhere to see, or replace it."
      case .url: "The server's file of this track \(fault)."
      }
    return LunaraError("playback.notAudio", message, cause: cause)
  }

  private static func explain(_ failure: StreamFailure) -> LunaraError {
    switch failure {
    case .status(404), .status(410):
      LunaraError(
        "playback.streamNotFound", "The server no longer has the audio of this track. `lunara sync` looks again.",
        cause: failure.summary)
    case .status(416):
      // The range of an empty file cannot be satisfied.
      LunaraError("playback.notAudio", "The server's file of this track is empty.", cause: failure.summary)
    case .status(408), .status(425), .status(429), .status(500...), .network:
      LunaraError(
        "playback.streamUnreachable",
        "The stream of this track cannot be opened. Is the machine that holds the music on, and Lunara running there?",
        cause: failure.summary)
    case .status: refused(cause: failure.summary)
    }
  }

  /// Returns the error for audio that a server does not give to this household.
  static func refused(cause: String) -> LunaraError {
    LunaraError(
      "playback.streamRefused",
      "The server refuses the audio of this track. Sign in again there if `lunara sources` shows it as signed out.",
      cause: cause)
  }
}
