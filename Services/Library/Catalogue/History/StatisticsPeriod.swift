import Messages
import Model

/// The period of statistics, and the days, months or years into which it is divided.
struct StatisticsPeriod {
  /// The parts of a period.
  enum Division {
    case days, months, years
  }

  /// The most days of a period: a hundred years.
  private static let mostDays = 36_525
  private static let mostDaysByDay = 62
  private static let mostDaysByMonth = 5 * 366

  let first: CalendarDay
  let last: CalendarDay
  /// True for all days from the first listen on: nothing was before it.
  let isWhole: Bool
  let division: Division

  /// - Parameter firstListen: the day of the first listen; nil if there is none.
  /// - Parameter today: the day that it is, in the library's time zone.
  /// - Throws: `library.badDay`.
  init(_ request: Library.ReadStatistics, firstListen: CalendarDay?, today: CalendarDay) throws(LunaraError) {
    let last = if let to = request.to { try CalendarDay(to) } else { today }
    let first = if let from = request.from { try CalendarDay(from) } else { min(firstListen ?? last, last) }
    guard first <= last else {
      throw LunaraError("library.badDay", "The period ends on \(last.name), before it begins on \(first.name).")
    }
    let days = last.number - first.number + 1
    guard days <= Self.mostDays else {
      throw LunaraError(
        "library.badDay", "From \(first.name) to \(last.name) are more than 100 years. Choose a shorter period.")
    }
    self.first = first
    self.last = last
    isWhole = request.from == nil
    division = days <= Self.mostDaysByDay ? .days : days <= Self.mostDaysByMonth ? .months : .years
  }

  /// The first day of the period of the same length before this one.
  var firstBefore: CalendarDay { CalendarDay(number: first.number - (last.number - first.number + 1)) }

  /// The names of the parts, in order.
  var names: [String] {
    let (from, to) = (first.packed, last.packed)
    switch division {
    case .days: return (first.number...last.number).map { CalendarDay(number: $0).name }
    case .months:
      return (Self.month(from)...Self.month(to)).map { month in
        let number = month % 12 + 1
        return "\(month / 12)-\(number < 10 ? "0" : "")\(number)"
      }
    case .years: return (from / 10_000...to / 10_000).map(String.init)
    }
  }

  /// Returns the place of the part that has a day of the period.
  func place(of day: CalendarDay) -> Int {
    switch division {
    case .days: day.number - first.number
    case .months: Self.month(day.packed) - Self.month(first.packed)
    case .years: day.packed / 10_000 - first.packed / 10_000
    }
  }

  /// Returns the number of months from the beginning of the calendar to that of a packed day.
  private static func month(_ packed: Int) -> Int { packed / 10_000 * 12 + packed / 100 % 100 - 1 }
}
