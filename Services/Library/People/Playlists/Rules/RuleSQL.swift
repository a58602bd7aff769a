import Catalogue
import Model
import Records
import Storage
import System
import Text

/// SQL with the values of its parameters in their order, as one writes a text: `"t.year = \(bound: 1959)"`.
struct RuleSQL: ExpressibleByStringInterpolation {
  private(set) var text: String
  private(set) var values: [(any SQLBindable)?]

  init(_ text: String, _ values: [(any SQLBindable)?]) {
    self.text = text
    self.values = values
  }

  init(stringLiteral text: String) { self.init(text, []) }

  init(stringInterpolation parts: StringInterpolation) { self.init(parts.text, parts.values) }

  init(_ term: TagTerm) { self.init(term.sql, term.values) }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var values: [(any SQLBindable)?] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ part: RuleSQL) {
      text += part.text
      values += part.values
    }

    /// Appends SQL of the program; texts of people are bound.
    mutating func appendInterpolation(_ sql: String) { text += sql }

    mutating func appendInterpolation(bound value: any SQLBindable) {
      text += "?"
      values.append(value)
    }
  }

  /// Parts with a separator between them.
  static func joined(_ parts: [RuleSQL], by separator: String) -> RuleSQL {
    RuleSQL(parts.map(\.text).joined(separator: separator), parts.flatMap(\.values))
  }
}

/// The parts of a statement that have names, so that it is not nested deeply: SQLite reads some twenty levels only.
final class RuleTables {
  /// The most smart playlists that rules name, directly and through each other.
  private static let mostPlaylists = 20

  private var parts: [RuleSQL] = []
  private var playlists: [Int64: String] = [:]
  private var countsName: String?

  /// Adds a part and returns its name.
  func add(_ part: RuleSQL) -> String {
    let name = "q\(parts.count)"
    parts.append("\(name) AS (\(part))")
    return name
  }

  /// Returns the name of a smart playlist's tracks, which are added at the first use. Throws
  /// `library.badRules`.
  func playlist(_ number: Int64, _ make: () throws -> RuleSQL) throws -> String {
    if let name = playlists[number] { return name }
    guard playlists.count < Self.mostPlaylists else {
      throw PlaylistRules.bad("they name more than \(Self.mostPlaylists) smart playlists. Use fewer")
    }
    let name = add(try make())
    playlists[number] = name
    return name
  }

  /// Returns the name of the plays and skips of the tracks that are shown, of all their copies and former numbers.
  func counts() -> String {
    if let countsName { return countsName }
    let name = add(
      """
      SELECT track, sum(plays) AS plays, sum(skips) AS skips FROM (
        SELECT c.shown AS track, l.plays, l.skips FROM (
          SELECT track, sum(outcome = 1) AS plays, sum(outcome = 2) AS skips FROM listens INDEXED BY listens_of_track
          GROUP BY track) l
        JOIN listen_tracks x ON x.id = l.track
        \(RuleSQL(Successors.join(.track, "x.number"), []))
        JOIN tracks c ON c.id = ifnull(e.heir, x.number)
        UNION ALL SELECT track, plays, 0 FROM (\(ImportedPlays.counts(of: nil))))
      GROUP BY track
      """)
    countsName = name
    return name
  }

  /// Returns the statement that ends with a SELECT.
  func statement(_ last: RuleSQL) -> RuleSQL { parts.isEmpty ? last : "WITH \(.joined(parts, by: ", ")) \(last)" }
}

/// Functions that the statements of rules call.
enum RuleFunctions {
  /// Texts as searches compare them.
  private static let folded = SQLFunction(
    "folded",
    .text { bytes, made in
      if bytes.allSatisfy({ $0 < 128 }) {
        made.append(contentsOf: bytes.lazy.map { $0 &- 65 < 26 ? $0 | 32 : $0 })
      } else {
        made.append(contentsOf: String(decoding: bytes, as: UTF8.self).folded.utf8)
      }
    })

