import Glibc

extension Files {
  /// The folder a file lies in, as its path says: `.` for a plain name.
  public static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last part of a path.
  public static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// A path from the root of the file system, without `.`, `..` and doubled or final slashes. Nothing is read from the
  /// disk.
  ///
  /// With `folder`: the folder in which a relative path begins.
  public static func absolute(_ path: String, in folder: String) -> String {
    var parts: [Substring] = []
    for part in (path.hasPrefix("/") ? path : "\(folder)/\(path)").split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// The names in a folder, sorted, without `.` and `..`. Names that are no UTF-8 are shown with replacement
  /// characters; `FolderReader` gives their bytes.
  public static func names(in folder: String) throws(Errno) -> [String] {
    var names: [String] = []
    let reader = try FolderReader(folder)
    while let entry = try reader.next() { names.append(String(decoding: entry.name, as: UTF8.self)) }
    return names.sorted()
  }

  /// Makes a folder and all that are missing above it. One that is there is no error.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - mode: the mode of those that are made, less the process's umask.
  ///   - owner: the user and group that those get which the superuser makes.
  public static func makeFolder(
    _ path: String, mode: UInt32 = 0o700, owner: (user: UInt32, group: UInt32)? = nil
  ) throws(Errno) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/\(part)"
      if mkdir(made, mode) == 0 {
        if let owner, geteuid() == 0, lchown(made, owner.user, owner.group) != 0 { throw .current }
        continue
      }
      // The folder may exist even if the system refuses first, on a read-only disk for example.
      let error = Errno.current
      if error != .fileExists, access(made, F_OK) != 0 { throw error }
    }
  }

  /// Makes a folder with mode 0700 whose path is `beginning` and six random characters. Returns its path.
  public static func makeTemporaryFolder(_ beginning: String) throws(Errno) -> String {
    var name = Array((beginning + String(repeating: "X", count: 6)).utf8CString)
    guard mkdtemp(&name) != nil else { throw .current }
    return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes a file, or a folder with all in it. Symbolic links are removed, never followed. What is not there is no
  /// error.
  public static func removeTree(_ path: String) throws(Errno) {
    if unlink(path) == 0 { return }
    let error = Errno.current
    if error == .noSuchFileOrDirectory { return }
    guard error == .isDirectory || error == .notPermitted else { throw error }
    for name in try names(in: path) { try removeTree("\(path)/\(name)") }
    guard rmdir(path) == 0 else { throw .current }
  }

  /// Removes a file. One that is not there is no error.
  public static func removeFile(_ path: String) throws(Errno) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .current }
  }
}
