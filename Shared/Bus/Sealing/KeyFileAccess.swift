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

/// Who may read a key file, as its owner, group and mode say.
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

  /// Whether a group stands for a service and not for people: Debian numbers those below 1000, but 100 is `users`.
  private static func isSystemGroup(_ group: UInt32) -> Bool { group < 1000 && group != 100 }

  /// Why the file must not be used by a user; nil where it may.
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
