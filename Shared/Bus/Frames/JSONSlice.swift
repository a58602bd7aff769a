/// Finds the members of a JSON object, or the elements of an array, as ranges of its bytes, without decoding them.
///
/// Every node reads an envelope for every frame, and mostly passes the payload on, so this has to be fast. It follows
/// only strings and brackets; the decoder of a member checks its grammar. It accepts arbitrary bytes.
struct JSONSlice {
  private let bytes: UnsafeRawBufferPointer
  private var at: Int

  private init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    at = 0
  }

  /// Calls `body` with the raw key (still escaped) and the range of each member; returns false if the bytes are not an
  /// object.
  static func members(
    of bytes: UnsafeRawBufferPointer, _ body: (_ key: UnsafeRawBufferPointer, _ value: Range<Int>) -> Void
  ) -> Bool {
    var slice = JSONSlice(bytes)
    guard slice.skip(UInt8(ascii: "{")) else { return false }
    if slice.skip(UInt8(ascii: "}")) { return slice.isAtEnd }
    repeat {
      slice.space()
      let start = slice.at
      guard slice.string() else { return false }
      let key = UnsafeRawBufferPointer(rebasing: bytes[start + 1..<slice.at - 1])
      guard slice.skip(UInt8(ascii: ":")), let value = slice.value() else { return false }
      body(key, value)
    } while slice.skip(UInt8(ascii: ","))
    return slice.skip(UInt8(ascii: "}")) && slice.isAtEnd
  }

  /// Returns the ranges of an array's elements; nil if the bytes are not an array.
  static func elements(of bytes: UnsafeRawBufferPointer) -> [Range<Int>]? {
    var slice = JSONSlice(bytes)
    guard slice.skip(UInt8(ascii: "[")) else { return nil }
    if slice.skip(UInt8(ascii: "]")) { return slice.isAtEnd ? [] : nil }
    var ranges: [Range<Int>] = []
    repeat {
      guard let value = slice.value() else { return nil }
      ranges.append(value)
    } while slice.skip(UInt8(ascii: ","))
    return slice.skip(UInt8(ascii: "]")) && slice.isAtEnd ? ranges : nil
  }

  private var isAtEnd: Bool {
    mutating get {
      space()
      return at == bytes.count
    }
  }

  private mutating func space() { while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 } }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 10 || byte == 13 || byte == 9 }

  private mutating func skip(_ byte: UInt8) -> Bool {
    space()
    guard at < bytes.count, bytes[at] == byte else { return false }
    at += 1
    return true
  }

  private mutating func string() -> Bool {
    guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { return false }
    at += 1
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        at += 1
        return true
      case UInt8(ascii: "\\"): at += 2
      default: at += 1
      }
    }
    return false
  }

  private mutating func value() -> Range<Int>? {
    space()
    let start = at
    guard at < bytes.count else { return nil }
    switch bytes[at] {
    case UInt8(ascii: "\""):
      guard string() else { return nil }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard brackets() else { return nil }
    default:
      while at < bytes.count, !Self.endsScalar(bytes[at]) { at += 1 }
      guard at > start else { return nil }
    }
    return start..<at
  }

  private mutating func brackets() -> Bool {
    var depth = 0
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        guard string() else { return false }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      at += 1
      if depth == 0 { return true }
    }
    return false
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || isSpace(byte)
  }
}
