import Text

/// What titles and names are sorted by: folded, without leading punctuation and without a leading article.
enum SortKey {
  private static let articles: [String] = [
    "the ", "a ", "an ", "der ", "die ", "das ", "le ", "la ", "les ", "l'", "l\u{2019}", "el ", "los ", "las ",
  ]

  /// The key of a title or name. Two texts compare as their keys' bytes do.
  static func of(_ text: String) -> String {
    let folded = text.folded
    var key = Substring(folded)
    if let start = key.unicodeScalars.firstIndex(where: { isLetterOrDigit($0) }) { key = key[start...] }
    for article in articles where key.utf8.starts(with: article.utf8) {
      let rest = Substring(key.utf8.dropFirst(article.utf8.count)).drop { $0 == " " }
      // "The The" and "A" are names all the same.
      if !rest.isEmpty { key = rest }
      break
    }
    return key.utf8.count == folded.utf8.count ? folded : String(key)
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (48...57).contains(scalar.value) || (97...122).contains(scalar.value) }
    return WordSplitter.isWordCharacter(scalar)
  }
}
