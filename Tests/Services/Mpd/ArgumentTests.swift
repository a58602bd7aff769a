import Model
import Testing

@testable import Mpd

/// Numbers, ranges and places in arguments, with values that no list has.
@Suite struct ArgumentTests {
  private func message<Value>(_ read: () throws(CommandError) -> Value) -> String? {
    do throws(CommandError) {
      _ = try read()
      return nil
    } catch {
      return error.message
    }
  }

  @Test func numbersAreCheckedAsServersDo() throws {
    #expect(try "12".unsigned() == 12)
    #expect(message { () throws(CommandError) in try "-1".unsigned() } == "Number is negative: -1")
    #expect(message { () throws(CommandError) in try "x".unsigned() } == "Integer expected: x")
    #expect(
      message { () throws(CommandError) in try "99999999999999999999".unsigned() }
        == "Number too large: 99999999999999999999")
    for text in ["9223372036854775807", "-9223372036854775808", "-4294967296"] {
      #expect(message { () throws(CommandError) in _ = try text.integer() } == "Number too large: \(text)")
    }
    #expect(message { () throws(CommandError) in try "2".flag() } == "Boolean (0/1) expected: 2")
    #expect(message { () throws(CommandError) in try "nan".time() } == "Float expected: nan")
    #expect(try "4.5".time() == Milliseconds(4500))
  }

  @Test func rangesAreHalfOpenAndMayBeOpenAtTheEnd() throws {
    #expect(try "2:4".positions().within(10) == 2..<4)
    #expect(try "2:".positions().within(3) == 2..<3)
    #expect(try "5:4294967295".positions().within(3).isEmpty)
    #expect(try "-1".positions().within(3) == 0..<3)
    #expect(message { () throws(CommandError) in try "4:2".positions() } != nil)
    #expect(message { () throws(CommandError) in try ":2".positions() } != nil)
  }

  @Test func placesCountFromTheCurrentSong() throws {
    #expect(try QueuePosition("+0").index(count: 5, current: 2) == 3)
    #expect(try QueuePosition("-0").index(count: 5, current: 2) == 2)
    #expect(try QueuePosition("5").index(count: 5, current: nil) == 5)
    #expect(throws: CommandError.badIndex) { try QueuePosition("6").index(count: 5, current: nil) }
    #expect(throws: CommandError(.playerSync, "No current song")) {
      try QueuePosition("+1").index(count: 5, current: nil)
    }
  }

  @Test func timesHaveThreeDecimals() {
    #expect(Milliseconds(5005).decimal == "5.005")
    #expect(Milliseconds(-4).decimal == "0.000")
    #expect(Milliseconds(399_500).roundedSeconds == 400)
  }
}
