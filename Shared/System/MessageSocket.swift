import CPlatform
import Glibc
public import Model

/// One end of a pair of connected sockets between two processes of this machine, which keep the borders of messages and
/// pass open descriptors (unix(7), `SOCK_SEQPACKET`).
public final class MessageSocket: Sendable {
  /// The most bytes of a message.
  public static let sizeLimit = 128 << 10
  /// The most descriptors of a message.
  public static let descriptorLimit = 64

  /// A received message.
  public struct Message: Sendable {
    /// The bytes; never empty.
    public var bytes: [UInt8]
    /// The descriptors that came with them, in the order in which they were sent.
    public var descriptors: [Descriptor]
  }

  /// The socket.
  public let descriptor: Descriptor

  public init(_ descriptor: Descriptor) { self.descriptor = descriptor }

  /// Creates a pair of connected ends. Both have numbers of 10 or more, so that either can be passed to a child.
  public static func pair() throws(Errno) -> (MessageSocket, MessageSocket) {
    var ends: [Int32] = [-1, -1]
    let error = lunara_message_sockets(&ends)
    guard error == 0 else { throw Errno(error) }
    return (MessageSocket(Descriptor(owning: ends[0])), MessageSocket(Descriptor(owning: ends[1])))
  }

  /// Sends a message.
  ///
  /// - Parameters:
  ///   - bytes: the message, at least one byte and at most `sizeLimit`.
  ///   - descriptors: open files of which the receiver gets copies, at most `descriptorLimit`.
  ///   - waits: true to block while the other end reads no messages.
  /// - Throws: `EPIPE` if the other end is closed; `Errno.wouldBlock` if it is slow and `waits` is false; the other
  ///   errors of sendmsg(2).
  public func send(_ bytes: [UInt8], _ descriptors: [Descriptor] = [], waits: Bool = true) throws(Errno) {
    let numbers = descriptors.map(\.number)
    let error = lunara_send_message(
      descriptor.number, bytes, bytes.count, numbers, Int32(numbers.count), waits ? 1 : 0)
    withExtendedLifetime(descriptors) {}
    guard error == 0 else { throw Errno(error) }
  }

  /// Waits for the next message; returns nil once the other end is closed. Only one thread may wait at a time.
  ///
  /// - Parameter limit: the most time to wait; nil for ever.
  /// - Throws: `Errno.timedOut` if the time is over; `Errno.fileTooLarge` for a message over `sizeLimit`; the errors of
  ///   recvmsg(2).
  public func receive(within limit: Milliseconds? = nil) throws(Errno) -> Message? {
    if let limit {
      var polled = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
      var ready = poll(&polled, 1, Int32(clamping: limit.rawValue))
      while ready < 0, errno == EINTR { ready = poll(&polled, 1, Int32(clamping: limit.rawValue)) }
      guard ready != 0 else { throw .timedOut }
    }
    let length = lunara_next_message_length(descriptor.number)
    guard length >= 0 else {
      let error = Errno.current
      // The other end was closed before it had received all messages from here.
      if error == .connectionReset { return nil }
      throw error
    }
    guard length > 0 else { return nil }
    guard length <= Self.sizeLimit else { throw .fileTooLarge }
    var numbers = [Int32](repeating: -1, count: Self.descriptorLimit)
    var numberCount: Int32 = 0
    var failure: Errno?
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      let received = lunara_receive_message(descriptor.number, start, buffer.count, &numbers, &numberCount)
      if received < 0 { failure = .current }
      count = max(0, received)
    }
    if let failure { throw failure }
    return Message(bytes: bytes, descriptors: numbers.prefix(Int(numberCount)).map { Descriptor(owning: $0) })
  }

  /// Tells the other end that no more messages come; those that it sends can still be received.
  public func finishSending() { shutdown(descriptor.number, Int32(SHUT_WR)) }

  /// Ends both directions without closing the socket. A thread that waits in `receive` gets the messages that have
  /// arrived, and then nil.
  public func finish() { shutdown(descriptor.number, Int32(SHUT_RDWR)) }

  /// Closes this end before the object is released. A second call does nothing.
  public func close() { descriptor.close() }
}
