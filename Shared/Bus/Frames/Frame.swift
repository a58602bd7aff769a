import Model

/// The bytes of a message on a socket: a topic, NUL, one header byte, and the body.
///
/// The header byte holds the format version in its upper four bits; its lowest bit is set if the body is sealed.
public struct Frame: Hashable, Sendable {
  /// The topic: words ended by dots.
  public var topic: String
  /// The envelope as JSON.
  public var body: [UInt8]

  /// The largest size of a frame, in bytes.
  public static let sizeLimit = 256 * 1024

  /// The largest payload, in bytes, of a message that may be sent inside another one, as facts are in a page.
  static let payloadLimit = sizeLimit - 2048

  private static let plainVersion1: UInt8 = 0x10

  public init(topic: String, body: [UInt8]) {
    self.topic = topic
    self.body = body
  }

  /// Returns the bytes to send.
  ///
  /// - Throws: `bus.frameTooLarge` beyond 256 KiB.
  public func encoded() throws -> [UInt8] {
    guard topic.utf8.count + 2 + body.count <= Self.sizeLimit else {
      throw Self.tooLarge("A message for \(topic)", body.count)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(topic.utf8.count + 2 + body.count)
    bytes.append(contentsOf: topic.utf8)
    bytes.append(0)
    bytes.append(Self.plainVersion1)
    bytes.append(contentsOf: body)
    return bytes
  }

  static func tooLarge(_ what: String, _ count: Int) -> LunaraError {
    LunaraError(
      "bus.frameTooLarge",
      "\(what) of \(count) bytes is over the bus's limit of 256 KiB. Please report it: it should be paged.")
  }

  /// Reads a plain frame from arbitrary bytes.
  ///
  /// - Throws: `bus.badFrame` if the topic is invalid or the format is not known.
  public init(decoding bytes: UnsafeRawBufferPointer) throws {
    guard let end = bytes.prefix(256).firstIndex(of: 0), end + 1 < bytes.count,
      let topic = String(validating: bytes[..<end], as: UTF8.self), Self.isTopic(topic)
    else { throw LunaraError("bus.badFrame", "A frame on the bus has no valid topic.") }
    guard bytes[end + 1] == Self.plainVersion1 else {
      throw LunaraError(
        "bus.badFrame", "A frame on the bus has a format this version does not know. Are all services of one version?")
    }
    self.topic = topic
    body = Array(bytes[(end + 2)...])
  }

  /// True if the text is a topic: words of `a-z`, `0-9`, `-`, each followed by a dot.
  public static func isTopic(_ text: String) -> Bool {
    guard text.hasSuffix(".") else { return false }
    var isEmptyWord = true
    for byte in text.utf8 {
      if byte == UInt8(ascii: ".") {
        if isEmptyWord { return false }
        isEmptyWord = true
      } else {
        guard (97...122).contains(byte) || (48...57).contains(byte) || byte == 45 else { return false }
        isEmptyWord = false
      }
    }
    return true
  }
}
