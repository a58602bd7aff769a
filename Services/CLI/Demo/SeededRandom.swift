/// Random numbers that are the same for the same seed, on every machine (SplitMix64 by Vigna).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  /// Numbers from a seed.
  init(_ seed: UInt64) { state = seed &* 0xD134_2543_DE82_EF95 &+ 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
  /// A number between two bounds.
  mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }
  /// True with a probability.
  mutating func chance(_ probability: Double) -> Bool { unit() < probability }
  /// One of several, or nil of none.
  mutating func pick<Element>(_ choices: [Element]) -> Element? {
    choices.isEmpty ? nil : choices[Int(unit() * Double(choices.count))]
  }
  /// Noise for audio, from -1 to 1.
  mutating func noise() -> Float { Float(Int32(truncatingIfNeeded: next() >> 32)) * 0x1p-31 }
}
