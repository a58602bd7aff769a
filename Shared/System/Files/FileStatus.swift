public import Glibc

/// The status of a file (stat(2)).
public struct FileStatus: Hashable, Sendable {
  /// The kinds of files that are distinguished.
  public enum Kind: Hashable, Sendable {
    case regular
    case folder
    case symbolicLink
    /// A pipe, a socket or a device.
    case other
  }

  /// The kind.
  public var kind: Kind
  /// The length in bytes.
  public var size: Int64
  /// The lower twelve bits of the mode.
  public var mode: UInt32
  /// The id of the user who owns the file.
  public var owner: UInt32
  /// The id of the file's group.
  public var group: UInt32
  /// The number of the file system's device.
  public var device: UInt64
  /// The file's number in its file system.
  public var inode: UInt64
  /// The nanoseconds from 1970 to the last change of the contents.
  public var modified: Int64
  /// The nanoseconds from 1970 to the last change of the contents or of the status, which no program can set.
  public var changed: Int64
  /// The nanoseconds from 1970 to the last access, if the file system records it.
  public var accessed: Int64

  /// Reads the status of the file at a path.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - followingLinks: true for the file that a symbolic link leads to, false for the link itself.
  public init(_ path: some SystemPath, followingLinks: Bool) throws(Errno) {
    try self.init { fstatat(AT_FDCWD, path.cString, &$0, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW) }
  }

  /// Reads the status of an open file.
  public init(of descriptor: Descriptor) throws(Errno) { try self.init { fstat(descriptor.number, &$0) } }

  /// Reads the status by a C function that returns 0 on success.
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
    owner = status.st_uid
    group = status.st_gid
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
    accessed = Self.nanoseconds(status.st_atim)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// True if this process belongs to the file's group.
  public var isOfOwnGroup: Bool {
    if group == getegid() { return true }
    var groups = [gid_t](repeating: 0, count: 256)
    let count = getgroups(Int32(groups.count), &groups)
    return count > 0 && groups.prefix(Int(count)).contains(group)
  }

  /// Returns true if both are the same file, even under different names.
  public func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
