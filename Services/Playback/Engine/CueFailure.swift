import Glibc
import Messages
import Model
import System

/// Explains why a cue could not be played. No message contains an address, as addresses may contain secrets.
enum CueFailure {
  /// Returns the error for a cue. Opens the cue's file, which may block, so do not call it in Swift's cooperative
  /// thread pool.
  static func explain(_ cue: Cue, _ ending: PlayerSignal.Ending, complaint: String?) -> LunaraError {
    switch cue.locator {
    case .file(let path): explain(path, complaint)
    case .url: explain(stream: ending, complaint)
    }
  }

  static let badLocator = LunaraError(
    "playback.badLocator", "The place given for this track is neither a file nor an http address.")

  private static func explain(stream ending: PlayerSignal.Ending, _ complaint: String?) -> LunaraError {
    switch ending {
    case .streamFailed(let failure): explain(failure)
    case .unopenable: unreachable(cause: complaint)
    default:
      LunaraError(
        "playback.notAudio", "The stream of this track is no audio that can be played, or it is damaged.",
        cause: complaint)
    }
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
    case .status(408), .status(425), .status(429), .status(500...): unreachable(cause: failure.summary)
    case .status:
      LunaraError(
        "playback.streamRefused",
        "The server refuses the audio of this track. Is Lunara still signed in there? `lunara sources` shows it.",
        cause: failure.summary)
    case .network: unreachable(cause: failure.summary)
    }
  }

  private static func unreachable(cause: String?) -> LunaraError {
    LunaraError(
      "playback.streamUnreachable",
      "The stream of this track cannot be opened. Is the machine that holds the music on, and its library running?",
      cause: cause)
  }

  private static func explain(_ path: LocalPath, _ complaint: String?) -> LunaraError {
    do throws(Errno) {
      try Descriptor(opening: path, O_RDONLY | O_NONBLOCK).close()
    } catch {
      return error.isMissingFile
        ? LunaraError(
          "playback.fileMissing", "The file \(path) is not there. Is its disk connected? `lunara sync` looks again.")
        : LunaraError(
          "playback.fileUnreadable", "The file \(path) cannot be read. Check its rights and its disk.", cause: error)
    }
    return LunaraError(
      "playback.notAudio",
      "\(path) is no audio file that can be played, or it is damaged. Play it elsewhere to see, or replace it.",
      cause: complaint)
  }
}

/// A failure between this room and a server, as the libraries that libmpv uses log it.
enum StreamFailure: Hashable, Sendable {
  case status(Int)
  /// The server could not be reached, or the connection broke.
  case network(Network)

  enum Network: String, Hashable, Sendable, CaseIterable {
    case unknownName = "the server's name is not known"
    case refused = "the connection was refused"
    case timedOut = "the server did not answer in time"
    case insecure = "no secure connection could be made"
    case broke = "the connection broke"
  }

  /// Reads a line of libmpv's log (libavformat 59: http.c, tcp.c, tls.c; `av_err2str`); nil if the line reports no such
  /// failure.
  init?(_ line: String) {
    if let status = Self.status(after: "HTTP error ", in: line) ?? Self.status(after: "Server returned ", in: line) {
      self = .status(status)
      return
    }
    guard let found = Self.signs.first(where: { line.contains($0.sign) }) else { return nil }
    self = .network(found.means)
  }

  private static let signs: [(sign: String, means: Network)] = [
    ("Failed to resolve hostname", .unknownName), ("Connection refused", .refused), ("timed out", .timedOut),
    ("No route to host", .refused), ("Network is unreachable", .refused), ("tls: ", .insecure),
    ("ertificate", .insecure), ("Stream ends prematurely", .broke), ("Will reconnect at", .broke),
    ("Failed to reconnect", .broke), ("Connection reset", .broke), ("Broken pipe", .broke),
    ("Input/output error", .broke),
  ]

  /// Returns the HTTP status after `words`; 500 for `5XX`, as the log may contain only the class.
  private static func status(after words: String, in line: String) -> Int? {
    guard let range = line.firstRange(of: words) else { return nil }
    let digits = line[range.upperBound...].prefix(3)
    guard digits.utf8.count == 3 else { return nil }
    return Int(digits.hasSuffix("XX") ? digits.prefix(1) + "00" : digits)
  }

  /// Returns the more specific one of two failures.
  func joined(with later: StreamFailure) -> StreamFailure {
    switch (self, later) {
    case (_, .status): later
    case (.network(.broke), .network): later
    default: self
    }
  }

  /// The failure in a few words, which do not name the server.
  var summary: String {
    switch self {
    case .status(let status): "HTTP \(status)"
    case .network(let network): network.rawValue
    }
  }
}
