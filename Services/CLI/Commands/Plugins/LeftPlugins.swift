import Model

/// The plugins that could not be installed beside others. One that fails keeps none of the others back, but the command
/// ends as one that failed.
struct LeftPlugins {
  private var names: [String] = []
  /// The reasons, for programs: people have read them.
  private var reasons: [String] = []

  /// Prints why a plugin was not installed. One that a person did not agree to is no failure.
  ///
  /// - Throws: the error itself where it ends the whole command, as Ctrl-C does.
  mutating func add(_ name: String, _ error: any Error, _ console: Console) throws {
    if ExitStatus(error) == .interrupted { throw error }
    let error = LunaraError(error)
    console.remark("\(name): \(error.message)")
    guard error.code != "cli.notAgreed" else { return }
    names.append(name)
    if console.isJSON { reasons.append("\(name): \(error.message)") }
  }

  /// Throws `cli.pluginsFailed` where a plugin failed.
  func check() throws {
    guard !names.isEmpty else { return }
    throw LunaraError(
      "cli.pluginsFailed", "Not installed: \(names.joined(separator: ", ")). The others were. Try these again.",
      cause: reasons.isEmpty ? nil : reasons.joined(separator: " "))
  }
}
