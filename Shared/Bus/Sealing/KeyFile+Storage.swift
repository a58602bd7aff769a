import Glibc
import Model
import System

enum KeyFileAccess {
  /// Returns the bytes of a key file, after a check of its owner, group and mode.
  ///
  /// - Throws: `bus.noKeyFile`, `bus.unsafeKeyFile`, `bus.badKeyFile`.
  static func contents(of path: String) throws -> [UInt8] {
    // The file is opened without blocking, in case it is a pipe, and checked through the descriptor, so that it cannot
    // be replaced between the check and the reading.
    let file: Descriptor
    let status: FileStatus
    do throws(Errno) {
      file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      status = try file.status()
    } catch {
      if error.isMissingFile { throw missing(path) }
      throw error == .tooManySymbolicLinkLevels ? unsafe(path, "it is a symbolic link") : unreadable(path, error)
    }
    let right = KeyFilePermissions(
      isFile: status.kind == .regular, owner: status.owner, group: status.group, mode: status.mode)
    if let reason = right.problem(forUser: geteuid()) { throw unsafe(path, reason) }
    // One byte more than allowed, to notice larger files. The buffer never grows, as that would leave copies behind.
    var bytes = [UInt8](repeating: 0, count: KeyFile.sizeLimit + 1)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { read(file.number, $0.baseAddress.map { $0 + count }, $0.count - count) }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw unreadable(path, .current) }
      if got == 0 { break }
      count += got
    }
    guard count <= KeyFile.sizeLimit else {
      throw LunaraError("bus.badKeyFile", "The key file \(path) is larger than 64 KiB, so it is no key file.")
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

  private static func unsafe(_ path: String, _ reason: String) -> LunaraError {
    LunaraError(
      "bus.unsafeKeyFile",
      "The key file \(path) is not used: \(reason). It must be a file of your own with mode 0600, or, for a system install, one with mode 0640 and a system group."
    )
  }

  private static func unreadable(_ path: String, _ error: Errno) -> LunaraError {
    LunaraError(
      "bus.badKeyFile", "The key file \(path) cannot be read. Check its owner and mode.", cause: error)
  }
}

/// The permissions of a key file: its owner, group and mode.
struct KeyFilePermissions: Hashable, Sendable {
  var isFile = true
  var owner: UInt32
  var group: UInt32
  /// The lower twelve bits.
  var mode: UInt32

  /// Returns true if a group is one of a service and not of people: Debian numbers those below 1000, but 100 is
  /// `users`.
  private static func isSystemGroup(_ group: UInt32) -> Bool { group < 1000 && group != 100 }

  /// Returns the reason why a user must not use the file; nil if it may be used.
  func problem(forUser user: UInt32) -> String? {
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

/// Writing key files: atomically, and never readable by others, not even while they are written.
extension KeyFile {
  /// The comment at the top of a new file.
  public static let headerComment =
    "# The household's keys: the first seals, all of them open. Whoever reads this file is in."

  /// Creates the file with mode 0600, and its folder with mode 0700.
  ///
  /// - Throws: `bus.keyFileThere` if the file exists, which is not changed; `bus.keyFileUnwritable`.
  public func create(at path: String) throws {
    do throws(Errno) {
      try Files.makeFolder(Files.folder(of: path))
      try write(to: path, .init(isExclusive: true))
    } catch {
      guard error == .fileExists else { throw Self.unwritable(path, error) }
      throw LunaraError(
        "bus.keyFileThere",
        "There is a file \(path) already, and it is left alone. `lunara key rotate` changes the key; move the file away to start over."
      )
    }
  }

  /// Replaces the keys in a file; owner, group and mode stay as they are, without rights beyond 0640.
  ///
  /// - Throws: `bus.keyFileUnwritable`; the file is not changed then.
  public func replace(at path: String) throws {
    do throws(Errno) {
      let status = try FileStatus(path, followingLinks: false)
      try write(to: path, .init(mode: status.mode & 0o640, owner: (user: status.owner, group: status.group)))
    } catch {
      throw Self.unwritable(path, error)
    }
  }

  /// Returns the mode of a file in the usual form, such as `0600`.
  ///
  /// - Throws: `bus.noKeyFile`.
  public static func mode(of path: String) throws -> String {
    guard let status = Files.status(path, followingLinks: false) else { throw KeyFileAccess.missing(path) }
    return "0" + String(status.mode, radix: 8)
  }

  private func write(to path: String, _ options: Files.WriteOptions) throws(Errno) {
    try Files.replace(path, options) { (file) throws(Errno) in
      var failure: Errno?
      withText { text in
        do throws(Errno) { try file.write(text) } catch { failure = error }
      }
      if let failure { throw failure }
    }
  }

  private static func unwritable(_ path: String, _ error: Errno) -> LunaraError {
    let remedy = error == .noSpace ? "The disk is full: make room." : "Check the folder's owner and mode."
    return LunaraError(
      "bus.keyFileUnwritable", "The key file \(path) cannot be written. \(remedy)",
      cause: error)
  }
}
