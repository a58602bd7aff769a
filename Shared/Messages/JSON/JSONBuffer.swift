/// A growing buffer of bytes with one owner. An array would check at each append that it has one owner, which costs
/// more than appending the few bytes of a field.
struct JSONBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(64, capacity)
    start = .allocate(capacity: self.capacity)
  }

  deinit { start.deallocate() }

  /// Calls `body` with the bytes, which are valid only during the call.
  borrowing func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    try body(UnsafeBufferPointer(start: start, count: count))
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    start[count] = byte
    count += 1
  }

  /// Appends bytes, which must not be in this buffer.
  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let first = bytes.baseAddress else { return }
    if capacity - count < bytes.count { grow(by: bytes.count) }
    (start + count).update(from: first, count: bytes.count)
    count += bytes.count
  }

  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func removeAll() { count = 0 }

  mutating func removeLast(_ dropped: Int) { count -= min(max(0, dropped), count) }

  private mutating func grow(by added: Int) {
    capacity = max(capacity * 2, count + added)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }
}

/// The members of the objects that are being written: the positions of their names and values in the text.
struct JSONMembers: ~Copyable {
  /// A member, with the first eight bytes of its name as a number, which nearly always suffices to compare two names.
  private struct Member {
    var head: UInt64
    /// The positions at which its name begins, after the quote, and ends.
    var name: UInt32
    var nameEnd: UInt32
    /// The position at which its value ends; set when its object is sorted.
    var end: UInt32 = 0
  }

  private var members: [Member] = []
  /// A copy of an object's members in their original order, while they are sorted.
  private var scratch = JSONBuffer(capacity: 1024)

  init() { members.reserveCapacity(32) }

  var count: Int { members.count }

  static func head(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    if name.count >= 8, let start = UnsafeRawPointer(name.baseAddress) {
      return UInt64(bigEndian: start.loadUnaligned(as: UInt64.self))
    }
    var (head, shift) = (UInt64(0), UInt64(64))
    for byte in name {
      shift -= 8
      head |= UInt64(byte) << shift
    }
    return head
  }

  /// Adds a member whose name is in the text. Returns false if it sorts before the previous member, of those from index
  /// `first` on.
  mutating func add(_ head: UInt64, _ name: Range<Int>, after first: Int, in text: borrowing JSONBuffer) -> Bool {
    let member = Member(
      head: head, name: UInt32(truncatingIfNeeded: name.lowerBound),
      nameEnd: UInt32(truncatingIfNeeded: name.upperBound))
    var isBehind = true
    if members.count > first {
      let last = members[members.count - 1]
      isBehind = last.head != head ? last.head < head : text.withBytes { Self.precedes(last, member, $0) }
    }
    members.append(member)
    return isBehind
  }

  mutating func drop(from first: Int) { members.removeLast(members.count - first) }

  /// Sorts the members from index `first` on, which are at the end of the text; of two with one name the later is kept.
  mutating func sort(from first: Int, in text: inout JSONBuffer) {
    guard first < members.count else { return }
    let start = Int(members[first].name) - 1
    for place in first..<members.count {
      // A comma and a quote precede the next name.
      members[place].end =
        place + 1 < members.count ? members[place + 1].name - 2 : UInt32(truncatingIfNeeded: text.count)
    }
    text.withBytes { text in
      members.withUnsafeMutableBufferPointer { members in
        // This sort is in place and stable, and an insertion sort for the dozen members of a usual object.
        var own = UnsafeMutableBufferPointer(rebasing: members[first...])
        own.sort { Self.precedes($0, $1, text) }
      }
    }
    scratch.removeAll()
    text.withBytes { scratch.append(UnsafeBufferPointer(rebasing: $0[start...])) }
    text.removeLast(text.count - start)
    scratch.withBytes { scratch in
      for place in first..<members.count {
        let member = members[place]
        // Members with equal names are in their original order, so the last one is kept.
        if place + 1 < members.count, members[place + 1].head == member.head,
          Self.name(members[place + 1], scratch, start).elementsEqual(Self.name(member, scratch, start))
        {
          continue
        }
        if text.count > start { text.append(UInt8(ascii: ",")) }
        text.append(UnsafeBufferPointer(rebasing: scratch[Int(member.name) - 1 - start..<Int(member.end) - start]))
      }
    }
  }

  /// Returns the name of a member in a text from which the first `start` bytes were removed.
  private static func name(
    _ member: Member, _ text: UnsafeBufferPointer<UInt8>, _ start: Int
  ) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: text[Int(member.name) - start..<Int(member.nameEnd) - start])
  }

  private static func precedes(_ left: Member, _ right: Member, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if left.head != right.head { return left.head < right.head }
    return name(left, text, 0).lexicographicallyPrecedes(name(right, text, 0))
  }
}
