import Storage
import System

/// The folders at a path and below it, as a condition on folders `d` that an index answers.
package struct FolderRange {
  private let path: [UInt8]

  /// Makes the range of an absolute path without a final slash.
  package init(_ path: [UInt8]) { self.path = path }

  package let condition = "(d.path = ? OR (d.path > ? AND d.path < ?))"

  /// The path, and the bounds of the paths of everything below it.
  var values: [(any SQLBindable)?] { [path, lower, upper] }

  /// The path with a final slash, which is before all paths below it.
  package var lower: [UInt8] { path == [UInt8(ascii: "/")] ? path : path + [UInt8(ascii: "/")] }

  /// The first path behind all paths below it.
  package var upper: [UInt8] { Array(lower.dropLast()) + [UInt8(ascii: "/") + 1] }
}
