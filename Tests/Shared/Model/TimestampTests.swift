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
  func whatIsNoTimeIsRefused(text: String) {
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
