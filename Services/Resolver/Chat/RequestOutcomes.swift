import Messages
import Model
import Synchronization

/// Remembers the last answer of a server to each plugin, by which failures of plugins that ask a language model are
/// told apart: their own words differ from plugin to plugin.
final class RequestOutcomes: Sendable {
  private enum Outcome {
    case answered(Int)
    case unanswered(String)
  }

  private let last = Mutex<[String: (count: Int, outcome: Outcome?)]>([:])

  /// Notes the answer to a question of a plugin.
  func record(_ plugin: String, _ kind: String, _ result: Result<PluginValue, PluginRunner.QuestionError>) {
    guard ["fetch", "itunesFetch", "proxyFetch"].contains(kind) else { return }
    let outcome: Outcome
    switch result {
    case .failure(let error): outcome = .unanswered(error.words)
    case .success(let value):
      let status = Int(value["status"]?.number ?? 0)
      outcome = status == 0 ? .unanswered(value["error"]?.string ?? "") : .answered(status)
    }
    last.withLock { $0[plugin] = (($0[plugin]?.count ?? 0) + 1, outcome) }
  }

  /// Returns a mark of the present time, by which only later answers count.
  func mark(_ plugin: String) -> Int { last.withLock { $0[plugin]?.count ?? 0 } }

  /// Returns the error of a plugin in plain words: its server is not reached, refuses the key, wants patience, or does
  /// not know the model. Other errors are returned as they are.
  func explained(_ error: LunaraError, of plugin: PluginRegistry.Usable, since mark: Int) -> LunaraError {
    guard error.code == "resolver.pluginFailed" || error.code == "resolver.accountRefused" else { return error }
    guard let known = last.withLock({ $0[plugin.file.id] }), known.count > mark, let outcome = known.outcome else {
      return error
    }
    let (name, id) = (plugin.file.name, plugin.file.id)
    switch outcome {
    case .unanswered(let words):
      return LunaraError(
        "resolver.modelUnreachable",
        "\(name) does not reach its server. Check its address in `lunara plugins settings \(id)` and that it runs.",
        cause: PluginError.bounded(words) ?? error.cause)
    case .answered(401), .answered(403):
      return LunaraError(
        "resolver.keyRefused",
        "The server of \(name) refuses the key. Set another one: `lunara plugins settings \(id)` shows its name.",
        cause: error.cause)
    case .answered(429):
      return LunaraError(
        "resolver.modelBusy", "The server of \(name) wants patience: too much was asked of it. Try again later.",
        cause: error.cause)
    case .answered(404):
      return LunaraError(
        "resolver.modelUnknown",
        "The server of \(name) does not know the model, or not this address. `lunara plugins settings \(id)` lists the models.",
        cause: error.cause)
    case .answered: return error
    }
  }
}
