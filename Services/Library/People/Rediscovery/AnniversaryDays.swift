import Model
import Storage

/// A day in the library's time zone, and the same day of the calendar in former years.
struct AnniversaryDays: Hashable, Sendable {
  /// The same day of a former year.
  struct FormerDay: Hashable, Sendable {
    /// The number of years since then.
    var years: Int
    /// Its first moment.
    var start: Timestamp
    /// The first moment after it.
    var end: Timestamp
  }

  /// The day, such as `2026-11-26`.
  let name: String
  /// Its first moment.
  let start: Timestamp
  /// The same day of up to 60 former years, the last one first. 29 February has one every four years.
  let former: [FormerDay]

  /// The month and the day, such as `11-26`.
  var monthAndDay: String { String(name.dropFirst(5)) }
  var year: Int { Int(name.prefix(4)) ?? 0 }

  /// - Parameter name: the day; nil for that of `now`.
  /// - Throws: `library.badDay`.
  init(_ name: String?, at now: Timestamp, _ transaction: ReadTransaction) throws {
    let today: String? = try transaction.value("SELECT date(? / 1000000, 'unixepoch', 'localtime')", now)
    let day = name ?? today ?? ""
    // SQLite turns a day that there is not, such as 30 February, into another one when it counts with it.
    let same: String? = try transaction.value("SELECT date(?, '+0 days')", day)
    guard day.utf8.count == 10, same == day,
      let start: Int64 = try transaction.value("SELECT unixepoch(?, 'utc')", day)
    else {
      throw LunaraError(
        "library.badDay", "“\(day.prefix(40))” is no day of the calendar. Write it like 2026-11-26.")
    }
    self.name = day
    self.start = Timestamp(seconds: start)
    former = try transaction.rows(
      """
      WITH RECURSIVE ages (years) AS (SELECT 1 UNION ALL SELECT years + 1 FROM ages WHERE years < ?2),
        days (years, name) AS (
          SELECT years, printf('%04d', CAST(substr(?1, 1, 4) AS INTEGER) - years) || substr(?1, 5) FROM ages)
      SELECT years, unixepoch(name, 'utc'), unixepoch(name, '+1 day', 'utc') FROM days
      WHERE date(name, '+0 days') = name
      ORDER BY years
      """, day, RediscoveryWords.longestYears
    ) { row in
      FormerDay(
        years: try row.value(0), start: Timestamp(seconds: try row.value(1)), end: Timestamp(seconds: try row.value(2)))
    }
  }

  /// Returns the number of years since the former day that has a moment; nil if it is on none.
  func years(since moment: Timestamp) -> Int? { former.first { $0.start <= moment && moment < $0.end }?.years }
}
