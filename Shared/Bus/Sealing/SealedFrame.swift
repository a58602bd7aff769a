import CSodium
import Glibc

/// The classes of sealed frames; they are in the clear part, and authenticated. The numbers are bytes on the wire.
enum SealedClass: UInt8, Sendable {
  case fact = 1
  case state = 2
  case signal = 3
  case question = 4
  case answer = 5

  var channel: SealedChannel {
    switch self {
    case .fact, .state, .signal: .inbox
    case .question: .requestSocket
    case .answer: .connection
    }
  }
}

enum SealedChannel: Sendable {
  /// The SUB socket with which a node receives what others publish.
  case inbox
  /// The raw REP socket with which it receives requests.
  case requestSocket
  /// A raw REQ socket over which it sent a request.
  case connection
}

/// One run of one node, as the reader of a sealed frame.
struct SealPeer: Hashable, Sendable {
  var node: NodeID
  var nonce: StartNonce
}

/// The contents of a sealed frame, and the authenticated node that sealed it.
struct Opened: Sendable {
  var frame: Frame
  var sender: SealPeer
  var epoch: Int64
  /// True if it was sealed for this run of this node; probes are not.
  var isBound: Bool
  /// True if the sender was admitted. If it was not, only hellos, probes and answers open.
  var isAdmitted: Bool
}

/// The clear part of a sealed frame, after topic, NUL and header byte: the fields that a reader needs before it opens
/// the frame. The seal authenticates all of them.
///
/// The highest byte of a number comes first. The offsets, and the sizes in bytes: 0 key id (8), 8 class (1; bit 7 is
/// set if the frame is unbound), 9 counter (8), 17 sender's start nonce (16), 33 sender's start number (8), 41 nonce of
/// the cipher (24), 65 length of the sender's name (1), 66 the name.
struct SealedHeader {
  static let headerByte: UInt8 = 0x11
  static let fixedSize = 66
  static let nonceOffset = 41
  static let tagSize = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
  static let unboundBit: UInt8 = 0x80
  /// The largest length of a node's name: two words of 32 bytes and the `@` between them.
  static let longestName = 65

  let keyID: HouseholdKeyID
  let sealedClass: SealedClass
  let isBound: Bool
  let counter: UInt64
  let nonce: StartNonce
  let epoch: Int64
  let topic: Range<Int>
  let clear: Range<Int>
  let name: Range<Int>
  let cipher: Range<Int>

  /// Finds the parts of a frame without checking their contents; nil if a part is missing.
  init?(reading bytes: UnsafeRawBufferPointer) {
    guard let end = Self.endOfTopic(bytes), bytes[end + 1] == Self.headerByte else { return nil }
    let start = end + 2
    guard bytes.count <= Frame.sizeLimit, bytes.count >= start + Self.fixedSize + Self.tagSize else { return nil }
    let length = Int(bytes[start + 65])
    let body = start + Self.fixedSize + length
    guard (3...Self.longestName).contains(length), bytes.count >= body + Self.tagSize,
      let sealedClass = SealedClass(rawValue: bytes[start + 8] & ~Self.unboundBit)
    else { return nil }
    keyID = HouseholdKeyID(bytes.bigEndian(UInt64.self, at: start))
    self.sealedClass = sealedClass
    isBound = bytes[start + 8] & Self.unboundBit == 0
    counter = bytes.bigEndian(UInt64.self, at: start + 9)
    nonce = StartNonce(reading: bytes, at: start + 17)
    epoch = bytes.bigEndian(Int64.self, at: start + 33)
    topic = 0..<end
    clear = start..<body
    name = start + Self.fixedSize..<body
    cipher = body..<bytes.count
  }

  /// Returns the offset of the NUL after a topic, if at least one byte follows it; else nil.
  static func endOfTopic(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress, let found = memchr(base, 0, min(bytes.count, 256)) else { return nil }
    let end = UnsafeRawPointer(found) - base
    return end + 1 < bytes.count ? end : nil
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the number at an offset, its highest byte first; its bytes have to exist.
  func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at offset: Int) -> Number {
    Number(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }
}

extension [UInt8] {
  /// Appends a number, its highest byte first.
  mutating func append(bigEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}
