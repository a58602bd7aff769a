import Messages
import Model
import Testing

@testable import lunara

/// Durations and positions, parsed and printed.
struct TimesTests {
  @Test(
    arguments: [
      ("90", 90_000), ("90s", 90_000), ("500ms", 500), ("1.5m", 90_000), ("10m", 600_000), ("2h", 7_200_000),
      ("7d", 604_800_000),
    ] as [(String, Int64)])
  func durationsAreRead(text: String, milliseconds: Int64) {
    #expect(Milliseconds(duration: text) == Milliseconds(milliseconds))
  }

  @Test(arguments: ["", "s", "1 h", "-5s", "5w", "1h30m", "1e9", "9999999999999d"])
  func invalidDurationsAreRefused(text: String) {
    #expect(Milliseconds(duration: text) == nil)
  }

  @Test(
    arguments: [
      (999, "0 s"), (59_000, "59 s"), (61_000, "1 min"), (7_260_000, "2 h 1 min"), (100_000_000, "1 d 3 h"),
      (-5, "0 s"),
    ] as [(Int64, String)])
  func lengthsAreSpokenInTheirLargestUnits(milliseconds: Int64, text: String) {
    #expect(Milliseconds(milliseconds).text == text)
  }

  @Test func anAgeIsSaidOnlyWhereTheClockWasSet() {
    let now = Timestamp(seconds: 1_796_000_000)
    #expect(Timestamp(seconds: now.seconds - 7260).ago(at: now) == "2 h 1 min ago")
    for moment in [0, 20, 1_262_303_999] as [Int64] {
      #expect(Timestamp(seconds: moment).ago(at: now) == "at an unknown time")
      #expect(now.ago(at: Timestamp(seconds: moment)) == "at an unknown time")
    }
  }

  @Test func anUnknownLengthIsLeftOut() {
    #expect(Milliseconds(185_000).ofTrack == "3:05" && Milliseconds.zero.ofTrack == "")
    #expect(Milliseconds(12_000).of(Milliseconds(185_000)) == "0:12 / 3:05")
    #expect(Milliseconds(12_000).of(.zero) == "0:12")
  }

  @Test func seekTargets() {
    #expect(SeekTarget.action("90") == .seek(to: Milliseconds(90_000)))
    #expect(SeekTarget.action("1:30") == .seek(to: Milliseconds(90_000)))
    #expect(SeekTarget.action("1:00:00.5") == .seek(to: Milliseconds(3_600_500)))
    #expect(SeekTarget.action("+15") == .skip(by: Milliseconds(15_000)))
    #expect(SeekTarget.action("-1:00") == .skip(by: Milliseconds(-60_000)))
    for text in ["", "+", "a", "1:", "1:2:3:4", "--5", "1e3", "nan"] { #expect(SeekTarget.action(text) == nil) }
  }
}
