import Glibc
import Messages
import Model

/// Puts into words why a cue could not be played.
enum CueFailure {
  /// Looks at the file concerned, which may block: not for the cooperative pool.
  static func explain(_ cue: Cue, _ ending: PlayerSignal.Ending, complaint: String?) -> LunaraError {
    guard case .file(let path) = cue.locator else {
      return ending == .unopenable
        ? LunaraError(
          "playback.streamUnreachable",
          "The stream of this track cannot be opened. Is the machine that holds the music on, and its library running?",
          cause: complaint)
        : LunaraError(
          "playback.notAudio", "The stream of this track is no audio that can be played, or it is damaged.",
          cause: complaint)
    }
    switch openError(of: path) {
    case 0:
      return LunaraError(
        "playback.notAudio",
        "\(path) is no audio file that can be played, or it is damaged. Play it elsewhere to see, or replace it.",
        cause: complaint)
    case ENOENT, ENOTDIR:
      return LunaraError(
        "playback.fileMissing", "The file \(path) is not there. Is its disk connected? `lunara sync` looks again.")
    case let code:
      return LunaraError(
        "playback.fileUnreadable", "The file \(path) cannot be read. Check its rights and its disk.",
        cause: String(cString: strerror(code)))
    }
  }

  /// A locator that libmpv must not be given.
  static let badLocator = LunaraError(
    "playback.badLocator", "The place given for this track is neither a file nor an http address.")

  private static func openError(of path: LocalPath) -> Int32 {
    let descriptor = (path.bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { name in
      name.baseAddress.map { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) } ?? -1
    }
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    return 0
  }
}
