/// JSON text under way: what a value's own code says is appended at once, and the members of an object are put in order
/// by the bytes of their names when it ends. There is no tree in between.
///
/// Only what is innermost can be written to. Who goes on with what lies around it ends that first; who writes where
/// nothing is awaited, or to what has ended, gets `UnsupportedJSON`, and nothing of the text is used then. So a text that comes
/// out is whole, and each of its values stands where it was put.
struct JSONDraft: ~Copyable {
  /// An object or an array that has not ended.
  struct Place: Equatable {
    fileprivate var depth: Int
    fileprivate var serial: Int

    /// What nothing can be written to.
    static let nowhere = Place(depth: -1, serial: -1)
  }

  /// Where one value begins, which is written once.
  struct Mark {
    fileprivate var depth: Int
    fileprivate var start: Int

    static let nowhere = Mark(depth: -1, start: -1)
  }

  private struct Open {
    var serial: Int
    var isObject: Bool
    /// Whether the members so far came in order.
    var isSorted = true
    var start: Int
    /// Where its members begin in `members`.
    var members: Int
    var count = 0
  }

  private var bytes = JSONBuffer(capacity: 2048)
  private var open: [Open] = []
  private var members = JSONMembers()
  /// Whether a value has to come next: at the beginning, behind a name, and for an element.
  private var isAwaiting = true
  private var serial = 0
  /// Whether something was asked for that only the slow way can write.
  private(set) var isLost = false

  init() { open.reserveCapacity(8) }

  /// The text so far.
  var text: [UInt8] { bytes.withBytes { Array($0) } }

  /// Gives all of this up.
  mutating func lose() { isLost = true }

  private mutating func lost() -> UnsupportedJSON {
    isLost = true
    return UnsupportedJSON()
  }

  // MARK: - One value

  /// Where the value begins that comes next.
  var mark: Mark { Mark(depth: open.count, start: bytes.count) }

  /// Checks that a plain value can be written, which must follow at once.
  mutating func value(at mark: Mark) throws {
    guard isAwaiting, open.count == mark.depth, bytes.count == mark.start else { throw lost() }
  }

  /// Ends a value; one that said nothing is an object without members.
  mutating func end(_ mark: Mark) throws {
    while open.count > mark.depth { close() }
    guard open.count == mark.depth, !isLost else { throw lost() }
    guard isAwaiting else { return }
    guard bytes.count == mark.start else { throw lost() }
    bytes.append("{}")
    isAwaiting = false
  }

  // MARK: - Objects and arrays

  /// The object or array that a value is; the same one where it was begun already.
  mutating func begin(at mark: Mark, isObject: Bool) -> Place {
    if isAwaiting, open.count == mark.depth, bytes.count == mark.start { return begin(isObject: isObject) }
    guard open.count > mark.depth, mark.depth >= 0, open[mark.depth].start == mark.start,
      open[mark.depth].isObject == isObject
    else {
      isLost = true
      return .nowhere
    }
    return Place(depth: mark.depth, serial: open[mark.depth].serial)
  }

  /// Begins the value that is awaited as an object or array.
  mutating func begin(isObject: Bool) -> Place {
    serial += 1
    isAwaiting = false
    open.append(Open(serial: serial, isObject: isObject, start: bytes.count, members: members.count))
    bytes.append(isObject ? 0x7B : 0x5B)
    return Place(depth: open.count - 1, serial: serial)
  }

  /// How many elements an array has so far.
  func count(of place: Place) -> Int { isOpen(place) ? open[place.depth].count : 0 }

  private func isOpen(_ place: Place) -> Bool {
    open.indices.contains(place.depth) && open[place.depth].serial == place.serial
  }

  /// Ends what lies within a place, so that it can be gone on with.
  private mutating func reach(_ place: Place) throws {
    guard !isAwaiting, isOpen(place) else { throw lost() }
    while open.count > place.depth + 1 { close() }
    if open[place.depth].count > 0 { bytes.append(UInt8(ascii: ",")) }
    open[place.depth].count += 1
    isAwaiting = true
  }

  /// Begins an element, whose value must follow.
  mutating func element(in place: Place) throws { try reach(place) }

  /// Begins a member, whose value must follow. A name that has to be escaped is left to the slow way.
  mutating func name(_ name: String, in place: Place) throws {
    try reach(place)
    let start = bytes.count
    var name = name
    bytes.append(UInt8(ascii: "\""))
    let head = name.withUTF8 { text -> UInt64? in
      guard !JSONDraft.needsEscape(text) else { return nil }
      bytes.append(text)
      return JSONMembers.head(of: text)
    }
    guard let head, start < UInt32.max else { throw lost() }
    if !members.add(head, start + 1..<bytes.count, after: open[place.depth].members, in: bytes) {
      open[place.depth].isSorted = false
    }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func close() {
    guard let ended = open.popLast() else { return }
    guard ended.isObject else { return bytes.append(UInt8(ascii: "]")) }
    // A name without its value.
    if isAwaiting { isLost = true }
    if !ended.isSorted { members.sort(from: ended.members, in: &bytes) }
    members.drop(from: ended.members)
    bytes.append(UInt8(ascii: "}"))
  }

  // MARK: - Plain values

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
    // The least number has 19 digits and a sign, the largest without one 20.
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
    guard value.isFinite else { throw lost() }
    isAwaiting = false
    var digits = value.description
    digits.withUTF8 { digits in
      // A whole number shows none of its places.
      let isWhole = digits.count > 2 && digits[digits.count - 2] == 0x2E && digits[digits.count - 1] == 0x30
      bytes.append(UnsafeBufferPointer(rebasing: digits[..<(digits.count - (isWhole ? 2 : 0))]))
    }
  }

  mutating func string(_ value: String) {
    isAwaiting = false
    var value = value
    bytes.append(UInt8(ascii: "\""))
    value.withUTF8 { text in
      if JSONDraft.needsEscape(text) {
        for byte in text { JSONDraft.append(escaped: byte, to: &bytes) }
      } else {
        bytes.append(text)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
