/// The requests of plugins to the network that failed. A plugin mostly answers as if it had found nothing then.
extension PluginRunner {
  /// The statuses of answers that say nothing about what was asked: a key or a wait is needed.
  private static let statuses: Set = [401, 403, 408, 425, 429]

  /// Returns words about a request that failed; nil for one that did not, and for other questions.
  static func requestFailure(in result: Result<PluginValue, QuestionError>, to kind: String) -> String? {
    guard ["fetch", "itunesFetch", "proxyFetch"].contains(kind) else { return nil }
    switch result {
    case .failure(let error): return error.words
    case .success(let value):
      guard let status = value["status"]?.number.map({ Int($0) }) else { return nil }
      if status == 0 { return value["error"]?.string ?? "it had no answer" }
      return statuses.contains(status) || status >= 500 ? "the server answered \(status)" : nil
    }
  }
}
