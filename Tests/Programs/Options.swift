public import Bus
import Model

/// The options of a test program: words of the form `name=value`.
public struct Options: Sendable {
  private let values: [String: String]

  /// Reads words; of two with the same name the later one counts.
  public init(_ words: some Sequence<String>) {
    values = Dictionary(
      words.map { word in
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
      }, uniquingKeysWith: { $1 })
  }

  /// Returns a value; nil where it was not given.
  public subscript(name: String) -> String? { values[name] }

  /// Returns a required value.
  ///
  /// - Throws: `options.missing`.
  public func text(_ name: String) throws -> String {
    guard let value = values[name] else { throw LunaraError("options.missing", "\(name)=… is missing.") }
    return value
  }

  /// Returns a whole number; `other` where none was given.
  public func number(_ name: String, else other: Int = 0) -> Int { values[name].flatMap { Int($0) } ?? other }

  /// The id of this process's node.
  ///
  /// - Throws: `options.missing`, `options.badNode`.
  public func node() throws -> NodeID {
    guard let id = NodeID(try text("node")) else { throw LunaraError("options.badNode", "node=… names no node.") }
    return id
  }
}
