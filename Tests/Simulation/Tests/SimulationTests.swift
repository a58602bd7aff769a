import Testing

@Suite struct SimulationTests {
  /// In release many more are run: `make chaos`.
  @Test(arguments: 0..<8) func randomFaultsBreakNoGuaranteeOfTheBus(_ part: Int) {
    for seed in stride(from: UInt64(part + 1), through: 200, by: 8) {
      let violation = World(seed: seed).run()
      #expect(violation == nil, "seed \(seed): \(violation.map { "\($0)" } ?? "")")
    }
  }

  @Test func aSeedGivesTheSameRunTwice() {
    func story(_ seed: UInt64) -> [String] {
      var lines: [String] = []
      _ = World(seed: seed) { lines.append($0) }.run()
      return lines
    }
    for seed: UInt64 in 1...3 {
      let first = story(seed)
      #expect(first.count > 50)
      #expect(first == story(seed))
    }
  }
}
