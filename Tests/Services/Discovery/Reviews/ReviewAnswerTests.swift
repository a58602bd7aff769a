import Messages
import Model
import Testing

@testable import Discovery

/// How the answer of a model becomes a review.
@Suite struct ReviewAnswerTests {
  private static let tracks = ["Tram at Night", "Blue Hour", "Depot"]

  private func read(_ text: String, hasSearched: Bool = false, tracks: [String] = ReviewAnswerTests.tracks)
    -> ReviewAnswer?
  {
    do { return try ReviewAnswer(text, hasSearched: hasSearched, tracks: tracks) } catch { return nil }
  }

  /// Returns the good answer with one text replaced by another.
  private func good(_ old: String, _ new: String) -> String { TestReviews.good.replacing(old, with: new) }

  @Test func codeFencesProseAndThoughtsAroundTheJSONAreCutOff() throws {
    let plain = try #require(read(TestReviews.good))
    for text in [
      "```json\n\(TestReviews.good)\n```", "Here is your review:\n\n\(TestReviews.good)\n\nEnjoy!",
      "<think>A {strange} one.</think>\n\(TestReviews.good)",
    ] { #expect(read(text) == plain) }
  }

  @Test(arguments: [
    ("\"rating\": null", "\"rating\": 12"), ("\"rating\": null", "\"rating\": -0.1"),
    ("\"rating\": null", "\"rating\": \"12 of 10\""), ("\"rating\": null", "\"rating\": true"),
    ("\"rating\": null", "\"rating\": []"), ("Quiet Masterwork", "Best Thing Ever"), ("\"Quiet Masterwork\"", "3"),
    ("It turned tram noise into rhythm.", ""), ("as clubs", "early. All was dark. So were clubs. As it"),
    ("\"The bass leads.\", ", ""), ("\"The bass leads.\"", "\"1\", \"2\", \"3\", \"4\""),
    ("\"The bass leads.\"", "7"), ("\"The bass leads.\"", "\"\""), ("\"points\"", "\"other\""),
    ("[\"Tram At Night\", \"Depot\", \"blue hour\"]", "[]"), ("\"key_tracks\"", "\"tracks\""),
    ("The bass leads.", String(repeating: "long ", count: 200)), ("}", ""), ("{", "<"),
  ]) func anAnswerOfAnotherFormIsNoReview(old: String, new: String) {
    #expect(good(old, new) != TestReviews.good && read(good(old, new)) == nil)
  }

  @Test func aRatingIsOnlyTakenFromAModelThatHasSearched() {
    let rated = good("\"rating\": null", "\"rating\": 8.44")
    #expect(read(rated, hasSearched: true)?.tenths == 84)
    #expect(read(rated)?.tenths == nil && read(rated) != nil)
    #expect(read(good("\"rating\": null", "\"rating\": 10"), hasSearched: true)?.tenths == 100)
    #expect(read(good("\"rating\": null", "\"rating\": 0"), hasSearched: true)?.tenths == 0)
  }

  @Test func scoresThatNobodyLookedUpAreLeftOut() {
    let scored = good(
      "\"The bass leads.\"", "\"The bass leads.\", \"A critic gave it 9.1/10.\", \"It got four stars.\"")
    #expect(read(scored)?.points.count == 3)
    #expect(read(scored, hasSearched: true)?.points.count == 5)
    #expect(read(good("The bass leads.", "The bass got 87 out of 100.")) == nil)
  }

  @Test func keyTracksAreThoseOfTheAlbum() {
    #expect(read(TestReviews.good)?.keyTracks == ["Tram at Night", "Depot", "Blue Hour"])
    #expect(read(good("blue hour", "Another Song"))?.keyTracks == ["Tram at Night", "Depot"])
    #expect(read(TestReviews.good, tracks: ["Other"])?.keyTracks == [])
    #expect(read(TestReviews.good, tracks: [])?.keyTracks == ["Tram At Night", "Depot", "blue hour"])
  }

  @Test(arguments: [
    ("It is loud ([site.example](https://site.example/a?b=c)).", "It is loud."),
    ("See [the words](https://x.example) [1][2, 3] here【4†source】.", "See the words here."),
    ("**Bold** text https://x.example/y ends", "Bold text ends"),
    ("Two\nlines\u{1B}[2J", "Two lines\u{FFFD}[2J"),
    ("Brackets [live] stay", "Brackets [live] stay"),
  ]) func citationsAreCutFromTexts(text: String, cleaned: String) { #expect(ReviewText.cleaned(text) == cleaned) }

  @Test(arguments: [
    "One here. Two here.", "By Dr. Dre and B. B. King. It is loud.", "Loud! Is it? It is.", "He said \"no.\" It ended.",
    "It came from the UK. It went on.", "With vs. without. Done…",
  ]) func twoOrThreeSentencesAreCounted(text: String) { #expect(ReviewText.has(2...3, sentencesIn: text)) }

  @Test(arguments: ["", "Only one.", "no end", "One is. Two are. Three were. Four went."])
  func fewerOrMoreSentencesAreNot(text: String) { #expect(!ReviewText.has(2...3, sentencesIn: text)) }

  @Test func thereAreEightTiersOfThreeLabelsEachFoundInAnyCase() {
    let all = ReviewLabel.tiers.flatMap { $0 }
    #expect(ReviewLabel.tiers.count == 8 && ReviewLabel.tiers.allSatisfy { $0.count == 3 } && Set(all).count == 24)
    for label in all { #expect(ReviewLabel.find(" \(label.uppercased()) ")?.label == label) }
    #expect(ReviewLabel.find("Everybody’s record")?.tier == 3 && ReviewLabel.find("Good") == nil)
  }

  @Test func whatIsNotKnownOfAnAlbumIsSaidAsUnknown() throws {
    var page = TestReviews.album
    (page.album.year, page.facts, page.album.genres) = (98, nil, Array(repeating: " x ", count: 40))
    let subject = try ReviewSubject(page)
    #expect(
      subject.year == "Unknown" && subject.label == "Unknown" && subject.genres == Array(repeating: "x", count: 10))
  }
}
