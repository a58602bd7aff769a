import Glibc
public import Model
import Synchronization
import System

/// A regular file that is open to be sent, even if it is renamed or replaced meanwhile. Releasing the last reference
/// closes it.
public final class OpenFile: Sendable {
  private let descriptor: Int32
  private let opened: FileStatus
  private let closed = Mutex<(@Sendable () -> Void)?>(nil)

  /// Opens a file; nil if it cannot be read or is not a regular file.
  public init?(_ path: LocalPath) {
    // O_NONBLOCK: opening a fifo must not block.
    descriptor = open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
    opened = FileStatus(status)
  }

  deinit {
    close(descriptor)
    closed.withLock { $0 }?()
  }

  /// The path of the file with all links followed; nil if it has no name any more.
  public var path: LocalPath? {
    var now = stat()
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
    guard count > 0, count < bytes.count, fstat(descriptor, &now) == 0, now.st_nlink > 0 else { return nil }
    return LocalPath(bytes: bytes.prefix(count).map { UInt8(bitPattern: $0) })
  }

  /// Its length in bytes.
  public var length: UInt64 { UInt64(opened.size) }

  /// The moment it was changed, in seconds since 1970.
  var modified: Int { Int(opened.modified / 1_000_000_000) }

  /// An entity tag that changes with the file: its inode, length and time of change.
  var tag: String {
    let parts = [opened.inode, length, UInt64(bitPattern: opened.modified)]
    return "\"\(parts.map { String($0, radix: 36) }.joined(separator: "-"))\""
  }

  /// Its first bytes, at most `count`.
  public func head(_ count: Int) -> [UInt8] {
    let count = Int(min(UInt64(count), length))
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, got in
      got = read(at: 0, into: UnsafeMutableRawBufferPointer(buffer)) ?? 0
    }
  }

  /// Reads the first `count` bytes once, so that they are in the page cache when they are sent. Blocks while the disk
  /// reads.
  public func readThrough(_ count: UInt64) {
    var buffer = [UInt8](repeating: 0, count: Int(min(256 * 1024, max(1, length))))
    var offset: UInt64 = 0
    while offset < min(count, length) {
      let got = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, Int(offset)) }
      guard got > 0 else { return }
      offset += UInt64(got)
    }
  }

  /// Sets a closure that is called when the file is closed, after its answer has ended.
  public func onClose(_ body: @escaping @Sendable () -> Void) { closed.withLock { $0 = body } }

  /// Reads bytes from an offset and returns their number; nil at the end, on an error, or where the file was changed
  /// since it was opened.
  func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    var now = stat()
    guard fstat(descriptor, &now) == 0, now.st_size == opened.size, FileStatus(now).modified == opened.modified else {
      return nil
    }
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, Int(offset))
      if count < 0, errno == EINTR { continue }
      return count > 0 ? count : nil
    }
  }
}
