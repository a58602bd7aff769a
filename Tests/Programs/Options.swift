public import Bus
import Model

/// What a driver asks a program of the tests for: `name=value` words.
public struct Options: Sendable {
  private let values: [String: String]

  /// Reads words; of two with one name the later one counts.
  public init(_ words: some Sequence<String>) {
    values = Dictionary(
      words.map { word in
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
      }, uniquingKeysWith: { $1 })
  }

  /// A value; nil where it was not given.
  public subscript(name: String) -> String? { values[name] }

  /// A value that has to be there.
  ///
  /// - Throws: `options.missing`.
  public func text(_ name: String) throws -> String {
    guard let value = values[name] else { throw LunaraError("options.missing", "\(name)=… is missing.") }
    return value
  }

  /// A whole number; `other` where there is none.
  public func number(_ name: String, else other: Int = 0) -> Int { values[name].flatMap { Int($0) } ?? other }

  /// Whose node this process is.
  ///
  /// - Throws: `options.missing`, `options.badNode`.
  public func node() throws -> NodeID {
    guard let id = NodeID(try text("node")) else { throw LunaraError("options.badNode", "node=… names no node.") }
    return id
  }
}