  /// Names as lists are sorted.
  private static let sortKey = SQLFunction(
    "sort_key",
    .text { bytes, made in
      made.append(contentsOf: SortKey.of(String(decoding: bytes, as: UTF8.self)).utf8)
    })

  /// The place of a number in the random order of a seed.
  private static let shuffled = SQLFunction("shuffled", .numbers(shuffled))

  /// All functions.
  static let all = [folded, sortKey, shuffled]

  /// Returns the place of a number in the random order of a seed, which no other number changes.
  static func shuffled(_ number: Int64, _ seed: Int64) -> Int64 {
    Int64(
      bitPattern: SplitMix64.mix(
        SplitMix64.mix(UInt64(bitPattern: seed) &+ SplitMix64.increment) ^ UInt64(bitPattern: number)))
  }
}

/// The comparison of a column with a value. A comparison that denies is the one that it denies; see `isDenied`.
struct RuleTest {
  let comparison: RuleOperator
  let value: PlaylistRules.Value

  /// True where tracks match for which the comparison does not hold, among them those without a value.
  var isDenied: Bool {
    switch comparison {
    case .isNot, .notContains, .notInTheLast, .notInPlaylist: true
    default: false
    }
  }

  /// The comparison of SQL for a folded text; NULL if that is NULL.
  func text(_ column: String) -> RuleSQL {
    guard case .text(let value) = value else { return "FALSE" }
    switch comparison {
    case .contains, .notContains: return "instr(\(column), \(bound: value.folded)) > 0"
    case .startsWith: return "instr(\(column), \(bound: value.folded)) = 1"
    case .endsWith:
      let bytes = Array(value.folded.utf8)
      return bytes.isEmpty
        ? "\(column) IS NOT NULL" : "substr(CAST(\(column) AS BLOB), \(bound: -bytes.count)) = \(bound: bytes)"
    default: return "\(column) = \(bound: value.trimmed.folded)"
    }
  }

  /// The comparison of SQL for a number, of which one is `scale` units of the column.
  func number(_ column: String, times scale: Double = 1) -> RuleSQL {
    func bound(_ number: Double) -> any SQLBindable { Int64(exactly: number * scale) ?? number * scale }
    return switch (comparison, value) {
    case (.gt, .number(let number)): "\(column) > \(bound: bound(number))"
    case (.lt, .number(let number)): "\(column) < \(bound: bound(number))"
    case (_, .number(let number)): "\(column) = \(bound: bound(number))"
    case (_, .range(let first, let last)): "\(column) BETWEEN \(bound: bound(first)) AND \(bound: bound(last))"
    default: "FALSE"
    }
  }

  /// True if a number compares so.
  func holds(for number: Double) -> Bool {
    switch (comparison, value) {
    case (.gt, .number(let other)): number > other
    case (.lt, .number(let other)): number < other
    case (_, .number(let other)): number == other
    case (_, .range(let first, let last)): first <= number && number <= last
    default: false
    }
  }

  /// The comparison of SQL for a moment with days of the library's time zone. Both days of a range belong to it, and a
  /// number of days counts from the beginning of a day.
  func time(_ column: String, now: Timestamp) -> RuleSQL {
    func first(_ day: PlaylistRules.Day) -> RuleSQL {
      "(SELECT unixepoch(\(bound: day.text), 'utc') * 1000000)"
    }
    func next(_ day: PlaylistRules.Day) -> RuleSQL {
      "(SELECT ifnull(unixepoch(\(bound: day.text), '+1 day', 'utc') * 1000000, \("\(Int64.max)")))"
    }
    switch value {
    case .day(let day): return comparison == .before ? "\(column) < \(first(day))" : "\(column) >= \(next(day))"
    case .days(let from, let to): return "(\(column) >= \(first(from)) AND \(column) < \(next(to)))"
    case .number(let days):
      return """
        \(column) >= (SELECT ifnull(unixepoch(\(bound: now.seconds), 'unixepoch', 'localtime', 'start of day',
          \(bound: "-\(Int64(days)) days"), 'utc') * 1000000, \("\(Int64.min)")))
        """
    default: return "FALSE"
    }
  }
}
