import Client
import Model
import Testing

@testable import lunara

/// Control characters in tags cannot control a terminal.
struct PrintableTests {
  @Test func controlCharactersAreReplaced() {
    #expect(Printable.line("a\u{1B}[31mb\nc\td\u{9B}e\u{202E}f") == "a\u{FFFD}[31mb c d\u{FFFD}e\u{FFFD}f")
    #expect(Printable.line("Éloïse 雨") == "Éloïse 雨")
  }

  @Test func invisibleFormatCharactersAreLeftOut() {
    #expect(Printable.line("a\u{200E}b\u{200F}c\u{61C}d\u{FEFF}e\u{200B}f\u{E0041}g\u{2028}h") == "abcdefg h")
    // Families of emoji, Persian words and Arabic numbers need theirs.
    for text in ["👩‍👩‍👧", "می\u{200C}خواهم", "\u{600}١٢"] { #expect(Printable.line(text) == text) }
  }

  @Test func jsonOnATerminalIsTheSameValueWithoutControls() {
    let printed = Printed()
    printed.console(isJSON: true).print(.object(["a": .string("é\u{9B}31m\u{202E}\u{E0041}")]))
    printed.console(isJSON: true).report(LunaraError("a.b", "x\u{9B}"))
    #expect(printed.output == #"{"a":"é\u009b31m\u202e\udb40\udc41"}"# + "\n")
    #expect(printed.errors.contains(#""message":"x\u009b""#))
  }

  @Test func aRemarkHasNoControlCharacters() {
    let printed = Printed()
    printed.console().remark("one \u{9B}2J\ntwo\u{202E}")
    #expect(printed.errors == "one \u{FFFD}2J\ntwo\u{FFFD}\n")
  }

  @Test func progressGoesToATerminalOnly() {
    let printed = Printed()
    // Results go to a terminal, and errors to a file.
    printed.console(width: 80).progress("half")
    #expect(printed.errors.isEmpty)
    printed.console(errorWidth: 80).progress("half")
    #expect(printed.errors.contains("half"))
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
