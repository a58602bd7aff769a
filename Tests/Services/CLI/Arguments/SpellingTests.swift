import Testing

@testable import lunara

/// Suggestions for misspelt words.
struct SpellingTests {
  @Test(arguments: [("staus", "status"), ("sratus", "status"), ("stauts", "status"), ("albms", "albums")])
  func aTypingErrorGetsASuggestion(typed: String, meant: String) {
    #expect(Spelling.nearest(to: typed, in: ["status", "albums", "up"]) == meant)
  }

  @Test func aVeryDifferentWordGetsNoSuggestion() {
    #expect(Spelling.nearest(to: "dance", in: ["status", "albums", "up"]) == nil)
    #expect(Spelling.nearest(to: "x", in: ["up"]) == nil)
  }
}
