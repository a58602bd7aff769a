import Text

/// Takes folded text apart into the words that are searched for.
///
/// Blanks end a word. Punctuation inside a word splits it into parts, which also count joined, so that `AC/DC` is found
/// as `ac`, `dc` and `acdc`. Scripts that are written without blanks give one part a character. A word of nothing but
/// punctuation (`!!!`) is a part of its own.
enum WordSplitter {
  /// One word of a text.
  struct Word: Hashable {
    /// Its parts in order.
    var parts: [String]
    /// The parts as one, where there are several and none is a single character of a script without blanks.
    var joined: String?
    /// Whether the word has neither letters nor digits.
    var isPunctuation = false
  }

  /// The words of a text that was folded already.
  static func words(of folded: String) -> [Word] {
    // Folding has made every kind of blank a space.
    folded.utf8.split { $0 <= 32 }.map { bytes in
      let isPlain = bytes.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
      return isPlain ? Word(parts: [String(Substring(bytes))]) : word(of: Substring(bytes).unicodeScalars)
    }
  }

  private static func word(of scalars: Substring.UnicodeScalarView) -> Word {
    var parts: [String] = []
    var current = ""
    var isJoinable = true
    func finish() {
      if !current.isEmpty { parts.append(current) }
      current = ""
    }
    for scalar in scalars {
      if isWrittenWithoutBlanks(scalar) {
        finish()
        parts.append(String(scalar))
        isJoinable = false
      } else if isWordCharacter(scalar) {
        current.unicodeScalars.append(scalar)
      } else {
        finish()
      }
    }
    finish()
    if parts.isEmpty {
      return Word(parts: [String(String.UnicodeScalarView(scalars.map(letter(for:))))], isPunctuation: true)
    }
    return Word(parts: parts, joined: isJoinable && parts.count > 1 ? parts.joined() : nil)
  }

  /// Letters, digits and their marks.
  static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return (97...122).contains(scalar.value) || (48...57).contains(scalar.value) || (65...90).contains(scalar.value)
    }
    return scalar.isWordCharacter
  }

  private static func isWrittenWithoutBlanks(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0xE00: false
    case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF: true
    case 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF: true
    case 0x20000...0x3FFFF: true
    default: false
    }
  }

  /// The index takes ASCII punctuation for blanks, so it goes by a character of the private use area.
  private static func letter(for scalar: Unicode.Scalar) -> Unicode.Scalar {
    scalar.isASCII ? Unicode.Scalar(0xE000 + scalar.value) ?? scalar : scalar
  }
}
