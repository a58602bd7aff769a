import Model

/// A day of the calendar.
struct CalendarDay: Hashable, Comparable, Sendable {
  /// The number of days since 1 January 1970.
  let number: Int

  init(number: Int) { self.number = number }

  /// Reads a day that is written like `2026-11-20`. Throws `library.badDay`.
  init(_ name: String) throws(LunaraError) {
    guard name.utf8.count == 10, let midnight = Timestamp("\(name)T00:00:00Z") else {
      throw LunaraError(
        "library.badDay", "“\(name.prefix(40))” is no day of the calendar. Write it like 2026-11-26.")
    }
    number = Int((Double(midnight.seconds) / 86_400).rounded(.down))
  }

  /// Reads the form that the table of listens has, such as 20261120; nil if it is no day.
  init?(packed: Int) {
    let digits = String(packed)
    guard digits.utf8.count == 8,
      let midnight = Timestamp("\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))T00:00:00Z")
    else { return nil }
    number = Int((Double(midnight.seconds) / 86_400).rounded(.down))
  }

  /// The day as `2026-11-20`.
  var name: String { String(Timestamp(seconds: Int64(number) * 86_400).description.prefix(10)) }

  /// The form that the table of listens has, such as 20261120.
  var packed: Int { name.utf8.reduce(0) { $1 == UInt8(ascii: "-") ? $0 : $0 * 10 + Int($1) - 48 } }

  /// The day of the week, from 0 for Monday to 6 for Sunday.
  var weekday: Int { ((number + 3) % 7 + 7) % 7 }

  static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }
}
