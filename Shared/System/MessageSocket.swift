import CPlatform
import Glibc

/// One end of a pair of connected sockets between two processes of this host. Each message arrives as it was sent, and
/// may carry an open descriptor (unix(7), SOCK_SEQPACKET, SCM_RIGHTS).
public struct MessageSocket: Sendable {
  /// The socket.
  public let descriptor: Descriptor

  /// The longest message, in bytes.
  public static let limit = 128 * 1024

  /// Uses an end that another process has opened.
  public init(_ descriptor: Descriptor) { self.descriptor = descriptor }

  /// Creates a pair. Both ends have numbers of 10 or more, so that they can be passed to a child.
  public static func pair() throws(Errno) -> (MessageSocket, MessageSocket) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw .current
    }
    let low = ends.map { Descriptor(owning: $0) }
    return (MessageSocket(try low[0].duplicate()), MessageSocket(try low[1].duplicate()))
  }

  /// Sends a message that is not empty, and a descriptor of which the receiver gets a copy. Does not block.
  ///
  /// - Throws: `Errno.wouldBlock` while the receiver is slow; the other errors of sendmsg(2).
  public func send(_ bytes: [UInt8], passing passed: Descriptor? = nil) throws(Errno) {
    let (own, other) = (descriptor.number, passed?.number ?? -1)
    let error = bytes.withUnsafeBytes { buffer -> Int32 in
      guard let start = buffer.baseAddress else { return EINVAL }
      return lunara_send_message(own, start, buffer.count, other)
    }
    // The descriptor must stay open until the kernel has a copy of it.
    withExtendedLifetime(passed) {}
    guard error == 0 else { throw Errno(error) }
  }

  /// Waits for a message and returns it with its descriptor, if it has one; nil once the other end is closed.
  ///
  /// - Throws: The errors of recvmsg(2), and `EMSGSIZE` for a message longer than `limit`.
  public func receive() throws(Errno) -> (bytes: [UInt8], passed: Descriptor?)? {
    var passed: Int32 = -1
    var failure: Errno?
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.limit) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      let received = lunara_receive_message(descriptor.number, start, Self.limit, &passed)
      if received < 0 { failure = .current }
      count = max(0, received)
    }
    if let failure { throw failure }
    let file = passed >= 0 ? Descriptor(owning: passed) : nil
    return bytes.isEmpty ? nil : (bytes, file)
  }

  /// Ends the sending: the other end receives what was sent, and then the end.
  public func finish() { shutdown(descriptor.number, Int32(SHUT_WR)) }
}
