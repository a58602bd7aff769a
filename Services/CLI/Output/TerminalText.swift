import CPlatform
import Messages
import Model
import Text

/// Functions that make text from tags and servers safe for a terminal, and measure it in columns.
enum Printable {
  /// Returns the text on one line and without unsafe scalars, so that a tag cannot send commands to the terminal.
  static func line(_ text: String) -> String { text.withoutUnsafeScalars }

  /// Returns JSON text in which unsafe scalars are written as escapes, so that it is the same value for programs and
  /// harmless on a terminal. They can only be within strings.
  static func json(_ text: String) -> String { text.escapingUnsafeScalars }

  /// Returns a number with its noun, such as "1 track", "2 tracks" and "2 entries".
  static func count(_ number: some BinaryInteger, _ thing: String) -> String {
    if number == 1 { return "1 \(thing)" }
    return thing.hasSuffix("ry") ? "\(number) \(thing.dropLast())ies" : "\(number) \(thing)s"
  }

  /// Returns the number of columns of a text. A character of several scalars is as wide as its widest scalar.
  static func columns(_ text: String) -> Int { text.reduce(0) { $0 + columns($1) } }

  /// Returns the text, cut to a number of columns with an ellipsis if it is longer.
  static func fit(_ text: String, _ limit: Int) -> String {
    guard columns(text) > limit else { return text }
    var used = 1
    var fitted = ""
    for character in text {
      used += columns(character)
      guard used <= limit else { break }
      fitted.append(character)
    }
    return fitted + "…"
  }

  private static func columns(_ character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii < 32 || ascii == 127 ? 0 : 1 }
    return character.unicodeScalars.map { max(0, Int(lunara_columns($0.value))) }.max() ?? 0
  }
}

/// The looks of text: colours on a terminal, none elsewhere.
struct Style: Sendable {
  let isColoured: Bool

  static let plain = Style(isColoured: false)

  /// The looks by their meaning, with their codes (ECMA-48, SGR).
  enum Look: String, Sendable {
    case plain = "0", strong = "1", faint = "2", good = "32", notable = "33", bad = "31"
  }

  func strong(_ text: String) -> String { self.text(text, .strong) }
  func faint(_ text: String) -> String { self.text(text, .faint) }
  func good(_ text: String) -> String { self.text(text, .good) }
  func notable(_ text: String) -> String { self.text(text, .notable) }
  func bad(_ text: String) -> String { self.text(text, .bad) }
  func text(_ text: String, _ look: Look) -> String { look == .plain ? text : wrap(text, look.rawValue) }

  /// Returns the text in one of six colours, to tell things of one kind apart.
  func hue(_ index: Int, _ text: String) -> String { wrap(text, ["36", "35", "34", "32", "33", "96"][index % 6]) }

  private func wrap(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

struct Screen: Sendable, Equatable {
  let columns: Int
  let rows: Int
}

/// A page on the terminal's alternate screen that is redrawn in place. At the end the terminal shows its former
/// contents again (ECMA-48 and xterm's control sequences).
struct LivePage {
  /// Switches to the alternate screen and hides the cursor.
  static let begin = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[H\u{1B}[2J"
  static let end = "\u{1B}[?25h\u{1B}[?1049l"

  /// Returns the sequences that draw lines from the top without clearing the screen first, to avoid flicker. Terminals
  /// with synchronized output (mode 2026) show the change at once.
  static func draw(_ lines: [String]) -> String {
    "\u{1B}[?2026h\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J\u{1B}[?2026l"
  }
}

extension Library.Progress {
  func bar(of source: String) -> String {
    var parts = [Printable.line(source), "\(done)"]
    if let total, total > 0 {
      let width = 24
      let full = Int(min(1, max(0, Double(done) / Double(total))) * Double(width))
      let bar = String(repeating: "━", count: full) + String(repeating: "─", count: width - full)
      parts = [parts[0], bar, "\(done) of \(total)"]
    }
    if let rate, rate >= 0.1 {
      parts.append(rate < 10 ? "\((rate * 10).rounded() / 10)/s" : "\(Int64(min(1e12, rate.rounded())))/s")
    }
    return parts.joined(separator: "  ")
  }
}
