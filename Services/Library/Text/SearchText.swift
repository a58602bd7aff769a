import Text

/// Both sides of the search: what goes into the index and what is asked of it. They fold alike, or nothing is found.
enum SearchText {
  private static let mostWords = 12
  private static let longestPart = 64

  /// The words under which a row with these texts is found.
  static func indexed(_ texts: String?...) -> String {
    var plain = PlainWords()
    return texts.allSatisfy({ plain.add($0) }) ? plain.joined : folded(texts)
  }

  /// The same for texts in any script.
  static func folded(_ texts: [String?]) -> String {
    var words: [String] = []
    func add(_ part: String) { if !words.contains(part) { words.append(part) } }
    for text in texts {
      guard let text else { continue }
      for word in WordSplitter.words(of: text.folded) {
        for part in word.parts { add(part) }
        if let joined = word.joined { add(joined) }
      }
    }
    return words.joined(separator: " ")
  }

  /// The expression of FTS5 that asks for every word, each as a prefix; nil where there is no word.
  static func query(_ text: String) -> String? {
    var words = WordSplitter.words(of: text.folded)
    if words.contains(where: { !$0.isPunctuation }) { words.removeAll(where: \.isPunctuation) }
    guard !words.isEmpty else { return nil }
    return withoutImplied(Array(words.prefix(mostWords))).map(expression).joined(separator: " AND ")
  }

  /// Without words that are the beginning of another one: what has that has them, and they are the dear ones to look
  /// for.
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
    // Only the end of what was typed is a beginning; the parts before it are whole.
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
