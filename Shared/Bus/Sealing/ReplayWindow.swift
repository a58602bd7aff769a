/// Which counters of one sender's run were seen on one channel: each is taken once, and none that is 4,096 or more behind
/// the highest.
///
/// A counter is looked at before its frame is opened and enters only after it has opened, so nobody without the key can
/// move the window.
struct ReplayWindow: Sendable {
  /// How many counters back are told apart.
  static let length: UInt64 = 4096

  private var highest: UInt64 = 0
  // Counters start at 1; that 0 counts as seen makes the empty window no special case.
  private var seen: [UInt64] = [1] + [UInt64](repeating: 0, count: 63)

  /// Whether a counter is neither seen nor too old.
  func admits(_ counter: UInt64) -> Bool {
    if counter > highest { return true }
    return highest - counter < Self.length && seen[Self.word(counter)] & Self.bit(counter) == 0
  }

  /// Notes a counter whose frame has opened.
  mutating func insert(_ counter: UInt64) {
    if counter > highest {
      if counter - highest >= Self.length {
        for index in seen.indices { seen[index] = 0 }
      } else {
        // The places of the counters in between still hold what was seen one length ago.
        for passed in highest + 1...counter { seen[Self.word(passed)] &= ~Self.bit(passed) }
      }
      highest = counter
    } else if highest - counter >= Self.length {
      return
    }
    seen[Self.word(counter)] |= Self.bit(counter)
  }

  private static func word(_ counter: UInt64) -> Int { Int(counter % length / 64) }
  private static func bit(_ counter: UInt64) -> UInt64 { 1 << (counter % 64) }
}
