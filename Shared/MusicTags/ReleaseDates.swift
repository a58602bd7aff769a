package import Model

/// The dates of a release in the tags of a file.
extension DateTags {
  /// The date of this edition.
  package var edition: PartialDate? {
    [release, date, year].lazy.compactMap { $0.flatMap(PartialDate.init(tag:)) }.first
  }

  /// The date of the original release, where the tags have one beside that of this edition.
  package var originalRelease: PartialDate? {
    if let original = [original, originalYear].lazy.compactMap({ $0.flatMap(PartialDate.init(tag:)) }).first {
      return original
    }
    // Some taggers keep the original date in `DATE` and add that of the edition as `RELEASEDATE`.
    guard let date = date.flatMap(PartialDate.init(tag:)), let edition, date.year < edition.year else { return nil }
    return date
  }
}

extension PartialDate {
  /// Reads a date as tags have it: `1999`, `1999-05-01`, `1999/05`, `19990501`, `1 May 1999`, and those with a time
  /// behind them. Parts that are not valid are left out; nil if no year is found.
  package init?(tag text: String) {
    if let date = Self.plain(text.utf8) {
      self = date
      return
    }
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    guard let index = words.firstIndex(where: { Self.year($0) != nil }), let year = Self.year(words[index]) else {
      return nil
    }
    let digits = Array(words[index].utf8)
    if digits.count == 8 {
      self.init(year: year, month: Int(words[index].dropFirst(4).prefix(2)), day: Int(words[index].suffix(2)))
      return
    }
    if let named = words.firstIndex(where: { Self.month(named: $0) != nil }) {
      let day = words.indices.first { $0 != index && $0 != named && Int(words[$0]) != nil }
      self.init(year: year, month: Self.month(named: words[named]), day: day.flatMap { Int(words[$0]) })
      return
    }
    // A time follows its date with a T, as in `1999-05-01T12:00`.
    let rest = words[(index + 1)...].map { $0.split(separator: "t").first.map(String.init) ?? $0 }.map { Int($0) }
    let (month, day) = (rest.first ?? nil, rest.dropFirst().first ?? nil)
    guard index == 0 else {
      // The day comes first, or the month in America: only a year is certain.
      self.init(year: year)
      return
    }
    self.init(year: year, month: month, day: day)
  }

  /// Reads `1999`, `1999-05` and `1999-05-01`, which nearly all files have, without splitting the text.
  private static func plain(_ text: String.UTF8View) -> PartialDate? {
    guard text.count == 4 || text.count == 7 || text.count == 10 else { return nil }
    var (year, month, day) = (0, 0, 0)
    for (place, byte) in text.enumerated() {
      if place == 4 || place == 7 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard (48...57).contains(byte) else { return nil }
      let digit = Int(byte) - 48
      switch place {
      case ..<4: year = year * 10 + digit
      case ..<7: month = month * 10 + digit
      default: day = day * 10 + digit
      }
    }
    guard (1000...2999).contains(year) else { return nil }
    return PartialDate(year: year, month: month > 0 ? month : nil, day: day > 0 ? day : nil)
  }

  /// Returns the year that a word of four digits is, or that one of eight begins with.
  private static func year(_ word: String) -> Int? {
    guard word.utf8.count == 4 || word.utf8.count == 8 || word.utf8.dropFirst(4).first == UInt8(ascii: "t"),
      let year = Int(word.prefix(4)), (1000...2999).contains(year),
      word.utf8.count != 8 || word.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return year
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  private static func month(named word: String) -> Int? {
    guard word.utf8.count >= 3 else { return nil }
    return months.firstIndex { word.hasPrefix($0) }.map { $0 + 1 }
  }
}
