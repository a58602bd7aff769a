/// The kinds of nanomsg sockets that talk over TCP, by their numbers in SP, nanomsg's protocol.
enum SPSocketKind: UInt16 {
  case publisher = 32
  case subscriber = 33
  case asker = 48
  case answerer = 49

  /// The eight bytes with which each side of a connection begins.
  var greeting: [UInt8] { [0, 0x53, 0x50, 0, UInt8(rawValue >> 8), UInt8(rawValue & 0xff), 0, 0] }

  /// The kind of socket that a socket of this kind talks to.
  var counterpart: SPSocketKind {
    switch self {
    case .publisher: .subscriber
    case .subscriber: .publisher
    case .asker: .answerer
    case .answerer: .asker
    }
  }
}

/// Divides the bytes that arrive on a TCP connection of nanomsg into messages: a greeting, then messages that each
/// begin with their length in eight bytes, the highest first. Pure.
///
/// It holds only bytes that have arrived: a length that is announced allocates nothing.
struct SPMessageReader {
  enum Failure: Error {
    /// The other side speaks another protocol, or is a socket of another kind.
    case wrongGreeting
    /// A message is announced that is longer than the limit.
    case tooLarge
  }

  private static let lengthSize = 8

  private let greeting: [UInt8]
  private var isGreeted = false
  private var bytes: [UInt8] = []
  /// The number of bytes at the start of `bytes` that were returned already.
  private var consumed = 0

  /// Creates the reader of a connection to a socket of this kind.
  init(from kind: SPSocketKind) { greeting = kind.greeting }

  /// The number of bytes of messages that are not complete yet.
  var unfinished: Int { bytes.count - consumed }

  mutating func append(_ more: UnsafeRawBufferPointer) {
    if consumed == bytes.count {
      bytes = []
      consumed = 0
    }
    if consumed > 0 {
      bytes.removeFirst(consumed)
      consumed = 0
    }
    bytes.append(contentsOf: more)
  }

  /// Returns the next complete message; nil if more bytes are needed.
  ///
  /// - Parameter limit: the largest length of a message, in bytes.
  mutating func next(limit: Int) throws(Failure) -> ArraySlice<UInt8>? {
    if !isGreeted {
      let start = bytes[consumed...].prefix(greeting.count)
      guard greeting.starts(with: start) else { throw .wrongGreeting }
      guard start.count == greeting.count else { return nil }
      consumed += greeting.count
      isGreeted = true
    }
    guard unfinished >= Self.lengthSize else { return release() }
    let length = bytes.withUnsafeBytes { $0.bigEndian(UInt64.self, at: consumed) }
    guard length <= UInt64(limit) else { throw .tooLarge }
    let end = consumed + Self.lengthSize + Int(length)
    guard end <= bytes.count else { return nil }
    defer { consumed = end }
    return bytes[consumed + Self.lengthSize..<end]
  }

  /// Releases the memory of an idle connection.
  private mutating func release() -> ArraySlice<UInt8>? {
    if unfinished == 0 {
      bytes = []
      consumed = 0
    }
    return nil
  }

  /// Returns a message with its length before it.
  ///
  /// - Parameters:
  ///   - header: the part of the message that nanomsg uses to route an answer; may be empty.
  ///   - body: the rest of the message.
  static func encode(header: some Collection<UInt8>, _ body: [UInt8]) -> [UInt8] {
    var message: [UInt8] = []
    message.reserveCapacity(lengthSize + header.count + body.count)
    message.append(bigEndian: UInt64(header.count + body.count))
    message.append(contentsOf: header)
    message.append(contentsOf: body)
    return message
  }

  /// Returns the length of the header of a request: numbers of four bytes, of which the last one has its top bit set.
  /// Each device on the way adds one. Nil if the message has no such header.
  static func headerLength(of request: ArraySlice<UInt8>) -> Int? {
    for hop in 1...8 {
      let end = request.startIndex + 4 * hop
      guard end <= request.endIndex else { return nil }
      if request[end - 4] & 0x80 != 0 { return 4 * hop }
    }
    return nil
  }
}
