/// A version by the rules of semver.org 2.0. Parts that are missing count as 0, and words before the first number are
/// left out.
public struct SemanticVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The version as it was written; `0` for an empty one.
  public let description: String
  private let numbers: [UInt64]
  private let prerelease: [Substring]

  public init(_ text: String) {
    description = text.isEmpty ? "0" : text
    let core = text.drop { !$0.isASCII || !$0.isNumber }.prefix { $0 != "+" }
    let parts = core.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = (parts.first ?? "").split(separator: ".", omittingEmptySubsequences: false).prefix(3).map {
      UInt64($0.prefix { $0.isASCII && $0.isNumber }) ?? 0
    }
    self.numbers = numbers + [UInt64](repeating: 0, count: 3 - numbers.count)
    prerelease = parts.count > 1 ? parts[1].split(separator: ".", omittingEmptySubsequences: false) : []
  }

  /// Returns true for versions that are equal by the rules, however they are written.
  public static func == (one: Self, other: Self) -> Bool { !(one < other) && !(other < one) }

  /// Hashes what the comparison uses.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(numbers)
    hasher.combine(prerelease)
  }

  /// Returns true if the first version comes before the other one.
  public static func < (one: Self, other: Self) -> Bool {
    guard one.numbers == other.numbers else { return one.numbers.lexicographicallyPrecedes(other.numbers) }
    guard !one.prerelease.isEmpty, !other.prerelease.isEmpty else {
      // A version comes after those that were tried before it.
      return !one.prerelease.isEmpty && other.prerelease.isEmpty
    }
    for (own, others) in zip(one.prerelease, other.prerelease) where own != others {
      switch (UInt64(own), UInt64(others)) {
      case (let own?, let others?): if own != others { return own < others }
      case (nil, nil): return own.utf8.lexicographicallyPrecedes(others.utf8)
      case (let number, _): return number != nil
      }
    }
    return one.prerelease.count < other.prerelease.count
  }
}
