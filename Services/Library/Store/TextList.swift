/// Several texts in one column, each ended by U+001F.
enum TextList {
  /// The texts as one.
  static func packed(_ texts: [String]) -> String { texts.map { $0 + "\u{1F}" }.joined() }

  /// The texts of a column.
  static func unpacked(_ text: String) -> [String] {
    text.isEmpty ? [] : text.utf8.split(separator: 0x1F).map { String(Substring($0)) }
  }
}
