import Model

/// The words of reasons: lengths of time, counts, stars and months.
enum RediscoveryWords {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// The longest age in years: an older listen, note or album has its time from a clock that was not set.
  static let longestYears = 27

  /// Returns a length of time in the largest unit of which there are at least two, or in days. One that is longer than
  /// `longestYears` is `a long time`.
  static func length(_ seconds: Int64) -> String {
    let days = max(1, Int(seconds / RediscoveryFacts.day))
    guard days <= longestYears * 366 else { return "a long time" }
    if days >= 730 { return count(days / 365, "year") }
    if days >= 61 { return count(days * 12 / 365, "month") }
    return count(days, "day")
  }

  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// Returns a rating in words without needless decimals: `4.5 stars` or `4 stars`.
  static func stars(_ rating: Rating) -> String {
    "\(rating.rawValue % 2 == 0 ? "\(rating.rawValue / 2)" : "\(rating.stars)") stars"
  }

  /// Returns the month of a moment: `March 2024`.
  static func month(of moment: Timestamp) -> String {
    let text = moment.description
    guard let number = Int(text.dropFirst(5).prefix(2)), months.indices.contains(number - 1) else {
      return String(text.prefix(4))
    }
    return "\(months[number - 1]) \(text.prefix(4))"
  }

  /// Returns a day such as `2026-11-26` without its year: `26 November`.
  static func dayOfYear(_ day: String) -> String {
    guard let month = Int(day.dropFirst(5).prefix(2)), let number = Int(day.dropFirst(8).prefix(2)),
      months.indices.contains(month - 1)
    else { return day }
    return "\(number) \(months[month - 1])"
  }

  /// Returns a number of years ago: `A year ago` or `12 years ago`.
  static func yearsAgo(_ years: Int) -> String { years == 1 ? "A year ago" : "\(years) years ago" }
}
