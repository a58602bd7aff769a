/// Random numbers that are the same for the same seed (SplitMix64).
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x2545_f491_4f6c_dd1d &+ 0x9e37_79b9_7f4a_7c15 }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to below `limit`.
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// Whether something of this likelihood happens, in thousandths.
  mutating func happens(_ permille: Int) -> Bool { below(1000) < permille }

  /// A length of time between two, in microseconds.
  mutating func between(_ low: Int, _ high: Int) -> Int { low + below(high - low + 1) }

  /// One of some.
  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }
}
