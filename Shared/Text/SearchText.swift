/// Makes the words of the search index and the queries of it. Both are folded in the same way, or nothing would be
/// found.
public enum SearchText {
  private static let mostWords = 12
  private static let longestPart = 64
  /// The most bytes of which `ASCIIWords` collects the words. It compares each word with all before it, which is
  /// quickest for names, and too slow for long notes.
  private static let mostPlainBytes = 1024

  /// Returns the words under which a row with these texts is found, each once, with a blank between.
  public static func indexed(_ texts: String?...) -> String { indexed(texts) }

  /// Returns the words under which a row with these texts is found, each once, with a blank between.
  public static func indexed(_ texts: [String?]) -> String {
    guard texts.reduce(0, { $0 + ($1?.utf8.count ?? 0) }) <= mostPlainBytes else { return folded(texts) }
    var plain = ASCIIWords()
    return texts.allSatisfy({ plain.add($0) }) ? plain.joined : folded(texts)
  }

  /// Returns the same words as `indexed` by way of `WordSplitter`, which knows all scripts.
  static func folded(_ texts: [String?]) -> String {
    var words: [String] = []
    var known: Set<String> = []
    func add(_ part: String) { if known.insert(part).inserted { words.append(part) } }
    for text in texts {
      guard let text else { continue }
      for word in WordSplitter.words(of: text.folded) {
        for part in word.parts { add(part) }
        if let joined = word.joined { add(joined) }
      }
    }
    return words.joined(separator: " ")
  }

  /// Returns an expression of SQLite's FTS5 that asks for every word of a text, each as a
  /// prefix; nil for a text without words.
  public static func query(_ text: String) -> String? {
    let words = asked(text)
    guard !words.isEmpty else { return nil }
    return withoutImplied(Array(words.prefix(mostWords))).map(expression).joined(separator: " AND ")
  }

  /// Returns a text without the words for `&`; nil if it has none of them, or nothing else.
  private static func withoutConjunctions(_ text: String) -> String? {
    let words = words(of: text)
    let others = words.filter { !["and", "und", "et", "y", "e", "en", "och", "og"].contains($0) }
    return others.isEmpty || others.count == words.count ? nil : others.joined(separator: " ")
  }

  /// The words that people say for names, and parts of names, that are nothing but signs: the band `!!!` is called Chk
  /// Chk Chk, `†††` Crosses, and albums are named `÷` and `×`.
  private static let signs = [
    "chk": "!!!", "crosses": "†††", "divide": "÷", "equals": "=", "minus": "-", "multiply": "×", "plus": "+",
    "subtract": "-",
  ]

  /// Returns a text with signs for the words that people say for them; nil if it has none of these words.
  private static func withSigns(_ text: String) -> String? {
    let words = words(of: text)
    let written = words.map { signs[$0] ?? $0 }
    return written == words ? nil : written.joined(separator: " ")
  }

  /// Returns the other ways in which a person may mean the words of a text that was not found: without the words for
  /// `&`, as names are written with it, with `and` and with neither; as one word, as `sixx am` for `Sixx:A.M.`; and
  /// with signs for their names, as `chk chk chk` for `!!!`.
  public static func alternatives(_ text: String) -> [String] {
    let words = words(of: text)
    return [withoutConjunctions(text), words.count > 1 ? words.joined() : nil, withSigns(text)].compactMap(\.self)
  }

  /// Returns the words between the blanks of a text as `query` asks for them: folded, each as one, without words of
  /// nothing but punctuation where there are others.
  public static func words(of text: String) -> [String] {
    asked(text).map { $0.joined ?? $0.parts.joined() }
  }

  private static func asked(_ text: String) -> [WordSplitter.Word] {
    var words = WordSplitter.words(of: text.folded)
    if words.contains(where: { !$0.isPunctuation }) { words.removeAll(where: \.isPunctuation) }
    return words
  }

  /// Leaves out words that another one begins with: a row with the longer word has the shorter one too, and short
  /// prefixes are the expensive ones to look up.
  private static func withoutImplied(_ words: [WordSplitter.Word]) -> [WordSplitter.Word] {
    words.enumerated().filter { index, word in
      guard word.parts.count == 1 else { return true }
      return !words.enumerated().contains { other, longer in
        guard other != index, longer.parts.count == 1 else { return false }
        return longer.parts[0].utf8.starts(with: word.parts[0].utf8) && (longer != word || other < index)
      }
    }.map(\.element)
  }

  private static func expression(_ word: WordSplitter.Word) -> String {
    // Only the last part may be the beginning of a longer word; the parts before it are whole.
    let parts = word.parts.prefix(mostWords).enumerated().map { index, part in
      index == word.parts.count - 1 ? "\(quoted(part))*" : quoted(part)
    }
    let all = parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " AND ")))"
    return word.joined.map { "(\(quoted($0))* OR \(all))" } ?? all
  }

  private static func quoted(_ part: String) -> String {
    "\"\(String(part.unicodeScalars.prefix(longestPart).filter { $0 != "\"" }))\""
  }
}
