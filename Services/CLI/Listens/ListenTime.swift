import Glibc

/// Times in exports, all in UTC: numbers of seconds or milliseconds, `2026-01-31 12:34:56`, and `31 Jan 2026, 12:34`.
enum ListenTime {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Returns the seconds, or milliseconds, from 1970; nil for a text that is not a time.
  static func seconds(_ text: String) -> Int64? {
    if let number = Int64(text) { return number }
    let words = text.split { " ,-:TZ/".contains($0) }
    guard (5...7).contains(words.count) else { return nil }
    let date: (year: Substring, month: Int?, day: Substring)
    if let month = months.firstIndex(where: { words[1].lowercased().hasPrefix($0) }) {
      date = (words[2], month, words[0])
    } else {
      date = (words[0], Int32(words[1]).map { Int($0) - 1 }, words[2])
    }
    guard let year = Int32(date.year), (1970...9999).contains(year), let month = date.month, (0...11).contains(month),
      let day = Int32(date.day), (1...31).contains(day), let hour = Int32(words[3]), (0...24).contains(hour),
      let minute = Int32(words[4]), (0...59).contains(minute)
    else { return nil }
    // Seconds may have a fraction. Any other text after the minutes is a time zone, or a.m. or p.m.
    let second = words.count > 5 ? Int32(words[5].prefix { $0 != "." }) : 0
    guard let second, (0...60).contains(second), words.count < 7 else { return nil }
    var parts = tm()
    parts.tm_year = year - 1900
    parts.tm_mon = Int32(month)
    parts.tm_mday = day
    parts.tm_hour = hour
    parts.tm_min = minute
    parts.tm_sec = second
    return Int64(timegm(&parts))
  }
}
