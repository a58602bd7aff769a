import CPlatform
import Glibc
public import Model
import Synchronization

/// An open file, pipe or socket, which is closed when this object is released.
///
/// The descriptors opened here are not inherited by other programs; `ChildProcess` passes them explicitly.
public final class Descriptor: Sendable {
  /// The descriptor's number.
  public let number: Int32

  private let isOpen = Atomic(true)

  /// Takes the ownership of an open descriptor.
  public init(owning number: Int32) { self.number = number }

  deinit { close() }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - flags: the flags of open(2), for example `O_WRONLY | O_CREAT | O_EXCL`; `O_CLOEXEC` is added.
  ///   - mode: the mode of a file that is created, from which the process's umask is taken away.
  public convenience init(
    opening path: some SystemPath, _ flags: Int32, mode: UInt32 = 0o600
  ) throws(Errno) {
    let number = open(path.cString, flags | O_CLOEXEC, mode)
    guard number >= 0 else { throw .current }
    self.init(owning: number)
  }

  /// Creates a pipe. Both ends have numbers of 10 or more, so that they can be passed to a child.
  public static func pipe() throws(Errno) -> (read: Descriptor, write: Descriptor) {
    var ends: [Int32] = [0, 0]
    let error = lunara_pipe(&ends)
    guard error == 0 else { throw Errno(error) }
    return (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
  }

  /// Opens /dev/null for reading and writing. Its number is 10 or more.
  public static func null() throws(Errno) -> Descriptor {
    try Descriptor(opening: "/dev/null", O_RDWR).duplicate()
  }

  /// Opens a file in memory, which has no path and is gone with its last descriptor.
  ///
  /// - Parameters:
  ///   - name: the name that /proc shows.
  ///   - size: the size in bytes, which nobody can change; nil for a file that is empty and grows as it is written.
  public static func memoryFile(_ name: String, size: Int? = nil) throws(Errno) -> Descriptor {
    let number = size.map { lunara_sized_memory_file(name, $0) } ?? lunara_memory_file(name)
    guard number >= 0 else { throw .current }
    return Descriptor(owning: number)
  }

  /// Returns another descriptor of the same open file. Its number is 10 or more, so that it can be passed to a child.
  public func duplicate() throws(Errno) -> Descriptor { try Self.duplicate(number) }

  /// Returns another descriptor of an open file that is owned elsewhere, for example of standard error.
  public static func duplicate(_ number: Int32) throws(Errno) -> Descriptor {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 10)
    guard copy >= 0 else { throw .current }
    return Descriptor(owning: copy)
  }

  /// Closes the descriptor before this object is released. A second call does nothing.
  public func close() {
    if isOpen.exchange(false, ordering: .relaxed) { Glibc.close(number) }
  }

