import Glibc
import Model
import Storage
import Synchronization

/// The music folders: those that the settings name, and those that a person added while Lunara runs. Whoever looks into
/// them asks each time which there are.
final class MusicFolders: Sendable {
  /// Those of the settings, as `normalised` gives them.
  let fromSettings: [[UInt8]]
  private let ofPerson = Mutex<[[UInt8]]>([])

  init(_ fromSettings: [[UInt8]], added: [[UInt8]] = []) {
    self.fromSettings = fromSettings
    ofPerson.withLock { $0 = added }
  }

  /// Those that a person added, in the order they came.
  var added: [[UInt8]] {
    get { ofPerson.withLock { $0 } }
    set { ofPerson.withLock { $0 = newValue } }
  }

  /// All folders that are looked through, none of which lies within another.
  var all: [[UInt8]] { Self.outermost(fromSettings + added) }

  /// Every folder that was chosen, also one within another.
  var chosen: [[UInt8]] { fromSettings + added.filter { !fromSettings.contains($0) } }

  /// Puts paths into one form: absolute, without `.`, doubled or final slashes. Symbolic links stay as they are, so
  /// that a folder whose target is gone keeps its name.
  static func normalised(_ paths: [LocalPath], workingDirectory: [UInt8]) -> [[UInt8]] {
    outermost(
      paths.filter { !$0.bytes.isEmpty }.map { path in
        plain(path.bytes.first == slash ? path.bytes : FilePath.join(workingDirectory, path.bytes))
      })
  }

  /// An absolute path without `.`, doubled or final slashes.
  static func plain(_ path: [UInt8]) -> [UInt8] {
    let parts = path.split(separator: slash).filter { Array($0) != [UInt8(ascii: ".")] }
    return parts.isEmpty ? [slash] : parts.flatMap { [slash] + $0 }
  }

  /// The folder that a person means by a text: an absolute path, or a `file:` URL for a name that is no text; nil for
  /// what is neither.
  static func named(_ text: String) -> [UInt8]? {
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
  static func workingDirectory() -> [UInt8] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&buffer, buffer.count) != nil else { return [slash] }
    return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  }
}
