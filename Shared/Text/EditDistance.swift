/// Counts the errors between a word and others: letters that are wrong, missing or too many, and neighbours that are
/// swapped (the optimal string alignment distance).
public struct EditDistance {
  private let letters: [UInt32]
  private let mask: UInt64
  /// The most errors that are counted.
  public let most: Int
  /// The number of letters of the word.
  public var count: Int { letters.count }

  /// Prepares a word for comparisons; `most` returns the most errors that are counted for its number of letters.
  public init(from word: String, most: (_ letters: Int) -> Int) {
    letters = word.unicodeScalars.map(\.value)
    mask = Self.mask(of: letters)
    self.most = most(letters.count)
  }

  /// Returns the number of errors between two words.
  public static func between(_ word: String, _ other: String) -> Int {
    let most = max(word.unicodeScalars.count, other.unicodeScalars.count)
    return EditDistance(from: word) { _ in most }.errors(in: other) ?? most
  }

  /// Returns the number of errors in another word; nil for more than are counted.
  public func errors(in other: String) -> Int? {
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
      before = last
      last = current
    }
    return last[others.count] <= most ? last[others.count] : nil
  }

  /// The letters of a word as bits, of which some may share one.
  private static func mask(of letters: [UInt32]) -> UInt64 { letters.reduce(0) { $0 | 1 << UInt64($1 % 64) } }
}
