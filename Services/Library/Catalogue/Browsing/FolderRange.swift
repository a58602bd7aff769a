import Storage
import System
import Text

/// The folders at a path and below it, as a condition on folders `d` that an index answers.
package struct FolderRange {
  private let path: [UInt8]
  private let column: String

  /// Makes the range of an absolute path without a final slash.
  package init(_ path: [UInt8]) { self.init(path, in: "path") }

  private init(_ path: [UInt8], in column: String) {
    self.path = path
    self.column = column
  }

  /// Returns the range of a path by the column in whose order folders are listed; its values are keys.
  static func inOrder(_ path: [UInt8]) -> FolderRange { FolderRange(NaturalOrder.key(of: path), in: "sort") }

  package var condition: String { "(d.\(column) = ? OR (d.\(column) > ? AND d.\(column) < ?))" }

  /// The path, and the bounds of the paths of everything below it.
  var values: [(any SQLBindable)?] { [path, lower, upper] }

  /// The path with a final slash, which is before all paths below it.
  package var lower: [UInt8] { path == [UInt8(ascii: "/")] ? path : path + [UInt8(ascii: "/")] }

  /// The first path behind all paths below it.
  package var upper: [UInt8] { Array(lower.dropLast()) + [UInt8(ascii: "/") + 1] }
}
