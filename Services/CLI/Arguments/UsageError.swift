/// The command line was wrong: what about it, and which command's usage helps.
struct UsageError: Error, Equatable {
  /// What is wrong, naming the word concerned.
  let message: String
  /// The words that lead to the command, such as `["queue", "move"]`.
  var path: [String] = []

  init(_ message: String, path: [String] = []) {
    self.message = message
    self.path = path
  }
}
