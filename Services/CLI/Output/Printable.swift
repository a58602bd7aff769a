import CPlatform

/// Text from tags and servers, made fit for a terminal and measured in its columns.
enum Printable {
  /// The text on one line and without control characters, so that no tag can steer the terminal.
  static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t", "\n", "\r": line.append(" ")
      case _ where isControl(scalar): line.append("\u{FFFD}")
      default: line.append(scalar)
      }
    }
    return String(line)
  }

  /// How many columns it takes; a character of several scalars is as wide as its widest.
  static func columns(_ text: String) -> Int {
    text.reduce(0) { $0 + columns($1) }
  }

  /// The text cut to a number of columns, with an ellipsis where something was cut.
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

  // C0, DEL, C1, and the marks that turn the direction of what follows.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 32 || (127..<160).contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
  }
}
