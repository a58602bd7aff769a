import Testing

@testable import lunara

/// Error codes are explained from the page that lists them.
struct ExplanationTests {
  @Test func sectionsAreRead() {
    let page = """
      # Errors

      ## Letters

      ### `b.two`

      It broke
      in two.

      To do: Try
      again.

      ## More

      Text.

      ### `a.one`

      It broke.

      To do: Mend it with `x`.
      """
    #expect(
      Explanation.all(in: page) == [
        Explanation(code: "a.one", meaning: "It broke.", remedy: "Mend it with `x`."),
        Explanation(code: "b.two", meaning: "It broke in two.", remedy: "Try again."),
      ])
  }

  @Test func theProgramKnowsThePage() {
    let codes = Explanation.all().map(\.code)
    #expect(codes.contains("cli.noHousehold") && codes.contains("storage.full") && codes.contains("demo.noFFmpeg"))
    #expect(Set(codes).count == codes.count)
    #expect(Explanation.all().allSatisfy { !$0.meaning.isEmpty && !$0.remedy.isEmpty })
  }
}
