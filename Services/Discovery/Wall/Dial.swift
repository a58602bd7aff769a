import Messages
import Model

/// The positions of the dial, from familiar albums to unknown ones, and the weights of the signals at each.
enum Dial {
  /// The positions.
  static let positions = 1...5
  /// The position where nobody chose one.
  static let usual = 3

  /// The names of the positions for people.
  static let names = ["My Crate", "Curated", "Mixed Crate", "Deep Dig", "Mystery Crate"]

  /// The signals of a wall, in the order in which an album that several found is kept.
  static let wallSignals: [Discovery.Signal] = [.history, .recommended, .charts, .new, .wild]
  /// The signals of a feed.
  static let feedSignals: [Discovery.Signal] = [.history, .recommended, .charts, .new, .rotation, .seeds]

  private static let wallWeights = [
    [45, 30, 15, 5, 5], [30, 30, 20, 10, 10], [20, 20, 25, 20, 15], [10, 15, 20, 30, 25], [5, 5, 15, 25, 50],
  ]
  private static let feedWeights = [
    [30, 25, 10, 5, 10, 20], [20, 20, 15, 10, 15, 20], [10, 15, 20, 20, 20, 15], [5, 10, 15, 25, 35, 10],
    [0, 5, 10, 20, 55, 10],
  ]
  private static let chartOffsets = [15, 40, 80, 130, 180]
  private static let heldDays = [3, 5, 7, 10, 14]

  /// Returns the weights of a wall's signals in percent.
  static func wallWeights(at dial: Int) -> [Int] { wallWeights[dial - 1] }

  /// Returns the weights of a feed's signals in percent.
  static func feedWeights(at dial: Int) -> [Int] { feedWeights[dial - 1] }

  /// Returns the last place of a chart at which a wall may begin to take from it.
  static func chartOffset(at dial: Int) -> Int { chartOffsets[dial - 1] }

  /// Returns the number of days for which an album that was shown is held back.
  static func heldDays(at dial: Int) -> Int { heldDays[dial - 1] }
}

/// Splits a number of places among signals.
enum Shares {
  /// Returns the number of places of each weight: its share of the total, rounded by the largest remainder; of equal
  /// remainders the first wins.
  static func counts(_ weights: [Int], total: Int) -> [Int] {
    let sum = weights.reduce(0, +)
    guard sum > 0, total > 0 else { return weights.map { _ in 0 } }
    var counts = weights.map { $0 * total / sum }
    let remainders = weights.indices.map { (remainder: weights[$0] * total % sum, index: $0) }
      .sorted { ($0.remainder, $1.index) > ($1.remainder, $0.index) }
    for (_, index) in remainders.prefix(total - counts.reduce(0, +)) { counts[index] += 1 }
    return counts
  }
}

/// Mixes the albums of several signals into one sequence.
enum Interleaving {
  /// Shuffles each bucket, then draws a signal with a probability proportional to its weight among those that have
  /// albums left, and takes its next album, until only signals of weight 0 are left.
  static func mix<Item>(_ buckets: [(weight: Int, items: [Item])], using random: inout SplitMix64) -> [Item] {
    var rest = buckets.map { (weight: $0.weight, items: $0.items.shuffled(using: &random)) }
    var mixed: [Item] = []
    mixed.reserveCapacity(rest.reduce(0) { $0 + $1.items.count })
    while true {
      let total = rest.reduce(0) { $0 + ($1.items.isEmpty ? 0 : $1.weight) }
      guard total > 0 else { return mixed }
      var drawn = Int.random(in: 0..<total, using: &random)
      for index in rest.indices where !rest[index].items.isEmpty {
        drawn -= rest[index].weight
        guard drawn < 0, let next = rest[index].items.popLast() else { continue }
        mixed.append(next)
        break
      }
    }
  }
}
