/// An order of numbers drawn from a seed that is found without looking at all of them: place after place leads to a
/// number, each number once (a Feistel network of four rounds over an even number of bits; Luby and Rackoff 1988).
struct RandomOrder {
  /// How many bits a number has; even.
  let bits: Int
  private let seed: UInt64

  /// An order of the numbers 0 up to `largest` at least.
  init(seed: Int64, largest: Int64) {
    var bits = 2
    while bits < 62, largest >> Int64(bits) > 0 { bits += 2 }
    self.init(seed: seed, bits: bits)
  }

  /// An order that was drawn before.
  init(seed: Int64, bits: Int) {
    self.bits = min(62, max(2, bits & ~1))
    self.seed = UInt64(bitPattern: seed)
  }

  /// How many places there are.
  var count: Int64 { 1 << Int64(bits) }

  /// The number at a place.
  func number(at place: Int64) -> Int64 {
    let half = UInt64(bits / 2)
    let mask: UInt64 = 1 << half - 1
    let place = UInt64(bitPattern: place)
    var (left, right) = ((place >> half) & mask, place & mask)
    for round: UInt64 in 1...4 { (left, right) = (right, left ^ (mixed(right, round) & mask)) }
    return Int64(bitPattern: left << half | right)
  }

  /// SplitMix64 (Steele, Lea and Flood 2014) of seed, round and value.
  private func mixed(_ value: UInt64, _ round: UInt64) -> UInt64 {
    var mixed = seed &+ round &* 0x9E37_79B9_7F4A_7C15 &+ value &* 0xD1B5_4A32_D192_ED03
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
