/// Guesses what a person meant to type.
enum Spelling {
  /// The word of `candidates` that lies at most two changes away from `word`; nil where none does.
  static func nearest(to word: String, in candidates: [String]) -> String? {
    let near = candidates.map { (word: $0, changes: distance(word, $0)) }.min { $0.changes < $1.changes }
    guard let near, near.changes <= 2, near.changes < word.count else { return nil }
    return near.word
  }

  /// How many letters must be put in, taken out, replaced or swapped with their neighbour (Damerau and Levenshtein).
  static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var rows = [Array(0...right.count)]
    for row in 1..<left.count + 1 {
      var current = [row]
      for column in 1..<right.count + 1 {
        let same = left[row - 1] == right[column - 1]
        var best = min(
          rows[row - 1][column] + 1, current[column - 1] + 1, rows[row - 1][column - 1] + (same ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          best = min(best, rows[row - 2][column - 2] + 1)
        }
        current.append(best)
      }
      rows.append(current)
    }
    return rows[left.count][right.count]
  }
}
