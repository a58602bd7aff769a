/// How large a terminal is.
struct Screen: Sendable, Equatable {
  let columns: Int
  let rows: Int
}

/// A page that is drawn again and again over itself, on the terminal's second screen, so that what was there before
/// comes back at the end (ECMA-48 and xterm's control sequences).
struct LivePage {
  /// Turns to the second screen and hides the cursor.
  static let begin = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[H\u{1B}[2J"
  /// Turns back.
  static let end = "\u{1B}[?25h\u{1B}[?1049l"

  /// Draws lines from the top, each over what it replaces; nothing is cleared before, so nothing flickers. Terminals that
  /// know how show the change at once.
  static func draw(_ lines: [String]) -> String {
    "\u{1B}[?2026h\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J\u{1B}[?2026l"
  }
}
