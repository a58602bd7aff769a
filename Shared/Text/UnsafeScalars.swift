extension Unicode.Scalar {
  /// True for scalars of names that could control a terminal or change how the text around them is shown: the control
  /// characters C0, DEL and C1, line and paragraph separators, and format characters such as bidirectional marks.
  ///
  /// False for the format characters that words and pictures need: ZERO WIDTH JOINER and NON-JOINER, and the signs that
  /// are visible themselves, such as ARABIC NUMBER SIGN.
  public var isUnsafe: Bool {
    if isASCII { return value < 32 || value == 127 }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    // The characters from U+FFF9 on hide an annotation within a text.
    case .format: return value != 0x200C && value != 0x200D && (!properties.isVisibleSign || value >> 4 == 0xFFF)
    default: return false
    }
  }
}

extension Unicode.Scalar.Properties {
  /// True for the format characters that are visible signs, or control the layout of visible ones.
  fileprivate var isVisibleSign: Bool { !isDefaultIgnorableCodePoint && !isBidiControl }
}

extension StringProtocol {
  /// The text without unsafe scalars: spaces instead of tabs and ends of lines, the replacement character instead of
  /// other controls and of those that reorder text, and nothing instead of invisible format characters.
  public var withoutUnsafeScalars: String {
    guard unicodeScalars.contains(where: \.isUnsafe) else { return String(self) }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\t", "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": text.append(" ")
      // The marks that only set a direction, and not an embedding, are common in Hebrew and Arabic titles.
      case "\u{200E}", "\u{200F}", "\u{61C}": continue
      case _ where !scalar.isUnsafe: text.append(scalar)
      case _ where scalar.properties.generalCategory == .control || scalar.properties.isBidiControl:
        text.append("\u{FFFD}")
      default: continue
      }
    }
    return String(text)
  }

  /// The text with unsafe scalars written as the escapes of JSON, `\u` and four digits each. Of JSON text, where they
  /// can only be within strings, it has the same value for programs and is harmless on a terminal.
  public var escapingUnsafeScalars: String {
    guard unicodeScalars.contains(where: \.isUnsafe) else { return String(self) }
    return unicodeScalars.reduce(into: "") { escaped, scalar in
      guard scalar.isUnsafe else { return escaped.unicodeScalars.append(scalar) }
      for unit in UTF16.encode(scalar) ?? .init() {
        let digits = String(unit, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
  }
}
