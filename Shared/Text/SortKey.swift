/// The key that a title or name is sorted by: folded, without leading punctuation and without a leading article, with
/// its numbers in their natural order.
public enum SortKey {
  private static let articles: [String] = [
    "the ", "a ", "an ", "der ", "die ", "das ", "le ", "la ", "les ", "l'", "l\u{2019}", "el ", "los ", "las ",
  ]

  /// Returns the key at which a list begins for the beginning of a name: for one digit the names with any number.
  public static func start(of text: String) -> String { text.utf8.count == 1 ? text.folded : of(text) }

  /// Returns the key of a title or name. Two texts compare as the bytes of their keys do.
  public static func of(_ text: String) -> String {
    let folded = text.folded
    var key = Substring(folded)
    if let start = key.unicodeScalars.firstIndex(where: \.isWordCharacter) { key = key[start...] }
    for article in articles where key.utf8.starts(with: article.utf8) {
      let rest = Substring(key.utf8.dropFirst(article.utf8.count)).drop { $0 == " " }
      // A name that is nothing but an article, such as "A", keeps it; "The The" loses only the first.
      if !rest.isEmpty { key = rest }
      break
    }
    guard key.utf8.contains(where: { (48...57).contains($0) }) else {
      return key.utf8.count == folded.utf8.count ? folded : String(key)
    }
    return String(decoding: NaturalOrder.key(of: Array(key.utf8)), as: UTF8.self)
  }
}