  /// Makes reads and writes return at once instead of blocking.
  public func setNonBlocking() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }

  // MARK: - Reading

  /// The result of one read.
  public enum Reading: Equatable, Sendable {
    case bytes([UInt8])
    /// No data is there yet; only for descriptors that do not block.
    case nothingYet
    /// The end was reached, or the descriptor failed.
    case end
  }

  /// Reads the data that is there, at most `limit` bytes. A failure counts as the end, which it is for pipes and
  /// sockets.
  public func read(upTo limit: Int = 16_384) -> Reading {
    do {
      let bytes = try readBytes(upTo: limit)
      return bytes.isEmpty ? .end : .bytes(bytes)
    } catch {
      return error == .wouldBlock ? .nothingYet : .end
    }
  }

  /// Reads once, at most `limit` bytes; returns no bytes at the end.
  public func readBytes(upTo limit: Int) throws(Errno) -> [UInt8] {
    try Self.bytes(limit) { Glibc.read(number, $0, limit) }
  }

  /// Reads once at a position, at most `limit` bytes, without moving the position of the next read or write. Returns no
  /// bytes at the end.
  public func readBytes(upTo limit: Int, at position: Int) throws(Errno) -> [UInt8] {
    try Self.bytes(limit) { pread(number, $0, limit, position) }
  }

  private static func bytes(
    _ limit: Int, _ read: (UnsafeMutableRawPointer?) -> Int
  ) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      var result = read(buffer.baseAddress)
      while result < 0, errno == EINTR { result = read(buffer.baseAddress) }
      if result < 0 { failure = .current }
      count = max(0, result)
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads to the end.
  ///
  /// - Throws: `Errno.fileTooLarge` if there are more than `limit` bytes; the errors of read(2).
  public func readToEnd(limit: Int) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let more = try readBytes(upTo: min(max(limit - bytes.count, 0) + 1, 65_536))
      if more.isEmpty { return bytes }
      // The first portion is usually the whole file, so copying it is avoided.
      if bytes.isEmpty { bytes = more } else { bytes += more }
      guard bytes.count <= limit else { throw .fileTooLarge }
    }
  }

  /// Makes the next read or write begin at the start of the file.
  public func rewind() throws(Errno) {
    guard lseek(number, 0, SEEK_SET) == 0 else { throw .current }
  }

  /// The position of the next read or write, in bytes from the start; 0 for what has no positions. Descriptors of the
  /// same open file share it, in other processes as well.
  public var position: Int { max(0, lseek(number, 0, SEEK_CUR)) }

  /// The path of the open file with all links followed; nil if it has no name any more.
  public var path: LocalPath? {
    var now = stat()
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(number)", &bytes, bytes.count)
    guard count > 0, count < bytes.count, fstat(number, &now) == 0, now.st_nlink > 0 else { return nil }
    return LocalPath(bytes: bytes.prefix(count).map { UInt8(bitPattern: $0) })
  }

  /// Reads the file's status: kind, size, owner, mode and times.
  public func status() throws(Errno) -> FileStatus { try FileStatus(of: self) }

  // MARK: - Writing

  /// Writes all bytes; blocks while the reader or the disk is slow.
  public func write(_ bytes: some Collection<UInt8>) throws(Errno) {
    let written = bytes.withContiguousStorageIfAvailable {
      Self.failure(writing: UnsafeRawBufferPointer($0), to: number)
    }
    guard let written else { return try write(Array(bytes)) }
    if let failure = written { throw failure }
  }

  /// Writes a text as UTF-8.
  public func write(_ text: String) throws(Errno) { try write(Array(text.utf8)) }

  /// Writes all bytes to a descriptor that is owned elsewhere, for example standard output. Returns false if the write
  /// failed or nobody reads any more.
  @discardableResult
  public static func write(_ bytes: [UInt8], to number: Int32) -> Bool {
    bytes.withUnsafeBytes { failure(writing: $0, to: number) } == nil
  }

  private static func failure(writing bytes: UnsafeRawBufferPointer, to number: Int32) -> Errno? {
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      let count = Glibc.write(number, start, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if count == 0 || errno != EINTR {
        return count == 0 ? .noSpace : .current
      }
    }
    return nil
  }

  /// Removes the contents of the file, so that it can be written again.
  public func empty() throws(Errno) {
    guard ftruncate(number, 0) == 0 else { throw .current }
    try rewind()
  }

  /// Returns once all written data has reached the disk. A file system that cannot sync this kind of file is no error.
  public func sync() throws(Errno) {
    guard fsync(number) == 0 || errno == EINVAL else { throw .current }
  }
}

/// A path as text, or as bytes that need not be UTF-8.
public protocol SystemPath {
  /// The path for C functions, with a NUL at the end.
  var cString: [CChar] { get }
}

extension String: SystemPath {
  /// The text as UTF-8.
  public var cString: [CChar] { Array(utf8CString) }
}

extension LocalPath: SystemPath {
  /// The bytes of the path.
  public var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}
