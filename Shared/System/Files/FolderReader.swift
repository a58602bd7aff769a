import Glibc
import Synchronization

/// Reads the entries of a folder in the order of the file system.
public final class FolderReader {
  /// An entry of a folder.
  public struct Entry: Sendable {
    /// The bytes of the name, which need not be UTF-8.
    public var name: [UInt8]
    /// The kind; nil if the file system does not list it, so that `status(of:followingLinks:)` has to read it.
    public var kind: FileStatus.Kind?
  }

  private let stream: OpaquePointer
  private let answered: @Sendable () -> Void

  /// Opens a folder.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - answered: called when the file system has answered a request.
  public init(_ path: some SystemPath, answered: @escaping @Sendable () -> Void = {}) throws(Errno) {
    self.answered = answered
    let descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .current }
    guard let stream = fdopendir(descriptor) else {
      let error = Errno.current
      close(descriptor)
      throw error
    }
    self.stream = stream
    answered()
  }

  deinit { closedir(stream) }

  /// Returns the next entry, without `.` and `..`; nil at the end.
  public func next() throws(Errno) -> Entry? {
    while true {
      errno = 0
      let next = readdir(stream)
      answered()
      guard let entry = next else {
        guard errno == 0 else { throw .current }
        return nil
      }
      // The entry may be shorter than the 256 bytes of the tuple: nothing after the NUL is read.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in Array(bytes.prefix { $0 != 0 }) }
      if name == [46] || name == [46, 46] { continue }
      return Entry(name: name, kind: Self.kind(entry.pointee.d_type))
    }
  }

  /// Reads the status of an entry.
  ///
  /// - Parameters:
  ///   - name: the entry's name.
  ///   - followingLinks: true for the file that a symbolic link leads to, false for the link itself.
  public func status(of name: [UInt8], followingLinks: Bool) throws(Errno) -> FileStatus {
    let name = name.map { CChar(bitPattern: $0) } + [0]
    defer { answered() }
    return try FileStatus { fstatat(dirfd(stream), name, &$0, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW) }
  }

  /// Reads the status of entries, not following links, of several at once. An entry that is gone has none.
  ///
  /// - Parameters:
  ///   - names: the entries' names.
  ///   - width: the most requests at once.
  public func statuses(of names: [[UInt8]], width: Int) -> [[UInt8]: FileStatus] {
    let folder = dirfd(stream)
    let found = Mutex<[[UInt8]: FileStatus]>([:])
    // The folder stays open: the calls end before this function does.
    BlockingThreads.concurrently(names.count, width: width) { [answered] number in
      let name = names[number]
      defer { answered() }
      do throws(Errno) {
        let path = name.map { CChar(bitPattern: $0) } + [0]
        let status = try FileStatus { fstatat(folder, path, &$0, AT_SYMLINK_NOFOLLOW) }
        found.withLock { $0[name] = status }
      } catch {
        // The entry is gone by now.
      }
    }
    return found.withLock(\.self)
  }

  /// Reads the status of the folder itself.
  public func status() throws(Errno) -> FileStatus { try FileStatus { fstat(dirfd(stream), &$0) } }

  /// Converts the `DT_` constants of dirent.h, which Swift cannot import.
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
