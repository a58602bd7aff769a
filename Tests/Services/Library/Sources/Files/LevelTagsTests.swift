import Model
import Testing

@testable import lunara_library

struct LevelTagsTests {
  private func levels(_ values: (TagField, String)...) -> Levels? {
    var tags = LevelTags()
    for (field, text) in values {
      var text = text
      text.withUTF8 { tags.add(field, $0) }
    }
    return tags.finished()
  }

  @Test(arguments: [
    ("-6.50 dB", -6.5), ("+3.2 dB", 3.2), ("-6,50 dB", -6.5), (" -7.1dB", -7.1), ("0.00 dB", 0), ("4", 4),
  ])
  func gainsOfAllForms(_ text: String, _ gain: Double) { #expect(levels((.trackGain, text))?.trackGain == gain) }

  @Test(arguments: ["", "dB", "nan", "inf dB", "-", "1e300 dB", "-200 dB", "none"])
  func whatIsNoGainIsNone(_ text: String) { #expect(levels((.trackGain, text)) == nil) }

  @Test(arguments: [("0.988553", 0.988553), ("1", 1), ("1.2345", 1.2345), ("0.0", nil), ("-1", nil), ("400", nil)])
  func peaksAreLinear(_ text: String, _ peak: Double?) { #expect(levels((.albumPeak, text))?.albumPeak == peak) }

  @Test func opusGainsAreBroughtFromTheirReferenceToOurs() {
    // -1536 / 256 = -6 dB towards -23 LUFS is -1 dB towards -18 LUFS.
    let read = levels((.trackR128, "-1536"), (.albumR128, "0"))
    #expect(read == Levels(trackGain: -1, albumGain: 5))
    #expect(levels((.trackR128, "40000")) == nil)
  }

  @Test func theFormatsOwnGainCountsBeforeTheOtherOne() {
    #expect(levels((.trackGain, "-9 dB"), (.trackR128, "256"))?.trackGain == 6)
  }

  @Test(arguments: [
    ("89.0 dB", -6.0), ("83 dB", 0), ("-18.00 LUFS", -6), ("-23.00 LUFS", -1), ("nonsense", -6), ("5000", -6),
  ])
  func otherReferencesAreBroughtToOurs(_ reference: String, _ gain: Double) {
    #expect(levels((.trackGain, "-6 dB"), (.reference, reference)) == Levels(trackGain: gain))
    #expect(levels((.reference, reference), (.trackGain, "-6 dB")) == Levels(trackGain: gain))
  }

  @Test func theFirstValueCounts() {
    #expect(levels((.trackGain, "-1 dB"), (.trackGain, "-2 dB")) == Levels(trackGain: -1))
  }
}
