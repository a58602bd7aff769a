import Glibc

extension Files {
  /// Returns the part of a path before its last slash: the folder of the file; `.` if there is no slash.
  public static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the last part of a path.
  public static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Returns an absolute path without `.`, `..` and doubled or final slashes. Nothing is read from the disk.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - folder: the folder to which a relative path is relative.
  public static func absolute(_ path: String, in folder: String) -> String {
    var parts: [Substring] = []
    for part in (path.hasPrefix("/") ? path : "\(folder)/\(path)").split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Returns the names in a folder, sorted, without `.` and `..`. Bytes that are not UTF-8 are replaced; `FolderReader`
  /// returns the bytes.
  public static func names(in folder: String) throws(Errno) -> [String] {
    var names: [String] = []
    let reader = try FolderReader(folder)
    while let entry = try reader.next() { names.append(String(decoding: entry.name, as: UTF8.self)) }
    return names.sorted()
  }

  /// Creates a folder and all missing ones above it. An existing folder is no error.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - mode: the mode of the folders that are created, from which the process's umask is taken away.
  ///   - owner: the user and group of the folders that are created; only used if this process is root.
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
      // Any error may come before the check that the folder exists, for example that of a read-only disk.
      let error = Errno.current
      if error != .fileExists, access(made, F_OK) != 0 { throw error }
    }
  }

  /// Creates a folder with mode 0700 whose path is `beginning` and six random characters. Returns its path.
  public static func makeTemporaryFolder(_ beginning: String) throws(Errno) -> String {
    var name = Array((beginning + String(repeating: "X", count: 6)).utf8CString)
    guard mkdtemp(&name) != nil else { throw .current }
    return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes a file, or a folder with its contents. Symbolic links are removed and never followed. A missing file is no
  /// error.
  public static func removeTree(_ path: String) throws(Errno) {
    if unlink(path) == 0 { return }
    let error = Errno.current
    if error == .noSuchFileOrDirectory { return }
    guard error == .isDirectory || error == .notPermitted else { throw error }
    for name in try names(in: path) { try removeTree("\(path)/\(name)") }
    guard rmdir(path) == 0 else { throw .current }
  }

  /// Removes a file. A missing file is no error.
  public static func removeFile(_ path: String) throws(Errno) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .current }
  }
}
