import Messages
import Model
import System

/// The errors of plugins. The words of a plugin are a stranger's: they are bounded and stand as the cause.
enum PluginError {
  static func tooSlow(_ name: String, _ time: Duration) -> LunaraError {
    LunaraError(
      "resolver.pluginTooSlow", "\(name) did not answer within \(time.components.seconds) s, so it was ended.")
  }

  static func ended(_ name: String, _ ending: PluginProcess.Ending) -> LunaraError {
    LunaraError("resolver.pluginEnded", "\(name) was ended: \(reason(ending)).")
  }

  static func tooLong(_ name: String) -> LunaraError {
    LunaraError("resolver.pluginEnded", "\(name) was ended: it ran for more than 2 s without a pause.")
  }

  static func failed(_ name: String, _ words: String?) -> LunaraError {
    LunaraError("resolver.pluginFailed", "\(name) failed.", cause: words.flatMap { bounded($0) })
  }

  static func accountRefused(_ name: String, _ id: String, _ words: String?) -> LunaraError {
    LunaraError(
      "resolver.accountRefused",
      "The service of \(name) refuses its account. Give it another one: `lunara plugins settings \(id)`.",
      cause: words.flatMap { bounded($0) })
  }

  static func noScrobbler(_ name: String) -> LunaraError {
    LunaraError("resolver.noScrobbler", "\(name) registers nothing that could receive plays.")
  }

  static func notLoaded(_ name: String, _ words: String?) -> LunaraError {
    LunaraError("resolver.pluginNotLoaded", "\(name) cannot be loaded.", cause: words.flatMap { bounded($0) })
  }

  static func badAnswer(_ name: String, _ reason: String) -> LunaraError {
    LunaraError("resolver.badAnswer", "\(name) gave an answer that cannot be used: \(reason).")
  }

  static func disabled(_ name: String, after error: LunaraError) -> LunaraError {
    LunaraError(
      "resolver.pluginDisabled",
      "\(name) had to be ended three times within an hour, so it was switched off. Switch it on again with `lunara plugins on`, or remove it.",
      cause: error.message)
  }

  static func unknown(_ id: String) -> LunaraError {
    LunaraError("resolver.unknownPlugin", "There is no plugin \(id). `lunara plugins` lists those that are installed.")
  }

  static func fileChanged(_ name: String) -> LunaraError {
    LunaraError(
      "resolver.unknownPlugin", "The file of \(name) has changed since it was described. Look at it again.")
  }

  static func consentNeeded(_ name: String, _ id: String) -> LunaraError {
    LunaraError(
      "resolver.consentNeeded",
      "\(name) has a file to which nobody has agreed. `lunara plugins on \(id)` shows it and asks.")
  }

  /// Returns a stranger's words in one line of bounded length; nil if nothing is left.
  static func bounded(_ words: String, _ limit: Int = 300) -> String? {
    let line = words.split { $0.isWhitespace || $0.isNewline || $0.unicodeScalars.allSatisfy { $0.value < 32 } }
      .joined(separator: " ")
    return line.isEmpty ? nil : String(line.prefix(limit))
  }

  private static func reason(_ ending: PluginProcess.Ending) -> String {
    switch ending {
    case .ended: "another of its calls took too long"
    // The status with which the dynamic linker ends a program whose libraries are missing.
    case .exited(127): "its engine is missing; install the package libjavascriptcoregtk-4.1-0"
    case .exited(let status): status < 0 ? "the signal \(-status) ended it" : "it exited with the status \(status)"
    case .tooMuchMemory: "it used more than 128 MiB of memory"
    case .flooded: "it wrote more than can be read, or did not read what it was sent"
    case .notStarted(let error): "its process could not be started (\(error.text))"
    }
  }
}
