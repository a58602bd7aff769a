/// Writes a JSON text: values are appended directly, without an intermediate tree, and the members of an object are
/// sorted by the bytes of their names when it ends.
///
/// Only the innermost container can be written to; writing to an outer one ends the inner ones. Writing a value where
/// none is expected, or to a container that has ended, throws `UnsupportedJSON`, and the text is discarded. So a
/// returned text is complete and has each value in its place.
struct JSONBuilder: ~Copyable {
  /// An object or an array that has not ended.
  struct Container: Equatable {
    fileprivate var depth: Int
    fileprivate var serial: Int

    /// The container of a failed call, to which nothing can be written.
    static let none = Container(depth: -1, serial: -1)
  }

  /// The position of one value, which can be written once.
  struct Slot {
    fileprivate var depth: Int
    fileprivate var start: Int

    static let none = Slot(depth: -1, start: -1)
  }

  private struct Open {
    var serial: Int
    var isObject: Bool
    /// True while the members came in sorted order.
    var isSorted = true
    var start: Int
    /// The index of its first member in `members`.
    var members: Int
    var count = 0
  }

  private var bytes = JSONBuffer(capacity: 2048)
  private var open: [Open] = []
  private var members = JSONMembers()
  /// True if a value has to come next: at the beginning, after a name, and as an element.
  private var isAwaiting = true
  private var serial = 0
  /// True after an unsupported call, which makes the whole encoding fail.
  private(set) var hasFailed = false

  init() { open.reserveCapacity(8) }

  var text: [UInt8] { bytes.withBytes { Array($0) } }

  mutating func fail() { hasFailed = true }

  private mutating func failure(_ reason: String = "A value is not in its own place.") -> UnsupportedJSON {
    hasFailed = true
    return UnsupportedJSON(description: reason)
  }

  // MARK: - One value

  /// The position of the next value.
  var slot: Slot { Slot(depth: open.count, start: bytes.count) }

  /// Checks that a scalar can be written at a slot; the caller has to write it at once.
  mutating func value(at slot: Slot) throws {
    guard isAwaiting, open.count == slot.depth, bytes.count == slot.start else { throw failure() }
  }

  /// Ends a value; if nothing was written, it becomes an object without members.
  mutating func end(_ slot: Slot) throws {
    while open.count > slot.depth { close() }
    guard open.count == slot.depth, !hasFailed else { throw failure() }
    guard isAwaiting else { return }
    guard bytes.count == slot.start else { throw failure() }
    bytes.append("{}")
    isAwaiting = false
  }

  // MARK: - Objects and arrays

  /// Begins a value as an object or array; if it was begun before, returns the same container.
  mutating func begin(at slot: Slot, isObject: Bool) -> Container {
    if isAwaiting, open.count == slot.depth, bytes.count == slot.start { return begin(isObject: isObject) }
    guard open.count > slot.depth, slot.depth >= 0, open[slot.depth].start == slot.start,
      open[slot.depth].isObject == isObject
    else {
      hasFailed = true
      return .none
    }
    return Container(depth: slot.depth, serial: open[slot.depth].serial)
  }

  /// Begins the expected value as an object or array.
  mutating func begin(isObject: Bool) -> Container {
    serial += 1
    isAwaiting = false
    open.append(Open(serial: serial, isObject: isObject, start: bytes.count, members: members.count))
    bytes.append(isObject ? 0x7B : 0x5B)
    return Container(depth: open.count - 1, serial: serial)
  }

  func count(of container: Container) -> Int { isOpen(container) ? open[container.depth].count : 0 }

  private func isOpen(_ container: Container) -> Bool {
    open.indices.contains(container.depth) && open[container.depth].serial == container.serial
  }

  /// Ends all containers inside `container` and begins its next element or member, whose value has to follow.
  mutating func element(in container: Container) throws {
    guard !isAwaiting, isOpen(container) else { throw failure() }
    while open.count > container.depth + 1 { close() }
    if open[container.depth].count > 0 { bytes.append(UInt8(ascii: ",")) }
    open[container.depth].count += 1
    isAwaiting = true
  }

