import Text

/// The form in which spellings of tags are compared, as `folding` in `taxonomy.json` describes it.
enum TagFolding {
  /// Returns the folded form: `Rock 'n' Roll`, `R&B` and `Hip-Hop/Rap` become `rock and roll`, `r and b` and
  /// `hip hop rap`.
  static func fold(_ tag: String) -> String {
    let scalars = Array(tag.folded.unicodeScalars)
    var words = String.UnicodeScalarView()
    var needsSpace = false
    func isApostrophe(_ index: Int) -> Bool { scalars.indices.contains(index) && apostrophes.contains(scalars[index]) }
    func append(_ text: some Sequence<Unicode.Scalar>) {
      if needsSpace, !words.isEmpty { words.append(" ") }
      needsSpace = false
      words.append(contentsOf: text)
    }
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      if scalar == "&" || scalar == "+" {
        needsSpace = true
        append("and".unicodeScalars)
        needsSpace = true
      } else if isApostrophe(index), index + 2 < scalars.count, scalars[index + 1] == "n", isApostrophe(index + 2) {
        needsSpace = true
        append("and".unicodeScalars)
        needsSpace = true
        index += 2
      } else if isApostrophe(index) || scalar == "." {
        // Dropped: the letters around it are one word.
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        append(CollectionOfOne(scalar))
      } else {
        needsSpace = true
      }
      index += 1
    }
    return String(words)
  }

  private static let apostrophes: Set<Unicode.Scalar> = ["'", "’", "‘", "`", "´", "ʼ"]
}
