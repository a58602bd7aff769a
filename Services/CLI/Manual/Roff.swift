/// Text for `man`, put together piece by piece.
struct Roff {
  private(set) var text: String

  /// A page; `date` is left out, so that the same program always makes the same page.
  init(_ name: String, section: Int, version: String, manual: String) {
    text =
      ".TH \(Self.argument(name.uppercased())) \(section) \"\" \(Self.argument("Lunara \(version)")) \(Self.argument(manual))\n"
  }

  /// Begins a section.
  mutating func section(_ title: String) { text += ".SH \(Self.argument(title))\n" }
  /// Begins a part of a section.
  mutating func part(_ title: String) { text += ".SS \(Self.argument(title))\n" }
  /// A paragraph whose lines are filled.
  mutating func paragraph(_ words: String) { text += ".PP\n\(Self.body(words))\n" }
  /// Lines that stay as they are.
  mutating func verbatim(_ lines: String) { text += ".PP\n.nf\n\(Self.body(lines))\n.fi\n" }
  /// A term with what it means.
  mutating func item(_ term: String, _ meaning: String) {
    text += ".TP\n\\fB\(Self.inline(term))\\fR\n\(Self.body(meaning))\n"
  }
  /// The line that `apropos` reads.
  mutating func name(_ name: String, _ summary: String) {
    section("NAME")
    text += "\(Self.inline(name)) \\- \(Self.inline(summary))\n"
  }

  private static func argument(_ words: String) -> String { "\"\(inline(words).replacing("\"", with: "\\(dq"))\"" }

  /// Words with nothing left that `man` would take for its own.
  private static func inline(_ words: String) -> String {
    words.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("`", with: "\\(ga")
  }

  private static func body(_ words: String) -> String {
    words.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let line = inline(String(line))
      return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : line
    }.joined(separator: "\n")
  }
}
