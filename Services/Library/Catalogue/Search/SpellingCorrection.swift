import Storage
import Text

/// Finds the words of the catalogue that a person may have meant by words that are not in it.
///
/// A word of 4 or 5 letters may have one error, a longer one two: a letter that is wrong, missing or too many, or two
/// that are swapped. Only words that begin alike are compared, but for an error at the beginning, so that a part of the
/// vocabulary is read.
struct SpellingCorrection {
  /// The most words that are corrected.
  private static let mostWords = 6
  /// The most letters of a corrected word.
  private static let longest = 32
  /// The most candidates that are tried for each word.
  private static let mostTried = 3
  /// The most combinations of candidates.
  private static let mostCombinations = 27
  /// The most words of the vocabulary that are read for each beginning.
  private static let mostRead = 20_000

  private let vocabulary: SearchVocabulary
  private let transaction: ReadTransaction

  init(_ vocabulary: SearchVocabulary, _ transaction: ReadTransaction) {
    self.vocabulary = vocabulary
    self.transaction = transaction
  }

  /// Returns words that find something instead of words that do not, folded; nil if there are none, or where each of
  /// the words is in the catalogue.
  func corrected(_ text: String) throws -> String? {
    let words = SearchText.words(of: text)
    guard !words.isEmpty, words.count <= Self.mostWords else { return nil }
    var choices: [[String]] = []
    for word in words {
      let choice = try isKnown(word) ? [word] : candidates(for: word)
      guard !choice.isEmpty else { return nil }
      choices.append(choice)
    }
    guard zip(words, choices).contains(where: { [$0] != $1 }) else { return nil }
    return try combinations(of: choices).first { combination in
      let text = combination.joined(separator: " ")
      guard let query = SearchText.query(text) else { return false }
      return try !vocabulary.matches(combination).isEmpty || Catalogue.isFound(query, transaction)
    }?.joined(separator: " ")
  }

  /// Returns one word of each list in all ways, those nearest to the heads of the lists first; at most some dozens.
  private func combinations(of choices: [[String]]) -> [[String]] {
    var made: [(words: [String], rank: Int)] = [([], 0)]
    for choice in choices {
      var longer: [(words: [String], rank: Int)] = []
      for one in made {
        for (rank, word) in choice.enumerated() { longer.append((one.words + [word], one.rank + rank)) }
      }
      // The sort is stable.
      made = Array(longer.sorted { $0.rank < $1.rank }.prefix(Self.mostCombinations))
    }
    return made.map(\.words)
  }

  /// Returns true if something is found by a word alone.
  private func isKnown(_ word: String) throws -> Bool {
    guard let query = SearchText.query(word) else { return false }
    return try Catalogue.isFound(query, transaction) || !vocabulary.matches([word]).isEmpty
  }

  /// Returns the words of the catalogue that are spelt most like a word, at most some.
  func candidates(for word: String) throws -> [String] {
    let distance = EditDistance(from: word, most: Self.mostErrors)
    guard distance.most > 0, distance.count <= Self.longest else { return [] }
    var found: [String: Candidate] = [:]
    func compare(_ term: String, _ entries: Int) {
      guard found[term] == nil, let errors = distance.errors(in: term) else { return }
      let beginsAlike = term.unicodeScalars.first == word.unicodeScalars.first
      found[term] = Candidate(word: term, errors: errors, beginsAlike: beginsAlike, entries: entries)
    }
    for prefix in Self.prefixes(of: word) {
      let terms = try transaction.rows(
        """
        SELECT term, doc FROM search_terms WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? LIMIT ?
        """, prefix, prefix.lastWithPrefix, distance.count - distance.most, distance.count + distance.most,
        Self.mostRead
      ) { (term: try $0.value(0) as String, entries: try $0.value(1) as Int) }
      for (term, entries) in terms { compare(term, entries) }
    }
    for word in vocabulary.words {
      for part in word.parts { compare(part, 1) }
    }
    return found.values.sorted().prefix(Self.mostTried).map(\.word)
  }

  /// Returns the most errors that are forgiven in a word of so many letters.
  static func mostErrors(_ letters: Int) -> Int { letters < 4 ? 0 : letters < 6 ? 1 : 2 }

  /// A word of the catalogue. Those with fewer errors come first, then those with the same first letter, then those
  /// that are in more entries.
  private struct Candidate: Comparable {
    var word: String
    var errors: Int
    var beginsAlike: Bool
    var entries: Int

    static func < (one: Candidate, other: Candidate) -> Bool {
      (one.errors, one.beginsAlike ? 0 : 1, -one.entries, one.word)
        < (other.errors, other.beginsAlike ? 0 : 1, -other.entries, other.word)
    }
  }

  /// Returns the beginnings of words with which a word is compared: its first letter; the second, as the first may be
  /// too many or swapped; any other letter in the place of the first or before it.
  private static func prefixes(of word: String) -> [String] {
    let letters = word.unicodeScalars.map { String($0) }
    guard letters.count > 2 else { return [] }
    var prefixes = [letters[0]]
    if letters[1] != letters[0] { prefixes.append(letters[1]) }
    for letter in "abcdefghijklmnopqrstuvwxyz".map({ String($0) }) where !prefixes.prefix(2).contains(letter) {
      prefixes.append(letter + letters[1] + letters[2])
      prefixes.append(letter + letters[0] + letters[1])
    }
    return prefixes
  }
}
