import Testing

@testable import lunara

/// Error codes are explained from the page that lists them.
struct ExplanationTests {
  @Test func rowsOfTablesAreRead() {
    let page = """
      # Errors
      | code | what happened | what to do |
      |---|---|---|
      | `b.two` | It | broke | again. |
      | `a.one` | It broke. | Mend it with `x`. |
      Not a row with `c.three`.
      """
    #expect(
      Explanation.all(in: page) == [
        Explanation(code: "a.one", meaning: "It broke.", remedy: "Mend it with `x`."),
        Explanation(code: "b.two", meaning: "It", remedy: "broke again."),
      ])
  }

  @Test func theProgramKnowsThePage() {
    let codes = Explanation.all().map(\.code)
    #expect(codes.contains("cli.noHousehold") && codes.contains("storage.full") && codes.contains("demo.noFFmpeg"))
    #expect(Set(codes).count == codes.count)
    #expect(Explanation.all().allSatisfy { !$0.meaning.isEmpty && !$0.remedy.isEmpty })
  }
}
