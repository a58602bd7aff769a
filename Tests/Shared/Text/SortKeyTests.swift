import Testing
import Text

@testable import Text

struct SortKeyTests {
  @Test(arguments: [
    ("The Beatles", "beatles"), ("A Tribe Called Quest", "tribe called quest"), ("An Horse", "horse"),
    ("Die Ärzte", "arzte"), ("Les Rita Mitsouko", "rita mitsouko"), ("L'Impératrice", "imperatrice"),
    ("L\u{2019}amour", "amour"), ("The The", "the"), ("The", "the"), ("A", "a"), ("Theatre", "theatre"),
    ("A-ha", "a-ha"), ("Ángel", "angel"), ("...And Justice", "and justice"),
    ("(What's the Story)", "what's the story)"),
    ("!!!", "!!!"), ("99 Luftballons", "299 luftballons"), ("\u{201C}Heroes\u{201D}", "heroes\u{201D}"),
  ])
  func articlesPunctuationCaseAndMarksDoNotCount(_ text: String, _ key: String) { #expect(SortKey.of(text) == key) }

  @Test(arguments: [
    ["Track 1", "Track 2", "Track 9", "Track 10", "Track 11", "Track 100"],
    ["Op. 2", "Op. 2 No. 1", "Op. 2 No. 10", "Op. 10"], ["Vol.1", "Vol.2", "Vol.15"],
    ["9", "12", "999999999", "1000000000", "12345678901234567890"], ["1.9", "1.10"], ["7", "007", "8"],
  ])
  func numbersSortAsPeopleCount(_ titles: [String]) {
    let keys = titles.map(SortKey.of)
    #expect(keys == keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(Set(keys).count == keys.count)
  }

  @Test func theKeyOfAFolderBeginsTheKeysOfWhatIsInIt() {
    let folder = NaturalOrder.key(of: Array("/music/CD1".utf8))
    #expect(NaturalOrder.key(of: Array("/music/CD1/2.flac".utf8)).starts(with: folder + [UInt8(ascii: "/")]))
    #expect(!NaturalOrder.key(of: Array("/music/CD12/2.flac".utf8)).starts(with: folder + [UInt8(ascii: "/")]))
    #expect(NaturalOrder.key(of: Array("/music/CD01".utf8)) != folder)
  }
}
