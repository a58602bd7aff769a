import Testing

@testable import Bus

@Suite struct KnockLimitTests {
  private let start = ContinuousClock.now

  private func answered(_ limit: inout ProbeLimit, _ knocks: Int, at now: ContinuousClock.Instant) -> Int {
    (0..<knocks).count { _ in limit.allows(at: now) }
  }

  @Test func aBurstIsAnsweredAndWhatIsBeyondItIsNot() {
    var limit = ProbeLimit(at: start)
    #expect(answered(&limit, 1000, at: start) == 200)
    #expect(answered(&limit, 1000, at: start) == 0)
  }

  @Test func aHundredASecondAreAnsweredForEver() {
    var limit = ProbeLimit(at: start)
    _ = answered(&limit, 1000, at: start)
    for second in 1...60 { #expect(answered(&limit, 1000, at: start + .seconds(second)) == 100) }
  }

  @Test func aQuietTimeFillsItToTheBrimAndNotBeyond() {
    var limit = ProbeLimit(at: start)
    _ = answered(&limit, 1000, at: start)
    #expect(answered(&limit, 1000, at: start + .milliseconds(9)) == 0)
    #expect(answered(&limit, 1000, at: start + .seconds(3600)) == 200)
  }
}
