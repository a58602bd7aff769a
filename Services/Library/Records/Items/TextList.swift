/// Texts packed into one column, each ended by U+001F.
package enum TextList {
  package static func packed(_ texts: [String]) -> String { texts.map { $0 + "\u{1F}" }.joined() }

  package static func unpacked(_ text: String) -> [String] {
    text.isEmpty ? [] : text.utf8.split(separator: 0x1F).map { String(Substring($0)) }
  }
}
