import Text

/// Cleans and measures texts of a model.
enum ReviewText {
  /// Returns a text on one line without citations, addresses and marks of emphasis: links keep their words, and marks
  /// such as `[1]` and `【4†source】` go.
  static func cleaned(_ text: String) -> String {
    var text = text.withoutUnsafeScalars
    text = text.replacing(/【[^】]*】/, with: "")
    text = text.replacing(/\(\s*\[[^\[\]]*\]\([^()\s]*\)\s*\)/, with: "")
    text = text.replacing(/\[([^\[\]]*)\]\([^()\s]*\)/) { String($0.1) }
    text = text.replacing(/\[\^?[0-9]+(\s*,\s*[0-9]+)*\]/, with: "")
    text = text.replacing(/\(?https?:\/\/[^\s()]+\)?/, with: "")
    text = text.replacing("**", with: "")
    text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return text.replacing(/\s+([.,;:!?])/) { String($0.1) }
  }

  /// Returns true if a text has a number of sentences in a range. Ends such as those of `Dr.` and `B. B. King` may or
  /// may not be ends of sentences, so they count only where the text would have too few without them.
  static func has(_ range: ClosedRange<Int>, sentencesIn text: String) -> Bool {
    var (surely, perhaps) = (0, 0)
    let words = text.split(separator: " ")
    for (index, word) in words.enumerated() {
      let bare = word.reversed().drop { "\"'”’)]".contains($0) }
      guard let end = bare.first, ".!?…".contains(end) || index == words.count - 1 else { continue }
      perhaps += 1
      let isShort = bare.count <= 4 && bare.last?.isUppercase == true
      if end != "." || !isShort || index == words.count - 1 { surely += 1 }
    }
    return perhaps >= range.lowerBound && surely <= range.upperBound
  }

  /// Returns true if a text quotes a score, such as `9.1/10`, `87 out of 100` or `four stars`.
  static func quotesScore(_ text: String) -> Bool {
    let isFraction = text.contains(/\b[0-9]+([.,][0-9]+)?\s*(\/|out of|von)\s*(5|10|100)\b/)
    return isFraction
      || text.folded.contains(/\b([0-9]([.,][0-9])?|one|two|three|four|five)(-| and a half | )?(stars?)\b/)
  }
}
