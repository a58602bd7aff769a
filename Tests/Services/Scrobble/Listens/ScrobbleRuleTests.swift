import Model
import Testing

@testable import lunara_scrobble

struct ScrobbleRuleTests {
  private func verdict(_ heard: Int64, of duration: Int64) -> ScrobbleRule.Verdict {
    ScrobbleRule.judge(heard: Milliseconds(heard), of: Milliseconds(duration))
  }

  @Test func halfOfATrackCounts() {
    #expect(verdict(99_999, of: 200_000) == .notYet)
    #expect(verdict(100_000, of: 200_000) == .counts)
  }

  @Test func halfIsNotRoundedDown() {
    #expect(verdict(100_000, of: 200_001) == .notYet)
    #expect(verdict(100_001, of: 200_001) == .counts)
  }

  @Test func fourMinutesOfALongTrackCount() {
    #expect(verdict(239_999, of: 3_600_000) == .notYet)
    #expect(verdict(240_000, of: 3_600_000) == .counts)
  }

  @Test func tracksOfThirtySecondsOrLessNeverCount() {
    #expect(verdict(30_000, of: 30_000) == .never)
    #expect(verdict(900_000, of: 29_000) == .never)
    #expect(verdict(15_001, of: 30_001) == .counts)
  }

  @Test(arguments: [0, -1, Int64.min]) func aTrackOfUnknownLengthCountsAtFourMinutes(duration: Int64) {
    #expect(verdict(239_999, of: duration) == .notYet)
    #expect(verdict(240_000, of: duration) == .counts)
  }

  @Test(arguments: [0, -5, Int64.min]) func nothingHeardIsNotYet(heard: Int64) {
    #expect(verdict(heard, of: 200_000) == .notYet)
  }

  @Test func absurdTimesAreNoTrap() {
    #expect(verdict(.max, of: .max) == .counts)
    #expect(verdict(.min, of: .max) == .notYet)
  }
}
