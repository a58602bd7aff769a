import CPlatform
import Glibc
import Model
import Synchronization

/// A file descriptor that closes itself.
final class Descriptor: Sendable {
  /// The number the kernel knows it by.
  let number: Int32

  /// Takes over an open descriptor.
  init(owning number: Int32) { self.number = number }

  private let isOpen = Atomic(true)

  deinit { close() }

  /// Closes it now instead of when nobody holds it any more.
  func close() {
    if isOpen.exchange(false, ordering: .relaxed) { Glibc.close(number) }
  }

  /// A pipe that no child inherits.
  static func pipe() throws -> (read: Descriptor, write: Descriptor) {
    var ends: [Int32] = [0, 0]
    let error = lunara_pipe(&ends)
    guard error == 0 else {
      throw LunaraError("cli.noPipe", "Cannot make a pipe.", cause: String(cString: strerror(error)))
    }
    return (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
  }

  /// Makes reads and writes return at once.
  func setNonBlocking() {
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }

  /// What can be read at once.
  enum Reading: Equatable {
    case bytes([UInt8])
    case nothingYet
    case end
  }

  /// Reads what is there, at most `limit` bytes. On a descriptor that does not wait, `nothingYet` where nothing is.
  func read(upTo limit: Int = 16_384) -> Reading {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      var result = Glibc.read(number, buffer.baseAddress, limit)
      while result < 0, errno == EINTR { result = Glibc.read(number, buffer.baseAddress, limit) }
      if result < 0 { failure = errno }
      count = max(0, result)
    }
    if failure == EAGAIN { return .nothingYet }
    return bytes.isEmpty ? .end : .bytes(bytes)
  }

  /// Writes all bytes, waiting where the reader is slow; false where nobody reads any more.
  @discardableResult
  static func write(_ bytes: [UInt8], to number: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = UnsafeRawBufferPointer(buffer)
      while let start = rest.baseAddress, !rest.isEmpty {
        let count = Glibc.write(number, start, rest.count)
        if count > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno != EINTR {
          return false
        }
      }
      return true
    }
  }
}

extension Descriptor {
  /// The device that gives and takes nothing.
  static func null() throws -> Descriptor {
    let number = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard number >= 0 else {
      throw LunaraError("cli.noPipe", "Cannot open /dev/null.", cause: String(cString: strerror(errno)))
    }
    defer { Glibc.close(number) }
    return Descriptor(owning: fcntl(number, F_DUPFD_CLOEXEC, 10))
  }
}
