import Testing
import Text

@testable import lunara_library

struct SortKeyTests {
  @Test(arguments: [
    ("The Beatles", "beatles"), ("A Tribe Called Quest", "tribe called quest"), ("An Horse", "horse"),
    ("Die Ärzte", "arzte"), ("Les Rita Mitsouko", "rita mitsouko"), ("L'Impératrice", "imperatrice"),
    ("L\u{2019}amour", "amour"), ("The The", "the"), ("The", "the"), ("A", "a"), ("Theatre", "theatre"),
    ("A-ha", "a-ha"), ("Ángel", "angel"), ("...And Justice", "and justice"),
    ("(What's the Story)", "what's the story)"),
    ("!!!", "!!!"), ("99 Luftballons", "99 luftballons"), ("\u{201C}Heroes\u{201D}", "heroes\u{201D}"),
  ])
  func articlesPunctuationCaseAndMarksDoNotCount(_ text: String, _ key: String) { #expect(SortKey.of(text) == key) }
}
