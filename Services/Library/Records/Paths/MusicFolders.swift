import Glibc
package import Model
import Synchronization

/// The music folders: those of the settings, and those that a person added while Lunara runs. The list changes, so it
/// is read for each use.
package final class MusicFolders: Sendable {
  /// The name of the source with their music, the first part of its ids, and its kind.
  package static let source = "files"

  /// The folders of the settings, as `normalised` returns them.
  package let fromSettings: [[UInt8]]
  private let ofPerson = Mutex<[[UInt8]]>([])

  package init(_ fromSettings: [[UInt8]]) { self.fromSettings = fromSettings }

  /// The folders that a person added, in that order.
  package var added: [[UInt8]] {
    get { ofPerson.withLock { $0 } }
    set { ofPerson.withLock { $0 = newValue } }
  }

  /// All folders that are scanned; none is within another.
  package var all: [[UInt8]] { Self.outermost(fromSettings + added) }

  /// All folders that are scanned, as paths.
  package var paths: [LocalPath] { all.map { LocalPath(bytes: $0) } }

  /// Every folder that was chosen, also one within another.
  package var chosen: [[UInt8]] { fromSettings + added.filter { !fromSettings.contains($0) } }

  /// Normalises paths: absolute, without `.`, doubled or final slashes, and without those within others. Symbolic links
  /// are not followed, so that a folder whose target is gone keeps its name.
  package static func normalised(_ paths: [LocalPath], workingDirectory: [UInt8]) -> [[UInt8]] {
    outermost(
      paths.filter { !$0.bytes.isEmpty }.map { path in
        plain(path.bytes.first == slash ? path.bytes : FilePath.join(workingDirectory, path.bytes))
      })
  }

  /// Returns an absolute path without `.`, doubled or final slashes.
  package static func plain(_ path: [UInt8]) -> [UInt8] {
    let parts = path.split(separator: slash).filter { Array($0) != [UInt8(ascii: ".")] }
    return parts.isEmpty ? [slash] : parts.flatMap { [slash] + $0 }
  }

  /// Returns the path of a folder as a person gives it: an absolute path, or a `file:` URL for a name that is not
  /// UTF-8; nil for anything else.
  package static func named(_ text: String) -> [UInt8]? {
    let path = LocalPath(url: text) ?? LocalPath(text)
    guard path.bytes.first == slash, !path.bytes.contains(0) else { return nil }
    return plain(path.bytes)
  }

  private static let slash = UInt8(ascii: "/")

  /// Each of these paths once, without those that lie within another.
  private static func outermost(_ paths: [[UInt8]]) -> [[UInt8]] {
    var kept: [[UInt8]] = []
    for path in paths {
      let others = paths.filter { $0 != path }
      if !kept.contains(path), !others.contains(where: { FilePath.isWithin(path, $0) }) { kept.append(path) }
    }
    return kept
  }

  /// The folder this process was started in; the root where the kernel does not say.
  package static func workingDirectory() -> [UInt8] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&buffer, buffer.count) != nil else { return [slash] }
    return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  }
}
