import Model

/// A random number generator with a seed, whose numbers are the same in every run.
public struct Seeded: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  /// Makes a generator with a seed.
  public init(_ seed: UInt64) { generator = SplitMix64(state: seed) }

  /// Returns the next number.
  public mutating func next() -> UInt64 { generator.next() }
}
