import Model
import MusicTags
import TestSupport
import Testing

/// The dates of a release in tags.
struct ReleaseDatesTests {
  /// Texts of tags, and what is read of each.
  private static let texts: [(tag: String, date: String?)] = [
    ("1999", "1999"), ("1999-05", "1999-05"), ("1999-05-01", "1999-05-01"), ("19990501", "1999-05-01"),
    ("1999/05/01", "1999-05-01"), ("1 May 1999", "1999-05-01"), ("May 1999", "1999-05"),
    ("1999-05-01T12:30", "1999-05-01"),
    ("1999-05-01 12:30:00", "1999-05-01"), ("1999-13-01", "1999"), ("1999-00-00", "1999"), ("01.05.1999", "1999"),
    ("1999-02-30", "1999-02"), ("c. 1999", "1999"), ("99", nil), ("", nil), ("0000", nil), ("unknown", nil),
    ("19991399", "1999"),
  ]

  @Test(arguments: texts)
  func aTagIsReadAsFarAsItIsValid(_ text: (tag: String, date: String?)) {
    #expect(PartialDate(tag: text.tag)?.description == text.date)
  }

  @Test func theEditionsDateIsThatOfTheReleaseFirst() {
    #expect(DateTags(date: "1999", year: "1998").edition?.description == "1999")
    #expect(DateTags(date: "1999", release: "2011-09-26").edition?.description == "2011-09-26")
    #expect(DateTags(date: "?", year: "1998").edition?.description == "1998")
  }

  @Test func theOriginalDateMayBeInOtherTags() {
    #expect(
      DateTags(date: "2011", original: "1973-03-01", originalYear: "1974").originalRelease?.description == "1973-03-01")
    #expect(DateTags(date: "2011", originalYear: "1973").originalRelease?.description == "1973")
    #expect(DateTags(date: "1973", release: "2011").originalRelease?.description == "1973")
    #expect(DateTags(date: "2011", release: "2011-05").originalRelease == nil)
    #expect(DateTags(date: "2011").originalRelease == nil)
  }
}
