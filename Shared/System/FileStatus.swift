public import Glibc

/// The facts that stat(2) tells of a file.
public struct FileStatus: Hashable, Sendable {
  /// The kinds of files that are told apart.
  public enum Kind: Hashable, Sendable {
    case regular
    case folder
    case symbolicLink
    /// A pipe, a socket or a device.
    case other
  }

  /// Its kind.
  public var kind: Kind
  /// Its length in bytes.
  public var size: Int64
  /// The lower twelve bits of its mode.
  public var mode: UInt32
  /// The number of the user who owns it.
  public var owner: UInt32
  /// The number of the group it belongs to.
  public var group: UInt32
  /// The number of the file system it is on.
  public var device: UInt64
  /// Its number on that file system.
  public var inode: UInt64
  /// The nanoseconds from 1970 to its last change of contents.
  public var modified: Int64
  /// The nanoseconds from 1970 to its last use, as far as the file system keeps that.
  public var accessed: Int64

  /// Reads the facts of the file at a path.
  ///
  /// With `followingLinks`: true for the file that a symbolic link leads to, false for the link itself.
  public init(_ path: some SystemPath, followingLinks: Bool) throws(Errno) {
    try self.init { fstatat(AT_FDCWD, path.cString, &$0, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW) }
  }

  /// Reads the facts of an open file.
  public init(of descriptor: Descriptor) throws(Errno) { try self.init { fstat(descriptor.number, &$0) } }

  /// Reads the facts with a C function that returns 0 on success.
  init(_ read: (inout stat) -> Int32) throws(Errno) {
    var status = stat()
    guard read(&status) == 0 else { throw .current }
    self.init(status)
  }

  public init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      case S_IFLNK: .symbolicLink
      default: .other
      }
    size = Int64(status.st_size)
    mode = status.st_mode & 0o7777
    (owner, group) = (status.st_uid, status.st_gid)
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    modified = Self.nanoseconds(status.st_mtim)
    accessed = Self.nanoseconds(status.st_atim)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// True where both are the same file, whatever its names.
  public func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
