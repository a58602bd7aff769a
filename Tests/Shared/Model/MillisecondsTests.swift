import Model
import Testing

@Suite struct MillisecondsTests {
  @Test(arguments: [
    (0, "0:00"), (999, "0:00"), (1000, "0:01"), (187_000, "3:07"), (3_599_999, "59:59"), (3_600_000, "1:00:00"),
    (3_765_000, "1:02:45"), (-1000, "-0:01"), (-999, "0:00"), (-3_765_000, "-1:02:45"),
  ])
  func lengthsPrintAsPeopleWriteThem(milliseconds: Int64, text: String) {
    #expect(Milliseconds(milliseconds).description == text)
  }

  @Test func secondsRoundAndWhatIsNoFiniteNumberIsZero() {
    #expect(Milliseconds(seconds: 1.2344) == Milliseconds(1234))
    #expect(Milliseconds(seconds: 1.2346) == Milliseconds(1235))
    #expect(Milliseconds(seconds: -0.5) == Milliseconds(-500))
    for odd in [Double.nan, .infinity, -.infinity, 1e300] { #expect(Milliseconds(seconds: odd) == .zero) }
  }

  @Test func theExtremesDoNotTrap() {
    #expect(Milliseconds(.min).description.hasPrefix("-2562047788015:12"))
    _ = Milliseconds(.max) + Milliseconds(1)
    _ = Milliseconds(.min) - Milliseconds(1)
  }

  @Test func jsonIsABareInteger() throws {
    #expect(try json(Milliseconds(1500)) == "1500")
    #expect(try throughJSON(Milliseconds(-3)) == Milliseconds(-3))
  }

  @Test func aPositionMovesWithItsRateAndStaysWithinTheTrack() {
    let anchor = Position(offset: Milliseconds(1000), rate: 1, takenAt: Timestamp(seconds: 0))
    #expect(anchor.after(Milliseconds(500)) == Milliseconds(1500))
    #expect(anchor.after(Milliseconds(5000), upTo: Milliseconds(3000)) == Milliseconds(3000))
    #expect(anchor.after(Milliseconds(5000), upTo: Milliseconds(-1)) == .zero)
    #expect(anchor.after(Milliseconds(-5000)) == .zero)
    var held = anchor
    held.rate = 0
    #expect(held.after(Milliseconds(9999)) == Milliseconds(1000))
  }

  @Test func aPositionFromTheBusWithAnAbsurdRateOrOffsetDoesNotTrap() {
    for rate in [Double.nan, .infinity, -1e300, 1e300] {
      for offset in [Int64.min, 0, Int64.max] {
        let position = Position(offset: Milliseconds(offset), rate: rate, takenAt: Timestamp(seconds: 0))
        #expect(position.after(Milliseconds(.max)) >= .zero)
      }
    }
  }
}
