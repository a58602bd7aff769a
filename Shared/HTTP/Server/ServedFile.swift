import Glibc
import Model

/// A regular file that is open to be sent.
struct ServedFile {
  /// Open for reading; whoever has it closes it.
  let descriptor: Int32
  /// Its length in bytes.
  let length: UInt64
  /// When it was changed, in seconds since 1970.
  let modified: Int
  /// An entity tag that changes with the file: its inode, length and time of change.
  let tag: String

  private let nanoseconds: UInt64

  /// Whether it still has the length and the time of change that it had when it was opened.
  var isUnchanged: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && UInt64(status.st_size) == length
      && Self.nanoseconds(status) == nanoseconds
  }

  /// Whether it has a name.
  var isLinked: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  private static func nanoseconds(_ status: stat) -> UInt64 {
    UInt64(bitPattern: Int64(status.st_mtim.tv_sec)) &* 1_000_000_000 &+ UInt64(status.st_mtim.tv_nsec)
  }

  /// Opens a file; nil where there is none that can be read.
  init?(_ path: LocalPath) {
    // A fifo must not block the server's one thread.
    let descriptor = open(
      path.bytes.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0 else { return nil }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    length = UInt64(status.st_size)
    modified = status.st_mtim.tv_sec
    nanoseconds = Self.nanoseconds(status)
    tag = "\"\(String(status.st_ino, radix: 36))-\(String(length, radix: 36))-\(String(nanoseconds, radix: 36))\""
  }
}
