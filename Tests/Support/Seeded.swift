import System

/// A generator with a seed, so that what is drawn is the same in every run.
public struct Seeded: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  /// Makes one that begins at a seed.
  public init(_ seed: UInt64) { generator = SplitMix64(state: seed) }

  /// The next number.
  public mutating func next() -> UInt64 { generator.next() }
}
