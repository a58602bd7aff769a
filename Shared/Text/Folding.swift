import CUtf8proc

/// The forms of a text by which words are compared, by libutf8proc.
extension String {
  /// The text in Unicode's normal form C, so that equal words are equal bytes.
  public var normalised: String {
    isASCII ? self : transformed([UTF8PROC_DECOMPOSE], then: [UTF8PROC_COMPOSE]) { $0 }
  }

  /// The text in Unicode's normal form D, its marks apart from their letters.
  public var decomposed: String { isASCII ? self : transformed([UTF8PROC_DECOMPOSE], then: []) { $0 } }

  /// The text in Unicode's normal form KD: characters that stand for others, such as `ﬁ` and `①`, are those.
  var compatibilityDecomposed: String {
    isASCII ? self : transformed([UTF8PROC_DECOMPOSE, UTF8PROC_COMPAT], then: []) { $0 }
  }

  /// The text with its case folded, for keys: names that differ only in case or in their normal form are one. Marks are
  /// kept, since they tell artists apart.
  public var caseFolded: String {
    if isASCII { return asciiLowercased }
    return transformed(
      [UTF8PROC_DECOMPOSE, UTF8PROC_CASEFOLD, UTF8PROC_IGNORE], then: [UTF8PROC_COMPOSE, UTF8PROC_STABLE]
    ) { $0 }
  }

  /// The text with case, width and marks folded, for sorting and searching: `Ænima`, `Sigur Rós` and `ＭＯＮＯ` become
  /// `aenima`, `sigur ros` and `mono`.
  ///
  /// Only marks that a reader leaves out when typing are dropped: those of Latin, Greek and Cyrillic, Hebrew points and
  /// Arabic vowels. The vowels of Indic scripts and the voicing of kana are letters to their readers.
  public var folded: String {
    if isASCII { return asciiLowercased }
    return transformed(
      [UTF8PROC_DECOMPOSE, UTF8PROC_COMPAT, UTF8PROC_CASEFOLD, UTF8PROC_IGNORE],
      then: [UTF8PROC_COMPOSE, UTF8PROC_STABLE]
    ) { scalars in
      var plain: [Int32] = []
      plain.reserveCapacity(scalars.count)
      for scalar in scalars where !Self.isOptionalMark(scalar) {
        if let letters = Self.plainLetters(scalar) { plain += letters } else { plain.append(scalar) }
      }
      return plain
    }
  }

  /// The text without white space and signs that cannot be seen, such as a byte order mark, at both ends.
  public var trimmed: String {
    let bytes = utf8
    guard let first = bytes.first, let last = bytes.last, first <= 32 || last <= 32 || first > 127 || last > 127 else {
      return self
    }
    guard let start = unicodeScalars.firstIndex(where: { !Self.isInvisible($0) }),
      let end = unicodeScalars.lastIndex(where: { !Self.isInvisible($0) })
    else { return "" }
    return String(unicodeScalars[start...end])
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\0", "\u{00AD}", "\u{200B}"..."\u{200F}", "\u{2060}"..."\u{206F}", "\u{FEFF}": true
    default: scalar.properties.isWhitespace
    }
  }

  private var isASCII: Bool { utf8.allSatisfy { $0 < 128 } }

  private var asciiLowercased: String {
    String(unsafeUninitializedCapacity: utf8.count) { buffer in
      var count = 0
      for byte in utf8 {
        buffer[count] = byte &- 65 < 26 ? byte | 32 : byte
        count += 1
      }
      return count
    }
  }

  /// Decomposes the text, applies `change` to its code points and composes them again.
  private func transformed(
    _ first: [utf8proc_option_t], then second: [utf8proc_option_t], _ change: ([Int32]) -> [Int32]
  ) -> String {
    func sum(_ options: [utf8proc_option_t]) -> utf8proc_option_t {
      utf8proc_option_t(options.reduce(0) { $0 | $1.rawValue })
    }
    let options = sum(first)
    var copy = self
    let decomposed: [Int32] = copy.withUTF8 { bytes in
      var capacity = bytes.count * 3 + 8
      while true {
        var needed = 0
        let scalars = [Int32](unsafeUninitializedCapacity: capacity) { buffer, count in
          needed = utf8proc_decompose(bytes.baseAddress, bytes.count, buffer.baseAddress, capacity, options)
          count = max(0, min(needed, capacity))
        }
        if needed <= capacity { return scalars }
        capacity = needed
      }
    }
    var changed = change(decomposed)
    let count = changed.count
    // The function works in place and ends its bytes with a NUL.
    changed.append(0)
    return changed.withUnsafeMutableBufferPointer { buffer in
      let length = utf8proc_reencode(buffer.baseAddress, count, sum(second))
      return String(decoding: UnsafeRawBufferPointer(buffer).prefix(max(0, length)), as: UTF8.self)
    }
  }

  /// True for marks that a reader leaves out when typing.
  private static func isOptionalMark(_ scalar: Int32) -> Bool {
    switch scalar {
    case 0x300...0x36F, 0x483...0x489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    case 0x591...0x5BD, 0x5BF, 0x5C1...0x5C2, 0x5C4...0x5C5, 0x5C7: true
    case 0x610...0x61A, 0x64B...0x65F, 0x670, 0x6D6...0x6DC: true
    default: false
    }
  }

  /// Returns the plain letters for one that Unicode does not decompose, such as `ø` or `æ`; nil for all others.
  private static func plainLetters(_ scalar: Int32) -> [Int32]? {
    switch scalar {
    case 0xE6: [0x61, 0x65]
    case 0x153: [0x6F, 0x65]
    case 0xF8: [0x6F]
    case 0x111, 0xF0: [0x64]
    case 0x142: [0x6C]
    case 0x127: [0x68]
    case 0x167: [0x74]
    case 0x131: [0x69]
    case 0xFE: [0x74, 0x68]
    default: nil
    }
  }
}

extension Unicode.Scalar {
  /// True for a letter, a mark or a number, and for a character that Unicode has not assigned yet.
  var isWordCharacter: Bool {
    if isASCII { return (97...122).contains(value) || (48...57).contains(value) || (65...90).contains(value) }
    // The numbering of utf8proc.h: 1 to 5 are letters, 6 to 8 marks, 9 to 11 numbers; 0 is not assigned yet.
    return utf8proc_category(Int32(value)).rawValue <= 11
  }
}
