import Bus
import Glibc
import Messages
import Model
import Storage
import Synchronization

/// The music in folders of this host.
struct FilesSource: Sendable {
  /// Its name, the first part of its ids.
  static let name = "files"
  static let kind = "files"
  /// The description of this kind of source. The library itself makes its only source.
  static let descriptor = SourceDescriptor(
    Library.SourceKind(
      kind: kind, title: "Folders", hint: "Folders of music on the machine that runs the library.",
      settings: [
        .init(
          key: "address", title: "Folder", meaning: "the folder's whole path on that machine", name: "LUNARA_MUSIC",
          isRequired: true)
      ], capabilities: [.notifications]))
  /// The number of threads that read, each with a tag reader of its own: most of them wait for the disk, and two keep
  /// the processor busy.
  private static let readers = 4

  let database: Database
  let journal: Journal?
  let folders: MusicFolders
  let tagReaders: TagReaders
  /// The watcher to which each refresh gives the folders; nil where nothing watches them.
  var watch: FolderWatch?
  let now: @Sendable () -> Timestamp
}

extension Duration {
  /// The number of seconds, to the millisecond.
  var inSeconds: Double { (self / .milliseconds(1)).rounded(.towardZero) / 1000 }
}

/// The music folders: those of the settings, and those that a person added while Lunara runs. The list changes, so it
/// is read anew for each use.
final class MusicFolders: Sendable {
  /// The folders of the settings, as `normalised` returns them.
  let fromSettings: [[UInt8]]
  private let ofPerson = Mutex<[[UInt8]]>([])

  init(_ fromSettings: [[UInt8]]) { self.fromSettings = fromSettings }

  /// The folders that a person added, in that order.
  var added: [[UInt8]] {
    get { ofPerson.withLock { $0 } }
    set { ofPerson.withLock { $0 = newValue } }
  }

  /// All folders that are scanned; none is within another.
  var all: [[UInt8]] { Self.outermost(fromSettings + added) }

  /// All folders that are scanned, as paths.
  var paths: [LocalPath] { all.map { LocalPath(bytes: $0) } }

  /// Every folder that was chosen, also one within another.
  var chosen: [[UInt8]] { fromSettings + added.filter { !fromSettings.contains($0) } }

  /// Normalises paths: absolute, without `.`, doubled or final slashes, and without those within others. Symbolic links
  /// are not followed, so that a folder whose target is gone keeps its name.
  static func normalised(_ paths: [LocalPath], workingDirectory: [UInt8]) -> [[UInt8]] {
    outermost(
      paths.filter { !$0.bytes.isEmpty }.map { path in
        plain(path.bytes.first == slash ? path.bytes : FilePath.join(workingDirectory, path.bytes))
      })
  }

  /// Returns an absolute path without `.`, doubled or final slashes.
  static func plain(_ path: [UInt8]) -> [UInt8] {
    let parts = path.split(separator: slash).filter { Array($0) != [UInt8(ascii: ".")] }
    return parts.isEmpty ? [slash] : parts.flatMap { [slash] + $0 }
  }

  /// Returns the path of a folder as a person gives it: an absolute path, or a `file:` URL for a name that is not
  /// UTF-8; nil for anything else.
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
