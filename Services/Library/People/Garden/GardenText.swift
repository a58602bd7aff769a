import Model
import Text

/// The texts that people write: checked, and free of what could give orders to a terminal.
enum GardenText {
  /// The most bytes of a note.
  static let longest = 64 << 10
  /// The most bytes of a title, an artist or an id in a file. Those of the library have at most 1000 characters.
  static let longestName = 8 << 10

  /// Returns a text as it is stored: with line feeds as the only ends of lines, without control characters and the
  /// sequences of terminals (ECMA-48) that begin with them, and without blanks around it.
  static func cleaned(_ text: String) -> String {
    var clean = String.UnicodeScalarView()
    var scalars = Substring(text).unicodeScalars
    while let scalar = scalars.popFirst() {
      switch scalar.value {
      case 0x0D:
        if scalars.first?.value != 0x0A { clean.append("\n") }
      case 0x09, 0x0A: clean.append(scalar)
      case 0x1B: skipSequence(&scalars)
      case 0x9B: skipControl(&scalars)
      case 0x90, 0x98, 0x9D, 0x9E, 0x9F: skipString(&scalars)
      case 0..<0x20, 0x7F..<0xA0: continue
      default: clean.append(scalar)
      }
    }
    return String(clean).trimmed
  }

  /// Returns a text as it is stored. `name` is the word for it in errors. Throws `library.badNote` for an empty or too
  /// long one.
  static func checked(_ text: String, _ name: String = "A note") throws(LunaraError) -> String {
    guard text.utf8.count <= longest else {
      throw LunaraError(
        "library.badNote", "\(name) can have 64 KiB; this one has \(text.utf8.count >> 10) KiB. Divide it into several."
      )
    }
    let text = cleaned(text)
    guard !text.isEmpty else { throw LunaraError("library.badNote", "\(name) needs a text.") }
    return text
  }

  /// Returns the beginning of a text, in one line, for messages.
  static func excerpt(_ text: String) -> String {
    let line = text.replacing("\n", with: " ")
    return line.count > 120 ? "\(line.prefix(119))…" : line
  }

  /// Skips what follows an escape character.
  private static func skipSequence(_ scalars: inout Substring.UnicodeScalarView) {
    guard let next = scalars.first?.value else { return }
    switch next {
    case 0x5B:
      scalars.removeFirst()
      skipControl(&scalars)
    case 0x50, 0x58, 0x5D, 0x5E, 0x5F:
      scalars.removeFirst()
      skipString(&scalars)
    case 0x20..<0x30:
      while let value = scalars.first?.value, (0x20..<0x30).contains(value) { scalars.removeFirst() }
      if let value = scalars.first?.value, (0x30..<0x7F).contains(value) { scalars.removeFirst() }
    case 0x30..<0x7F: scalars.removeFirst()
    default: return
    }
  }

  /// Skips the rest of a control sequence: its parameters and its final character.
  private static func skipControl(_ scalars: inout Substring.UnicodeScalarView) {
    while let value = scalars.first?.value, (0x20..<0x40).contains(value) { scalars.removeFirst() }
    if let value = scalars.first?.value, (0x40..<0x7F).contains(value) { scalars.removeFirst() }
  }

  /// Skips a control string up to its end, which is on the same line; where there is no end, nothing is skipped.
  private static func skipString(_ scalars: inout Substring.UnicodeScalarView) {
    var rest = scalars
    while let scalar = rest.popFirst() {
      switch scalar.value {
      case 0x0A, 0x0D: return
      case 0x07, 0x9C:
        scalars = rest
        return
      case 0x1B:
        guard rest.first?.value == 0x5C else { return }
        rest.removeFirst()
        scalars = rest
        return
      default: continue
      }
    }
  }
}
