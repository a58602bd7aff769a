import System
import Testing

@Suite struct FileNamePatternTests {
  private func matches(_ pattern: String, _ name: String) -> Bool {
    FileNamePattern.matches(Array(pattern.utf8), Array(name.utf8))
  }

  @Test(arguments: [
    ("*.mp3", "a.mp3"), ("*", ""), ("?lbum", "Album"), ("Bj?rk", "Björk"), ("[0-9]*", "7 Seconds"), ("[!a]*", "b"),
    (#"\*"#, "*"), ("a*b*c", "a1b2c"), ("[abc", "[abc"), ("[ä-ö]", "ö"),
  ])
  func aPatternStandsForTheWholeName(_ pattern: String, _ name: String) { #expect(matches(pattern, name)) }

  @Test(arguments: [("*.mp3", "a.mp3.part"), ("?", ""), ("?", "ab"), ("album", "Album"), ("[0-9]", "x"), (#"\*"#, "a")])
  func otherNamesDoNotMatch(_ pattern: String, _ name: String) { #expect(!matches(pattern, name)) }

  @Test func namesThatAreNoTextAreCompared() {
    #expect(FileNamePattern.matches([0x63, 0xE9] + Array("*".utf8), [0x63, 0xE9, 0x21]))
    #expect(!FileNamePattern.matches([0x63, 0xE9], [0x63, 0xEA]))
  }

  /// A pattern of many stars would take for ever if each were tried at every place.
  @Test func manyStarsEnd() {
    let pattern = String(repeating: "a*", count: 100) + "b"
    #expect(!matches(pattern, String(repeating: "a", count: 255)))
  }
}
