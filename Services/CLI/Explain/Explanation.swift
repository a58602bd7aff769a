import Model

/// What an error code means.
struct Explanation: Sendable, Equatable {
  /// The code.
  let code: String
  /// What happened.
  let meaning: String
  /// What to do.
  let remedy: String

  init(_ code: String, _ meaning: String, _ remedy: String) {
    self.code = code
    self.meaning = meaning
    self.remedy = remedy
  }

  /// All codes, sorted.
  static let all = (ofCommandLine).sorted { $0.code < $1.code }

  /// The shape of `explain`.
  var json: JSON { .object(["code": .text(code), "meaning": .text(meaning), "remedy": .text(remedy)]) }
}