  /// Begins a member, whose value has to follow.
  mutating func name(_ name: String, in container: Container) throws {
    try element(in: container)
    let start = bytes.count
    string(name)
    isAwaiting = true
    guard bytes.count < UInt32.max else { throw failure("The text is longer than 4 GiB.") }
    // Names are compared as they are written, with escapes.
    let head = bytes.withBytes { JSONMembers.head(of: UnsafeBufferPointer(rebasing: $0[(start + 1)..<($0.count - 1)])) }
    if !members.add(head, start + 1..<bytes.count - 1, after: open[container.depth].members, in: bytes) {
      open[container.depth].isSorted = false
    }
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func close() {
    guard let ended = open.popLast() else { return }
    guard ended.isObject else { return bytes.append(UInt8(ascii: "]")) }
    // The last name has no value.
    if isAwaiting { hasFailed = true }
    if !ended.isSorted { members.sort(from: ended.members, in: &bytes) }
    members.drop(from: ended.members)
    bytes.append(UInt8(ascii: "}"))
  }

  // MARK: - Scalars

  mutating func null() {
    bytes.append("null")
    isAwaiting = false
  }

  mutating func bool(_ value: Bool) {
    bytes.append(value ? "true" : "false")
    isAwaiting = false
  }

  mutating func integer(_ value: some FixedWidthInteger) {
    isAwaiting = false
    // A signed number has at most 19 digits and a sign, an unsigned one at most 20 digits.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { digits in
      var (first, rest) = (24, UInt64(value.magnitude))
      repeat {
        first -= 1
        digits[first] = UInt8(truncatingIfNeeded: 48 + rest % 10)
        rest /= 10
      } while rest > 0
      if value < 0 {
        first -= 1
        digits[first] = UInt8(ascii: "-")
      }
      bytes.append(UnsafeBufferPointer(rebasing: digits[first...]))
    }
  }

  mutating func double(_ value: Double) throws {
    guard value.isFinite else { throw failure("\(value) is not a number of JSON.") }
    isAwaiting = false
    var digits = value.description
    digits.withUTF8 { digits in
      // A whole number is written without `.0`.
      let isWhole = digits.count > 2 && digits[digits.count - 2] == 0x2E && digits[digits.count - 1] == 0x30
      bytes.append(UnsafeBufferPointer(rebasing: digits[..<(digits.count - (isWhole ? 2 : 0))]))
    }
  }

  mutating func string(_ value: String) {
    isAwaiting = false
    var value = value
    bytes.append(UInt8(ascii: "\""))
    value.withUTF8 { text in
      if JSONBuilder.needsEscape(text) {
        for byte in text { JSONBuilder.append(escaped: byte, to: &bytes) }
      } else {
        bytes.append(text)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

/// The bytes of a text that JSON escapes (RFC 8259, section 7).
extension JSONBuilder {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  /// Returns a number other than 0 if one of eight bytes is a control character, a quote or a backslash: subtracting a
  /// number from each byte borrows from its top bit if the byte is smaller (H. S. Warren, Hacker's Delight, 6-1).
  @inline(__always)
  private static func special(_ bytes: UInt64) -> UInt64 {
    let quotes = bytes ^ (ones &* 0x22)
    let backslashes = bytes ^ (ones &* 0x5C)
    return
      (((bytes &- ones &* 0x20) & ~bytes) | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes))
      & tops
  }

  /// Returns true if the next eight bytes exist, are ASCII and need no escape.
  @inline(__always)
  static func isPlain(_ text: UnsafeBufferPointer<UInt8>, _ at: Int) -> Bool {
    guard at + 8 <= text.count, let start = UnsafeRawPointer(text.baseAddress) else { return false }
    let bytes = start.loadUnaligned(fromByteOffset: at, as: UInt64.self)
    return (special(bytes) | bytes & tops) == 0
  }

  /// Returns true if a text contains a control character, a quote or a backslash.
  static func needsEscape(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = UnsafeRawPointer(text.baseAddress) else { return false }
    var at = 0
    while at + 8 <= text.count {
      if special(start.loadUnaligned(fromByteOffset: at, as: UInt64.self)) != 0 { return true }
      at += 8
    }
    while at < text.count {
      let byte = text[at]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { return true }
      at += 1
    }
    return false
  }

  /// Appends a byte of a text, escaped where needed.
  static func append(escaped byte: UInt8, to text: inout JSONBuffer) {
    switch byte {
    case UInt8(ascii: "\""): text.append("\\\"")
    case UInt8(ascii: "\\"): text.append("\\\\")
    case 8: text.append("\\b")
    case 9: text.append("\\t")
    case 10: text.append("\\n")
    case 12: text.append("\\f")
    case 13: text.append("\\r")
    case 0..<32:
      text.append(byte < 16 ? "\\u000" : "\\u001")
      let digit = byte & 15
      text.append(digit < 10 ? 48 + digit : 87 + digit)
    default: text.append(byte)
    }
  }
}

/// Thrown for a value that JSON, or this coder, cannot express.
struct UnsupportedJSON: Error, CustomStringConvertible {
  let description: String
}
