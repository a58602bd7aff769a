import Bus
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

  func text(_ name: String) throws -> String {
    guard let value = values[name] else { throw LunaraError("bench.missing", "\(name)=… is missing.") }
    return value
  }

  func number(_ name: String, else other: Int = 0) -> Int { values[name].flatMap { Int($0) } ?? other }

  func optional(_ name: String) throws -> String? { isSet(name) ? try text(name) : nil }

  func isSet(_ name: String) -> Bool { values[name] != nil }

  /// Whose node this process is.
  func node() throws -> NodeID {
    guard let id = NodeID(try text("node")) else { throw LunaraError("bench.badNode", "node=… names no node.") }
    return id
  }
}
