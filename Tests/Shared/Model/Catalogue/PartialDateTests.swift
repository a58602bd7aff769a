import Model
import Testing

/// Dates of which parts may be unknown.
struct PartialDateTests {
  @Test(arguments: ["1999", "1999-05", "1999-05-01", "2024-02-29", "0800"])
  func textComesBack(_ text: String) {
    #expect(PartialDate(text)?.description == text)
  }

  @Test(arguments: ["", "99", "1999-5", "1999-13", "1999-02-29", "1999-05-01-01", "1999-05-", "19990501", "0000", "x"])
  func otherTextsAreNoDates(_ text: String) {
    #expect(PartialDate(text) == nil)
  }

  @Test func partsThatAreNotValidAreLeftOut() {
    #expect(PartialDate(year: 1999, month: 13, day: 1)?.description == "1999")
    #expect(PartialDate(year: 1999, month: 2, day: 30)?.description == "1999-02")
    #expect(PartialDate(year: 0) == nil)
  }

  @Test func datesAreOrdered() {
    let texts = ["1999", "1999-05", "1999-05-01", "1999-06", "2000"]
    let dates = texts.compactMap(PartialDate.init(_:))
    #expect(dates.shuffled().sorted().map(\.description) == texts)
  }
}
