import Glibc
import Model

/// The few things that are done with files and folders here.
enum Folders {
  /// A path as it is from the root of the file system, without `.`, `..` and doubled or final slashes; `folder` is where
  /// relative ones begin.
  static func absolute(_ path: String, in folder: String) -> String {
    var parts: [Substring] = []
    for part in (path.hasPrefix("/") ? path : "\(folder)/\(path)").split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Makes a folder with all above it.
  static func make(_ path: String) throws {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/\(part)"
      if mkdir(made, 0o755) != 0, errno != EEXIST { throw failure("make", path) }
    }
  }

  /// Writes a small file.
  static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "we") else { throw failure("write", path) }
    let count = fputs(text, file)
    guard fclose(file) == 0, count >= 0 else { throw failure("write", path) }
  }

  /// The text of a small file; nil where it cannot be read.
  static func text(of path: String) -> String? {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0, case .bytes(let bytes) = Descriptor(owning: number).read(upTo: 4096) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Gives a file or folder another name.
  static func move(_ path: String, to other: String) throws {
    guard rename(path, other) == 0 else { throw failure("rename", path) }
  }

  /// Removes a file, or a folder with all in it; links are removed, never followed. What is not there is no error.
  static func remove(_ path: String) throws {
    if unlink(path) == 0 || errno == ENOENT { return }
    guard errno == EISDIR || errno == EPERM, let folder = opendir(path) else { throw failure("remove", path) }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { try remove("\(path)/\(name)") }
    }
    guard rmdir(path) == 0 else { throw failure("remove", path) }
  }

  private static func failure(_ verb: String, _ path: String) -> LunaraError {
    let error = errno
    let remedy = error == ENOSPC ? "The disk is full: make room." : "Check the folder's owner and mode."
    return LunaraError("demo.cannotWrite", "Cannot \(verb) \(path). \(remedy)", cause: String(cString: strerror(error)))
  }
}
