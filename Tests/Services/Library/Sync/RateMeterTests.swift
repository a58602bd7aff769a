import Testing

@testable import lunara_library

struct RateMeterTests {
  @Test func aRateIsKnownAfterAMomentAndFollowsTheLastSeconds() {
    var meter = RateMeter()
    meter.add(0, at: .zero)
    #expect(meter.rate == nil)
    meter.add(100, at: .seconds(1))
    #expect(meter.rate == 100)
    for second in 2...20 { meter.add(100 + (second - 1) * 10, at: .seconds(second)) }
    #expect(meter.rate == 10)
  }
}
