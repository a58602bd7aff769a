import Model
import TestSupport
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00.000000Z", 0), ("2000-02-29T23:59:59.999999Z", 951_868_799_999_999),
    ("2026-11-20T14:30:00.123456Z", 1_795_185_000_123_456), ("1969-12-31T23:59:59.999999Z", -1),
    ("1900-03-01T00:00:00.000000Z", -2_203_891_200_000_000), ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
    ("0000-01-01T00:00:00.000000Z", -62_167_219_200_000_000),
  ])
  func knownMomentsReadAndPrint(text: String, microseconds: Int64) {
    #expect(Timestamp(text)?.microseconds == microseconds)
    #expect(Timestamp(microseconds: microseconds).description == text)
  }

  @Test func everyDayAroundTheTurnsOfCenturiesAndRandomMomentsSurviveTheirText() {
    for century in [1700, 1900, 2000, 2100, 2400] {
      guard let first = Timestamp("\(century - 5)-01-01T23:59:59Z") else { continue }
      for day in Int64(0)..<3653 {
        let moment = Timestamp(seconds: first.seconds + day * 86400)
        #expect(Timestamp(moment.description) == moment)
      }
    }
    var generator = Seeded(1)
    for _ in 0..<20_000 {
      let moment = Timestamp(
        microseconds: .random(in: -62_167_219_200_000_000...253_402_300_799_999_999, using: &generator))
      #expect(Timestamp(moment.description) == moment)
    }
  }

  @Test(arguments: [
    "", "Z", "2026-02-29T00:00:00Z", "2026-02-31T00:00:00Z", "2026-04-31T00:00:00Z", "1900-02-29T00:00:00Z",
    "2026-00-10T00:00:00Z", "2026-13-10T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00+00:00",
    "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.12x456Z", "2026-01-01T00:00:00.123456789012345678901234x6Z",
    "+026-01-01T00:00:00Z", "2026-01-01T00:00:00,5Z", "２０２６-01-01T00:00:00Z",
  ])
  func invalidTimesAreRefused(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test func fractionsOfAnyLengthAreReadAndCutAtTheMicrosecond() {
    #expect(Timestamp("1970-01-01T00:00:01Z")?.microseconds == 1_000_000)
    #expect(Timestamp("1970-01-01T00:00:01.5Z")?.microseconds == 1_500_000)
    #expect(Timestamp("1970-01-01T00:00:01.0000019Z")?.microseconds == 1_000_001)
    #expect(Timestamp("1970-01-01T00:00:01.1234567890123456789012345678901234567890Z")?.microseconds == 1_123_456)
  }

  @Test func theExtremesOfTheTypeNeitherTrapNorReadBackAsSomethingElse() {
    for value in [Int64.min, Int64.min + 1, Int64.max] {
      let moment = Timestamp(microseconds: value)
      #expect(moment.description.utf8.count == 27)
    }
    #expect(Timestamp(microseconds: -1).seconds == -1)
    #expect(Timestamp(microseconds: -1_000_000).seconds == -1)
    #expect(Timestamp(microseconds: 999_999).seconds == 0)
  }

  @Test func differencesAreInMilliseconds() {
    #expect(Timestamp(microseconds: 5_000_999) - Timestamp(microseconds: 2_000_000) == Milliseconds(3000))
    #expect(Timestamp(seconds: 10) - Milliseconds(1500) == Timestamp(microseconds: 8_500_000))
    #expect(Timestamp(seconds: 1) < Timestamp(seconds: 2))
  }

  @Test func jsonIsTheText() throws {
    #expect(try json(Timestamp(seconds: 0)) == #""1970-01-01T00:00:00.000000Z""#)
    #expect(try throughJSON(Timestamp(microseconds: -7)) == Timestamp(microseconds: -7))
    #expect(throws: DecodingError.self) { try decoded(Timestamp.self, #""yesterday""#) }
  }
}

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

  @Test func theExtremesDoNotCrash() {
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
