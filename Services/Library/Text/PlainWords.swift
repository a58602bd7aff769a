import Text

/// The words of ASCII texts, as `WordSplitter` gives those of all texts: byte by byte and with two allocations for a
/// row, since each row of a catalogue that is read for the first time comes by here.
struct PlainWords {
  private var bytes: [UInt8] = []
  /// Where the words end; a blank follows each.
  private var ends: [Int] = []

  init() {
    bytes.reserveCapacity(128)
    ends.reserveCapacity(16)
  }

  /// The words, each once, with a blank between.
  var joined: String { String(decoding: bytes.dropLast(), as: UTF8.self) }

  /// Adds the words of a text; false where it is not all ASCII.
  mutating func add(_ text: String?) -> Bool {
    guard var text else { return true }
    return text.withUTF8 { text in
      guard text.allSatisfy({ $0 < 128 }) else { return false }
      for word in text.split(whereSeparator: { $0 <= 32 }) { add(UnsafeBufferPointer(rebasing: word)) }
      return true
    }
  }

  /// Adds the parts of a word and, where there are several, all of them as one.
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
      // The index takes punctuation for blanks, so it goes by U+E000 and what follows.
      for byte in word { bytes += [0xEE, 0x80 | byte >> 6, 0x80 | byte & 63] }
    }
    end(from: start)
  }

  /// Letters and digits, small; nil for anything else.
  private static func letter(_ byte: UInt8) -> UInt8? {
    if byte &- 65 < 26 { return byte | 32 }
    return byte &- 97 < 26 || byte &- 48 < 10 ? byte : nil
  }

  /// Makes what was written since `start` a word, or forgets it where it is one already.
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
