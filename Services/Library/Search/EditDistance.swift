/// Counts the errors between a word and others: letters that are wrong, missing or too many, and neighbours that are
/// swapped (the optimal string alignment distance).
struct EditDistance {
  private let letters: [UInt32]
  private let mask: UInt64
  /// The number of letters of the word.
  var count: Int { letters.count }
  /// The most errors that are forgiven: none up to 3 letters, one up to 5, else two.
  let most: Int

  init(from word: String) {
    letters = word.unicodeScalars.map(\.value)
    mask = Self.mask(of: letters)
    most = letters.count < 4 ? 0 : letters.count < 6 ? 1 : 2
  }

  /// The letters of a word as bits, of which some may share one.
  private static func mask(of letters: [UInt32]) -> UInt64 { letters.reduce(0) { $0 | 1 << UInt64($1 % 64) } }

  /// Returns the number of errors in another word; nil for more than are forgiven.
  func errors(in other: String) -> Int? {
    let others = other.unicodeScalars.map(\.value)
    guard abs(others.count - letters.count) <= most else { return nil }
    // An error takes at most one letter away and brings one in.
    guard (mask ^ Self.mask(of: others)).nonzeroBitCount <= 2 * most else { return nil }
    var (before, last) = ([Int](), Array(0...others.count))
    for (row, letter) in letters.enumerated() {
      var current = [row + 1]
      current.reserveCapacity(others.count + 1)
      for (column, other) in others.enumerated() {
        var errors = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == others[column - 1], letters[row - 1] == other {
          errors = min(errors, before[column - 1] + 1)
        }
        current.append(errors)
      }
      guard current.contains(where: { $0 <= most }) else { return nil }
      (before, last) = (last, current)
    }
    return last[others.count] <= most ? last[others.count] : nil
  }
}
