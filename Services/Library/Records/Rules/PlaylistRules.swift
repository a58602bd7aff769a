import Model

/// The rules of a smart playlist: which tracks it has, in which order, and how many.
///
/// They are read from and written to JSON in the shape of Navidrome's `.nsp` files.
package struct PlaylistRules: Hashable, Sendable {
  /// The deepest nesting of groups.
  static let deepest = 8
  /// The largest number of conditions.
  static let mostConditions = 100

  /// A condition, or a group of them.
  package indirect enum Condition: Hashable, Sendable {
    case all([Condition])
    case any([Condition])
    case comparison(RuleField, RuleOperator, Value)
  }

  /// The value with which a field is compared.
  package enum Value: Hashable, Sendable {
    /// A text, or the id of a playlist.
    case text(String)
    /// A number, or a number of days.
    case number(Double)
    case range(Double, Double)
    /// The first moment of a day.
    case day(Day)
    case days(Day, Day)
  }

  /// A day of the calendar, such as 2026-11-23.
  package struct Day: Hashable, Sendable {
    /// The day as it is written.
    package let text: String
    /// The first moment of the day in UTC.
    let start: Timestamp

    /// Reads a day; nil if the calendar has no such day.
    init?(_ text: String) {
      guard text.utf8.count == 10, let start = Timestamp("\(text)T00:00:00Z") else { return nil }
      self.text = text
      self.start = start
    }
  }

  /// One field of the order.
  package struct Order: Hashable, Sendable {
    package var field: RuleField
    package var isDescending = false
  }

  /// The things in the list.
  package enum Unit: String, Sendable {
    case tracks, albums
  }

  /// The title; nil if the file has none.
  package var name: String?
  /// The description; nil if the file has none.
  package var comment: String?
  /// The conditions.
  package var condition: Condition
  /// The order, the first field first.
  package var order: [Order] = []
  /// True if the order is drawn by `seed`.
  package var isRandom = false
  /// The seed of a random order; nil if the file has none.
  package var seed: Int64?
  /// The largest number of tracks or albums.
  package var limit: Int64?
  /// The longest duration in minutes.
  package var limitMinutes: Int64?
  /// The largest share of what the conditions find, in percent.
  package var limitPercent: Int64?
  /// The things in the list.
  package var unit = Unit.tracks
}
