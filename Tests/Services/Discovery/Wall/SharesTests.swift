import Messages
import Model
import TestSupport
import Testing

@testable import Discovery

/// The dial, the counts of signals and the mixing of their albums, as the facts about the wall say.
@Suite struct SharesTests {
  @Test func theDialHasTheSharesOfTheTable() {
    #expect(
      Dial.positions.map(Dial.wallWeights) == [
        [45, 30, 15, 5, 5], [30, 30, 20, 10, 10], [20, 20, 25, 20, 15], [10, 15, 20, 30, 25], [5, 5, 15, 25, 50],
      ])
    #expect(
      Dial.positions.map(Dial.feedWeights) == [
        [30, 25, 10, 5, 10, 20], [20, 20, 15, 10, 15, 20], [10, 15, 20, 20, 20, 15], [5, 10, 15, 25, 35, 10],
        [0, 5, 10, 20, 55, 10],
      ])
    for dial in Dial.positions {
      #expect(Dial.wallWeights(at: dial).reduce(0, +) == 100 && Dial.feedWeights(at: dial).reduce(0, +) == 100)
    }
    #expect(Dial.usual == 3 && Dial.names[2] == "Mixed Crate")
    #expect(Dial.positions.map(Dial.chartOffset) == [15, 40, 80, 130, 180])
    #expect(Dial.positions.map(Dial.heldDays) == [3, 5, 7, 10, 14])
  }

  @Test func fiftyAlbumsAtTheFirstPositionAre23And15And8And2And2() {
    #expect(Shares.counts(Dial.wallWeights(at: 1), total: 50) == [23, 15, 8, 2, 2])
  }

  @Test func countsAddUpAndAreWithinOneOfTheirShare() {
    for dial in Dial.positions {
      for weights in [Dial.wallWeights(at: dial), Dial.feedWeights(at: dial)] {
        for total in 0...200 {
          let counts = Shares.counts(weights, total: total)
          #expect(counts.reduce(0, +) == total)
          for (count, weight) in zip(counts, weights) {
            #expect(abs(Double(count) - Double(weight * total) / 100) < 1)
          }
        }
      }
    }
    #expect(Shares.counts([0, 0], total: 5) == [0, 0])
  }

  @Test func mixingDrawsSignalsByTheirWeightsAndLeavesThoseOfWeightZero() {
    var random = SplitMix64(state: 4)
    let mixed = Interleaving.mix(
      [(9, (0..<900).map { ("a", $0) }), (1, (0..<900).map { ("b", $0) }), (0, [("c", 0)])], using: &random)
    #expect(mixed.count == 1800 && !mixed.contains { $0.0 == "c" })
    let first = mixed.prefix(500).count { $0.0 == "a" }
    #expect((420...480).contains(first))
    // Each bucket is shuffled.
    #expect(mixed.filter { $0.0 == "a" }.map(\.1) != Array(0..<900))
    #expect(Set(mixed.filter { $0.0 == "a" }.map(\.1)).count == 900)
  }
}
