/// Splits folded text into the words that are searched for.
///
/// Blanks end a word. Punctuation inside a word splits it into parts, which are also indexed joined: `AC/DC` is found
/// as `ac`, `dc` and `acdc`. In scripts that are written without blanks each character is a part. A word of nothing but
/// punctuation (`!!!`) is one part.
enum WordSplitter {
  struct Word: Hashable {
    var parts: [String]
    /// The parts as one, where there are several and none is a single character of a script without blanks.
    var joined: String?
    var isPunctuation = false
  }

  /// Returns the words of a text that was folded before.
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
      } else if scalar.isWordCharacter {
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

  /// True for the scripts of Thailand, Laos, Burma and Cambodia, for kana and for Han characters.
  private static func isWrittenWithoutBlanks(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0xE00: false
    case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF: true
    case 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF: true
    case 0x20000...0x3FFFF: true
    default: false
    }
  }

  /// Replaces ASCII punctuation, which FTS5 would treat as blanks, by a character of the private use area.
  private static func letter(for scalar: Unicode.Scalar) -> Unicode.Scalar {
    scalar.isASCII ? Unicode.Scalar(0xE000 + scalar.value) ?? scalar : scalar
  }
}

/// Collects the words of ASCII texts. The result is that of `WordSplitter`, but it is made with two allocations a row,
/// as this runs for each row of a catalogue that is read for the first time.
struct ASCIIWords {
  private var bytes: [UInt8] = []
  /// The ends of the words in `bytes`; a blank follows each.
  private var ends: [Int] = []

  init() {
    bytes.reserveCapacity(128)
    ends.reserveCapacity(16)
  }

  /// The words, each once, with a blank between.
  var joined: String { String(decoding: bytes.dropLast(), as: UTF8.self) }

  /// Adds the words of a text; returns false, and adds nothing, where it is not all ASCII.
  mutating func add(_ text: String?) -> Bool {
    guard var text else { return true }
    return text.withUTF8 { text in
      guard text.allSatisfy({ $0 < 128 }) else { return false }
      for word in text.split(whereSeparator: { $0 <= 32 }) { add(UnsafeBufferPointer(rebasing: word)) }
      return true
    }
  }

  private mutating func add(_ word: UnsafeBufferPointer<UInt8>) {
    var parts = 0
    var start = bytes.count
    for byte in word {
      if let letter = Self.letter(byte) {
        bytes.append(letter)
      } else if bytes.count > start {
        parts += 1
        end(from: start)
        start = bytes.count
      }
    }
    if bytes.count > start {
      parts += 1
      end(from: start)
      start = bytes.count
    }
    guard parts != 1 else { return }
    if parts > 1 {
      bytes += word.lazy.compactMap(Self.letter)
    } else {
      // The UTF-8 of U+E000 plus the character, as in `WordSplitter.letter(for:)`.
      for byte in word { bytes += [0xEE, 0x80 | byte >> 6, 0x80 | byte & 63] }
    }
    end(from: start)
  }

  /// Returns a letter in lower case or a digit; nil for anything else.
  private static func letter(_ byte: UInt8) -> UInt8? {
    if byte &- 65 < 26 { return byte | 32 }
    return byte &- 97 < 26 || byte &- 48 < 10 ? byte : nil
  }

  /// Ends the word that begins at `start`, and drops it if it was added before.
  private mutating func end(from start: Int) {
    var before = 0
    for end in ends {
      if end - before == bytes.count - start, bytes[before..<end].elementsEqual(bytes[start...]) {
        bytes.removeLast(bytes.count - start)
        return
      }
      before = end + 1
    }
    ends.append(bytes.count)
    bytes.append(32)
  }
}
