import Testing

@testable import lunara

/// Control characters in tags cannot control a terminal.
struct PrintableTests {
  @Test func controlCharactersAreReplaced() {
    #expect(Printable.line("a\u{1B}[31mb\nc\td\u{9B}e\u{202E}f") == "a\u{FFFD}[31mb c d\u{FFFD}e\u{FFFD}f")
    #expect(Printable.line("Éloïse 雨") == "Éloïse 雨")
  }

  @Test(arguments: [("abc", 3), ("é", 1), ("e\u{301}", 1), ("雨", 2), ("👩‍👩‍👧", 2), ("", 0)])
  func columnsAreThoseOfATerminal(text: String, columns: Int) {
    #expect(Printable.columns(text) == columns)
  }

  @Test func whatIsTooLongEndsInAnEllipsis() {
    #expect(Printable.fit("abcdef", 6) == "abcdef")
    #expect(Printable.fit("abcdefg", 6) == "abcde…")
    #expect(Printable.fit("雨雨雨雨", 6) == "雨雨…")
  }
}
