import Messages
import Model

/// An album that is not in the library and can be shown.
struct MissingCandidate: Hashable, Sendable {
  /// Its row.
  var number: Int32
  var signal: Discovery.Signal
  /// The genres of its artist's albums in the library.
  var set: GenreSet
  var clue: Clue
}

/// The share of albums that are not in the library.
enum MissingShare {
  /// The most of them at each position of the dial, in percent of a page.
  private static let percents = [0, 0, 5, 10, 15]

  /// Returns the most of them on a page with so many albums.
  static func limit(at dial: Int, of count: Int) -> Int { count * percents[dial - 1] / 100 }

  /// Replaces albums by some that are not in the library, each in the bucket of its signal, so that the shares of the
  /// signals stay. The albums that gave their places can be taken again later.
  static func place(
    _ input: PageInput, in buckets: inout [[Pick]], of signals: [Discovery.Signal], _ selection: inout Selection
  ) {
    let limit = limit(at: input.dial, of: buckets.reduce(0) { $0 + $1.count })
    guard limit > 0, !input.missing.isEmpty else { return }
    var lists: [[MissingCandidate]] = signals.map { _ in [] }
    // A feed has no wild cards: what belongs to none of its signals rotates.
    let rest = signals.firstIndex(of: .rotation) ?? 0
    for candidate in input.missing { lists[signals.firstIndex(of: candidate.signal) ?? rest].append(candidate) }
    for index in lists.indices { lists[index].shuffle(using: &selection.random) }
    var placed = 0
    var isDone = false
    var next = buckets.map { _ in 0 }
    while placed < limit, !isDone {
      isDone = true
      for index in lists.indices where placed < limit && next[index] < min(buckets[index].count, lists[index].count) {
        let spared = buckets[index][next[index]]
        let candidate = lists[index][next[index]]
        selection.release(CollectionOfOne(spared.album))
        buckets[index][next[index]] = Pick(
          album: -1, signal: signals[index], clue: candidate.clue, missing: candidate.number)
        next[index] += 1
        placed += 1
        isDone = false
      }
    }
  }
}
