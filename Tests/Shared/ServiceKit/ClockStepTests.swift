import Model
import ServiceKit
import Testing

/// Steps of the host's clock.
struct ClockStepTests {
  private let second: Int64 = 1_000_000

  @Test func whatWasStampedInThisBootMovesWithTheClock() throws {
    // The clock began at 1970, and is set 100 s after the boot.
    var reference = ClockReference(now: Timestamp(seconds: 20), sinceBoot: 20 * second)
    let early = reference.step(now: Timestamp(seconds: 90), sinceBoot: 90 * second)
    let found = reference.step(now: Timestamp(seconds: 1_796_000_000), sinceBoot: 100 * second)
    let step = try #require(found)
    #expect(early == nil && step.moved(Timestamp(seconds: 40)) == Timestamp(seconds: 1_795_999_940))
    // An earlier boot had another clock, and what is stamped since is right.
    for other in [Timestamp(seconds: -1), Timestamp(seconds: 101), Timestamp(seconds: 1_796_000_001)] {
      #expect(step.moved(other) == other)
    }
    let later = reference.step(now: Timestamp(seconds: 1_796_000_050), sinceBoot: 150 * second)
    #expect(later == nil)
  }

  @Test func aClockThatIsSetBackOrLongAfterTheBootMovesNothing() {
    var reference = ClockReference(now: Timestamp(seconds: 1000), sinceBoot: 0)
    let back = reference.step(now: Timestamp(seconds: 500), sinceBoot: 100 * second)
    let late = reference.step(now: Timestamp(seconds: 90_000), sinceBoot: 3601 * second)
    #expect(back == nil && late == nil)
  }

  @Test func aClockThatIsCorrectedSlowlyMovesNothing() {
    var reference = ClockReference(now: Timestamp(seconds: 1000), sinceBoot: 0)
    for minute in Int64(1)...20 {
      let step = reference.step(now: Timestamp(seconds: 1000 + minute * 70), sinceBoot: minute * 60 * second)
      #expect(step == nil)
    }
    // While a host sleeps both clocks go on.
    let step = reference.step(now: Timestamp(seconds: 10_400), sinceBoot: 9200 * second)
    #expect(step == nil)
  }
}
