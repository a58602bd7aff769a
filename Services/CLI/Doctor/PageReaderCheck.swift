import Confinement
import Glibc
import Model
import ServiceKit
import System

/// The check of yt-dlp, where the setting `LUNARA_YT_DLP` names it.
struct PageReaderCheck: HealthCheck, Equatable {
  /// The state of the program.
  enum State: Sendable, Equatable {
    case version(String)
    case missing
    /// The kernel cannot confine it.
    case notConfined
    /// It was started and did not say its version; the text is what it said.
    case broken(String)
  }

  /// The path; nil if the setting is not set.
  var path: String?
  var state = State.missing

  /// The year before whose end versions no longer understand the services.
  private static let oldYear = 2024

  var findings: [Finding] {
    if let path {
      switch state {
      case .version(let version) where (Int(version.prefix(4)) ?? 0) < Self.oldYear:
        .warning(
          "plugins", "yt-dlp \(version) is too old for YouTube.",
          "Install the newest one from its makers, and set LUNARA_YT_DLP to its path.")
      case .version(let version): .ok("plugins", "yt-dlp \(version) can be run confined.")
      case .missing:
        .failure(
          "plugins", "LUNARA_YT_DLP names \(path), which is no program.", "Give the path of yt-dlp, or take it out.",
          code: "resolver.pageUnreadable")
      case .notConfined:
        .failure(
          "plugins", "The kernel has no Landlock, without which yt-dlp is not run.",
          "Start a kernel with Landlock (CONFIG_SECURITY_LANDLOCK, lsm=landlock,…), or take LUNARA_YT_DLP out.",
          code: "resolver.pageUnreadable")
      case .broken(let words):
        .failure(
          "plugins", "\(path) cannot be run confined: \(words)",
          "Use the script from its makers or one in an environment of Python; a single file that unpacks itself cannot be used.",
          code: "resolver.pageUnreadable")
      }
    }
  }

  static func observe(_ settings: Settings) -> PageReaderCheck {
    guard let path = settings["LUNARA_YT_DLP"] else { return PageReaderCheck() }
    guard access(path, X_OK) == 0 else { return PageReaderCheck(path: path) }
    guard ConfinedProgram.isPossible else { return PageReaderCheck(path: path, state: .notConfined) }
    return PageReaderCheck(path: path, state: state(of: path))
  }

  private static func state(of path: String) -> State {
    let answer: ConfinedProgram.Answer
    do { answer = try ConfinedProgram(path).run(["--version"]) } catch { return .broken(error.text) }
    let version = String(decoding: answer.output, as: UTF8.self).prefix { !$0.isNewline }
    guard answer.ending == .ended(0), !version.isEmpty else {
      let words = answer.errors.split(whereSeparator: \.isNewline).last.map(String.init)
      return .broken(words ?? "it did not say its version")
    }
    return .version(String(version.prefix(40)))
  }
}
