/// Bytes that grow, owned by one place alone: an array asks at each append whether somebody else has it too, which costs
/// more than the few bytes of a field.
struct JSONBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(64, capacity)
    start = .allocate(capacity: self.capacity)
  }

  deinit { start.deallocate() }

  /// The bytes as they are now; valid within `body` only.
  borrowing func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    try body(UnsafeBufferPointer(start: start, count: count))
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    start[count] = byte
    count += 1
  }

  /// Appends bytes that are not this buffer's own.
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
