import Glibc
import Model

/// What is done with files for a backup. Every file and folder made here is for its owner alone.
enum BackupFiles {
  /// The files of a folder by their names, sorted; links and folders are left out. None where there is no folder.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if isFile("\(folder)/\(name)") { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether a path is a plain file.
  static func isFile(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether a path is a symbolic link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Whether there is anything at a path.
  static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// The folder a file lies in.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes a folder with all above it.
  ///
  /// - Parameter owner: who gets what is made, where the superuser makes it.
  static func make(_ path: String, owner: (uid_t, gid_t)? = nil) throws {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/\(part)"
      if mkdir(made, 0o700) != 0 {
        guard errno == EEXIST else { throw failure(path) }
      } else if let owner, geteuid() == 0, lchown(made, owner.0, owner.1) != 0 {
        throw failure(path)
      }
    }
  }

  /// Makes a folder of a name that nothing else has, and that begins so.
  static func makeTemporary(_ beginning: String) throws -> String {
    var name = Array((beginning + String(repeating: "X", count: 6)).utf8CString)
    guard mkdtemp(&name) != nil else { throw failure(beginning) }
    return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The bytes of a small file.
  ///
  /// - Throws: `backup.cannotRead`.
  static func bytes(of path: String) throws -> [UInt8] {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard number >= 0 else {
      throw LunaraError(
        "backup.cannotRead", "\(path) cannot be read. Check its owner and mode.",
        cause: String(cString: strerror(errno)))
    }
    let file = Descriptor(owning: number)
    var status = stat()
    var bytes: [UInt8] = []
    while case .bytes(let more) = file.read(upTo: 65_536) { bytes += more }
    // A disk that fails ends it as well.
    guard fstat(number, &status) == 0, bytes.count == status.st_size else {
      throw LunaraError("backup.cannotRead", "\(path) could not be read to its end. Check its disk, and try again.")
    }
    return bytes
  }

  /// Writes a file, durably and wholly or not at all, in the place of one that may be there.
  ///
  /// - Parameter owner: who gets it, where the superuser writes it.
  static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600, owner: (uid_t, gid_t)? = nil) throws {
    let (partial, file) = try makeFile("new", for: path)
    var isMoved = false
    defer { if !isMoved { unlink(partial) } }
    let number = file.number
    if let owner, geteuid() == 0, fchown(number, owner.0, owner.1) != 0 { throw failure(path) }
    // The mode comes after the owner: another owner takes bits away.
    guard fchmod(number, mode) == 0, Descriptor.write(bytes, to: number), fsync(number) == 0 else {
      throw failure(path)
    }
    file.close()
    try move(partial, to: path)
    isMoved = true
  }

  /// Makes a file beside another one, of a name that nothing else has and nobody knows before.
  static func makeFile(_ purpose: String, for path: String) throws -> (path: String, file: Descriptor) {
    var name = Array("\(path).\(purpose)-\(String(repeating: "X", count: 6))".utf8CString)
    let number = mkstemp(&name)
    guard number >= 0, fcntl(number, F_SETFD, FD_CLOEXEC) == 0 else { throw failure(path) }
    return (String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self), Descriptor(owning: number))
  }

  /// Gives a file another name, which nothing has yet.
  ///
  /// - Throws: `backup.fileThere`, `backup.cannotWrite`.
  static func publish(_ path: String, as other: String) throws {
    let isThere = LunaraError("backup.fileThere", "\(other) is there already. Name a file that is not.")
    if link(path, other) == 0 {
      unlink(path)
      return
    }
    if errno == EEXIST { throw isThere }
    // Some file systems, such as those of memory sticks, have no links: there the name is taken first.
    let number = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw errno == EEXIST ? isThere : failure(other) }
    close(number)
    do { try move(path, to: other) } catch {
      unlink(other)
      throw error
    }
  }

  /// Where a file is that may be a link to it. What is not there, and no link, is where it would be.
  ///
  /// - Throws: `backup.cannotRead` for a link that leads nowhere.
  static func resolved(_ path: String) throws -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    let error = errno
    guard isLink(path) else { return path }
    throw LunaraError(
      "backup.cannotRead", "\(path) is a link that leads nowhere. Mend it or remove it.",
      cause: String(cString: strerror(error)))
  }

  /// Who has the folder of a file, or where that is missing the one above it that is there.
  static func owner(around path: String) -> (uid_t, gid_t)? {
    var (folder, status) = (folder(of: path), stat())
    while stat(folder, &status) != 0 {
      guard folder.count > 1 else { return nil }
      folder = Self.folder(of: folder)
    }
    return (status.st_uid, status.st_gid)
  }

  /// Gives a file or folder another name on the same file system.
  static func move(_ path: String, to other: String) throws {
    guard rename(path, other) == 0 else { throw failure(other) }
  }

  /// Has a file's or folder's contents survive a power cut.
  static func sync(_ path: String) throws {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard number >= 0 else { throw failure(path) }
    defer { close(number) }
    // Some file systems cannot sync folders, and need not.
    guard fsync(number) == 0 || errno == EINVAL else { throw failure(path) }
  }

  /// Gives files to the owner of a folder, where the superuser made them.
  static func give(_ paths: [String], toOwnerOf folder: String) throws {
    var status = stat()
    guard geteuid() == 0, stat(folder, &status) == 0 else { return }
    for path in paths where lchown(path, status.st_uid, status.st_gid) != 0 { throw failure(path) }
  }

  static func failure(_ path: String) -> LunaraError {
    let error = errno
    let remedy = error == ENOSPC ? "The disk is full: make room." : "Check the folder's owner and mode."
    return LunaraError(
      "backup.cannotWrite", "\(path) cannot be written. \(remedy)", cause: String(cString: strerror(error)))
  }

  /// A size as people say it.
  static func spoken(_ size: Int64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    var (value, unit) = (Double(size), 0)
    while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1024, unit + 1) }
    let text = value < 10 && unit > 0 ? "\((value * 10).rounded() / 10)" : "\(Int64(value.rounded()))"
    return "\(text) \(units[unit])"
  }
}
