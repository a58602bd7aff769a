import Model

/// What the driver asks for: `name=value` words.
struct Options: Sendable {
  private let values: [String: String]

  init(_ words: some Sequence<String>) {
    values = Dictionary(
      words.map { word in
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
      }, uniquingKeysWith: { $1 })
  }

  subscript(name: String) -> String? { values[name] }

  func text(_ name: String) throws -> String {
    guard let value = values[name] else { throw LunaraError("chaos.missing", "\(name)=… is missing.") }
    return value
  }
}
