import Glibc
import Messages
import Model

/// Puts into words why a cue could not be played. No words name an address: it may hold a secret.
enum CueFailure {
  /// Looks at the file concerned, which may block: not for the cooperative pool.
  static func explain(_ cue: Cue, _ ending: PlayerSignal.Ending, complaint: String?) -> LunaraError {
    switch cue.locator {
    case .file(let path): explain(path, complaint)
    case .url: explain(stream: ending, complaint)
    }
  }

  /// A locator that libmpv must not be given.
  static let badLocator = LunaraError(
    "playback.badLocator", "The place given for this track is neither a file nor an http address.")

  private static func explain(stream ending: PlayerSignal.Ending, _ complaint: String?) -> LunaraError {
    switch ending {
    case .troubled(let trouble): explain(trouble)
    case .unopenable: unreachable(cause: complaint)
    default:
      LunaraError(
        "playback.notAudio", "The stream of this track is no audio that can be played, or it is damaged.",
        cause: complaint)
    }
  }

  private static func explain(_ trouble: StreamFailure) -> LunaraError {
    switch trouble {
    case .status(404), .status(410):
      LunaraError(
        "playback.streamNotFound", "The server no longer has the audio of this track. `lunara sync` looks again.",
        cause: trouble.words)
    case .status(416):
      // No byte is there to be asked for.
      LunaraError("playback.notAudio", "The server's file of this track is empty.", cause: trouble.words)
    case .status(408), .status(425), .status(429), .status(500...): unreachable(cause: trouble.words)
    case .status:
      LunaraError(
        "playback.streamRefused",
        "The server refuses the audio of this track. Is Lunara still signed in there? `lunara sources` shows it.",
        cause: trouble.words)
    case .network: unreachable(cause: trouble.words)
    }
  }

  private static func unreachable(cause: String?) -> LunaraError {
    LunaraError(
      "playback.streamUnreachable",
      "The stream of this track cannot be opened. Is the machine that holds the music on, and its library running?",
      cause: cause)
  }

  private static func explain(_ path: LocalPath, _ complaint: String?) -> LunaraError {
    switch openError(of: path) {
    case 0:
      LunaraError(
        "playback.notAudio",
        "\(path) is no audio file that can be played, or it is damaged. Play it elsewhere to see, or replace it.",
        cause: complaint)
    case ENOENT, ENOTDIR:
      LunaraError(
        "playback.fileMissing", "The file \(path) is not there. Is its disk connected? `lunara sync` looks again.")
    case let code:
      LunaraError(
        "playback.fileUnreadable", "The file \(path) cannot be read. Check its rights and its disk.",
        cause: String(cString: strerror(code)))
    }
  }

  private static func openError(of path: LocalPath) -> Int32 {
    let descriptor = (path.bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { name in
      name.baseAddress.map { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) } ?? -1
    }
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    return 0
  }
}
