import Glibc
import Model

/// The music folders a person has set, as absolute paths, none of which lies within another.
enum MusicFolders {
  /// Puts paths into one form: absolute, without `.`, doubled or final slashes. Symbolic links stay as they are, so
  /// that a folder whose target is gone keeps its name.
  static func normalised(_ paths: [LocalPath], workingDirectory: [UInt8]) -> [[UInt8]] {
    let absolute = paths.filter { !$0.bytes.isEmpty }.map { path in
      let slash = UInt8(ascii: "/")
      let whole = path.bytes.first == slash ? path.bytes : FilePath.join(workingDirectory, path.bytes)
      let parts = whole.split(separator: slash).filter { Array($0) != [UInt8(ascii: ".")] }
      return parts.isEmpty ? [slash] : parts.flatMap { [slash] + $0 }
    }
    var kept: [[UInt8]] = []
    for path in absolute {
      let others = absolute.filter { $0 != path }
      if !kept.contains(path), !others.contains(where: { FilePath.isWithin(path, $0) }) { kept.append(path) }
    }
    return kept
  }

  /// The folder this process was started in; the root where the kernel does not say.
  static func workingDirectory() -> [UInt8] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&buffer, buffer.count) != nil else { return [UInt8(ascii: "/")] }
    return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  }
}
