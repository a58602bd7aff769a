import Glibc

/// Reads the entries of one folder, in the order in which the file system gives them.
public final class FolderReader {
  /// An entry of a folder.
  public struct Entry: Sendable {
    /// The bytes of its name, which need be no UTF-8.
    public var name: [UInt8]
    /// Its kind; nil where the file system does not say it while listing: then `status(of:followingLinks:)` does.
    public var kind: FileStatus.Kind?
  }

  private let stream: OpaquePointer

  /// Opens a folder.
  public init(_ path: some SystemPath) throws(Errno) {
    let descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .current }
    guard let stream = fdopendir(descriptor) else {
      let error = Errno.current
      close(descriptor)
      throw error
    }
    self.stream = stream
  }

  deinit { closedir(stream) }

  /// The next entry, without `.` and `..`; nil at the end.
  public func next() throws(Errno) -> Entry? {
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw .current }
        return nil
      }
      // The tuple has 256 bytes, and the entry may have fewer: nothing behind the NUL that ends the name is read.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in Array(bytes.prefix { $0 != 0 }) }
      if name == [46] || name == [46, 46] { continue }
      return Entry(name: name, kind: Self.kind(entry.pointee.d_type))
    }
  }

  /// The status of an entry.
  ///
  /// With `followingLinks`: true for the file that a symbolic link leads to, false for the link itself.
  public func status(of name: [UInt8], followingLinks: Bool) throws(Errno) -> FileStatus {
    let name = name.map { CChar(bitPattern: $0) } + [0]
    return try FileStatus { fstatat(dirfd(stream), name, &$0, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW) }
  }

  /// The status of the folder itself.
  public func status() throws(Errno) -> FileStatus { try FileStatus { fstat(dirfd(stream), &$0) } }

  /// Translates the numbers of dirent.h, which are an anonymous enumeration in C.
  private static func kind(_ type: UInt8) -> FileStatus.Kind? {
    switch type {
    case 0: nil
    case 4: .folder
    case 8: .regular
    case 10: .symbolicLink
    default: .other
    }
  }
}
