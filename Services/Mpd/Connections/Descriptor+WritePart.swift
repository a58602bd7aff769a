import Glibc
import System

extension Descriptor {
  /// The result of one write to a socket that does not block.
  enum PartWritten {
    case written(Int)
    /// The other end is slow.
    case full
    /// The connection is closed.
    case failed
  }

  /// Writes as much as the socket takes now. A closed connection raises no signal.
  func writePart(_ bytes: ArraySlice<UInt8>) -> PartWritten {
    let count = bytes.withUnsafeBytes { send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    if count >= 0 { return .written(count) }
    return errno == EAGAIN || errno == EINTR ? .full : .failed
  }
}
