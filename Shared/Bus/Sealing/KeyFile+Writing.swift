import Glibc
import Model

/// Writing key files: whole or not at all, and never readable by others, not even while they are made.
extension KeyFile {
  /// What a new file says of itself.
  public static let remark = "# The household's keys: the first seals, all of them open. Whoever reads this file is in."

  /// Makes a file with mode 0600, and the folder it lies in with mode 0700.
  ///
  /// - Throws: `bus.keyFileThere` where there is one, which stays as it is; `bus.keyFileUnwritable`.
  public func create(at path: String) throws {
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex { try Self.makeFolder(String(path[..<slash])) }
    let temporary = try write(beside: path, mode: 0o600, group: nil)
    defer { unlink(temporary) }
    // A link fails where there is a file of that name; a rename would replace it.
    guard link(temporary, path) == 0 else {
      guard errno != EEXIST else {
        throw LunaraError(
          "bus.keyFileThere",
          "There is a file \(path) already, and it is left alone. `lunara key rotate` changes the key; move the file away to start over."
        )
      }
      throw Self.unwritable(path)
    }
    try Self.syncFolder(of: path)
  }

  /// Puts these keys in the place of those in a file; owner, group and mode stay as they are.
  ///
  /// - Throws: `bus.keyFileUnwritable`, and the file is as it was.
  public func replace(at path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw Self.unwritable(path) }
    let temporary = try write(beside: path, mode: status.st_mode & 0o640, group: status.st_gid, owner: status.st_uid)
    guard rename(temporary, path) == 0 else {
      let failure = Self.unwritable(path)
      unlink(temporary)
      throw failure
    }
    try Self.syncFolder(of: path)
  }

  /// The mode of a file as people write it: `0600`.
  ///
  /// - Throws: `bus.noKeyFile`.
  public static func mode(of path: String) throws -> String {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw KeyFileAccess.missing(path) }
    return "0" + String(status.st_mode & 0o7777, radix: 8)
  }

  private func write(beside path: String, mode: mode_t, group: gid_t?, owner: uid_t? = nil) throws -> String {
    let temporary = "\(path).\(StartNonce.random().text.prefix(8))"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.unwritable(path) }
    let isWritten = withText { text in
      var count = 0
      while count < text.count, let base = text.baseAddress {
        let wrote = Glibc.write(descriptor, base + count, text.count - count)
        if wrote < 0, errno == EINTR { continue }
        guard wrote > 0 else { return false }
        count += wrote
      }
      return true
    }
    // The group before the mode, so that no other group can read it in between. Synced before it has its name.
    guard isWritten, group.map({ fchown(descriptor, owner ?? geteuid(), $0) == 0 }) ?? true,
      fchmod(descriptor, mode) == 0, fsync(descriptor) == 0
    else {
      let failure = Self.unwritable(path)
      close(descriptor)
      unlink(temporary)
      throw failure
    }
    close(descriptor)
    return temporary
  }

  private static func makeFolder(_ path: String) throws {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/\(part)"
      if mkdir(made, 0o700) != 0, errno != EEXIST, access(made, F_OK) != 0 { throw unwritable(path) }
    }
  }

  private static func syncFolder(of path: String) throws {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unwritable(path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw unwritable(path) }
  }

  private static func unwritable(_ path: String) -> LunaraError {
    let error = errno
    let remedy = error == ENOSPC ? "The disk is full: make room." : "Check the folder's owner and mode."
    return LunaraError(
      "bus.keyFileUnwritable", "The key file \(path) cannot be written. \(remedy)",
      cause: String(cString: strerror(error)))
  }
}
