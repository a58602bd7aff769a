import Glibc
import Model

/// Looks whether a key file is safe, reads it and writes it.
enum KeyFileAccess {
  /// The bytes of a file that only those can read who should.
  ///
  /// - Throws: `bus.noKeyFile`, `bus.unsafeKeyFile`, `bus.badKeyFile`.
  static func contents(of path: String) throws -> [UInt8] {
    // Not blocking, as a pipe of that name would; and looked at through the descriptor, so that it cannot be changed
    // for another in between.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR:
        throw missing(path)
      case ELOOP: throw unsafe(path, "it is a symbolic link")
      default: throw unreadable(path)
      }
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path) }
    if let why = KeyFileRight(status).objection(user: geteuid()) { throw unsafe(path, why) }
    // One more than allowed, and room so that nothing grows and leaves a copy behind.
    var bytes = [UInt8](repeating: 0, count: KeyFile.sizeLimit + 1)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count) }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw unreadable(path) }
      if got == 0 { break }
      count += got
    }
    guard count <= KeyFile.sizeLimit else {
      throw LunaraError("bus.badKeyFile", "The key file \(path) is larger than 64 KiB, so it is none.")
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  static func missing(_ path: String) -> LunaraError {
    LunaraError(
      "bus.noKeyFile",
      "There is no key file \(path). `lunara pair` on a machine of the household and `lunara join CODE` here bring it; `lunara key new` makes one for a new household."
    )
  }

  private static func unsafe(_ path: String, _ why: String) -> LunaraError {
    LunaraError(
      "bus.unsafeKeyFile",
      "The key file \(path) is not used: \(why). It must be a file of your own with mode 0600, or, for a system install, one with mode 0640 and a system group."
    )
  }

  private static func unreadable(_ path: String) -> LunaraError {
    LunaraError(
      "bus.badKeyFile", "The key file \(path) cannot be read. Check its owner and mode.",
      cause: String(cString: strerror(errno)))
  }
}

/// The right to read a key file, as its owner, group and mode say.
struct KeyFileRight: Hashable, Sendable {
  var isFile: Bool
  var owner: UInt32
  var group: UInt32
  /// The lower twelve bits.
  var mode: UInt32

  /// Of what `stat` tells.
  init(_ status: stat) {
    self.init(
      isFile: status.st_mode & S_IFMT == S_IFREG, owner: status.st_uid, group: status.st_gid,
      mode: status.st_mode & 0o7777)
  }

  init(isFile: Bool = true, owner: UInt32, group: UInt32, mode: UInt32) {
    self.isFile = isFile
    self.owner = owner
    self.group = group
    self.mode = mode
  }

  /// True if a group stands for a service and not for people: Debian numbers those below 1000, but 100 is `users`.
  private static func isSystemGroup(_ group: UInt32) -> Bool { group < 1000 && group != 100 }

  /// The reason why the file must not be used by a user; nil where it may be.
  func objection(user: UInt32) -> String? {
    let octal = "0" + String(mode, radix: 8)
    guard isFile else { return "it is no plain file" }
    guard owner == user || owner == 0 else { return "it belongs to user \(owner)" }
    guard mode & 0o007 == 0 else { return "others may use it (mode \(octal))" }
    guard mode & ~0o640 == 0 else { return "its mode is \(octal)" }
    guard mode & 0o040 == 0 || Self.isSystemGroup(group) else {
      return "its group \(group), which may read it, is no system group (mode \(octal))"
    }
    return nil
  }
}

/// Writing key files: whole or not at all, and never readable by others, not even while they are made.
extension KeyFile {
  /// The remark at the top of a new file.
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
