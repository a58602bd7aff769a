import CSodium

/// The 16 random bytes that a node draws at its start: what is sealed for one run is nothing to the next.
struct StartNonce: Hashable, Sendable {
  /// How many bytes there are.
  static let count = 16

  private let first: UInt64
  private let second: UInt64

  /// Draws one.
  static func random() -> StartNonce {
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes.withUnsafeBytes { StartNonce(reading: $0, at: 0) }
  }

  /// Reads the 16 bytes at an offset, which must be there.
  init(reading bytes: UnsafeRawBufferPointer, at offset: Int) {
    first = bytes.bigEndian(UInt64.self, at: offset)
    second = bytes.bigEndian(UInt64.self, at: offset + 8)
  }

  /// Reads 32 hexadecimal digits; nil for anything else.
  init?(text: String) {
    guard let bytes = Hexadecimal.bytes(of: text.utf8), bytes.count == Self.count else { return nil }
    self = bytes.withUnsafeBytes { StartNonce(reading: $0, at: 0) }
  }

  /// The 16 bytes.
  var bytes: [UInt8] {
    withUnsafeBytes(of: first.bigEndian) { first in withUnsafeBytes(of: second.bigEndian) { Array(first) + Array($0) } }
  }

  /// 32 hexadecimal digits.
  var text: String { Hexadecimal.text(bytes) }

  /// Appends the 16 bytes.
  func append(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: first)
    bytes.append(bigEndian: second)
  }
}

extension StartNonce: Codable {
  /// Reads 32 hexadecimal digits.
  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let nonce = StartNonce(text: text) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no start nonce"))
    }
    self = nonce
  }

  /// Writes 32 hexadecimal digits.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// The 24 random bytes that each sealed frame has of its own: the cipher's nonce.
struct CipherNonce: Sendable {
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt64 = 0

  /// Draws one.
  static func random() -> CipherNonce {
    var nonce = CipherNonce()
    withUnsafeMutableBytes(of: &nonce) {
      if let base = $0.baseAddress { randombytes_buf(base, $0.count) }
    }
    return nonce
  }

  /// One whose bytes are all the same, for tests.
  static func repeating(_ byte: UInt8) -> CipherNonce {
    var nonce = CipherNonce()
    withUnsafeMutableBytes(of: &nonce) { for index in $0.indices { $0[index] = byte } }
    return nonce
  }
}
