import Catalogue
import Model
package import Records
package import Storage

/// The number and duration of what rules give.
struct RuleCount: Hashable, Sendable {
  var tracks: Int
  /// The number of albums on which the tracks are.
  var albums: Int
  var duration: Milliseconds
}

/// Tracks by rules. The answer is made at each reading, so it is never out of date.
extension Catalogue {
  /// Returns the numbers of the shown tracks that rules give, in their order. Throws `library.badRules`.
  ///
  /// - Parameter window: the part that is wanted; nil for all.
  static func tracks(
    of rules: PlaylistRules, _ context: RuleContext, window: RuleQuery.Window? = nil, _ transaction: ReadTransaction
  ) throws -> [Int64] {
    let statement = try RuleQuery.list(rules, context, window: window, transaction)
    return try transaction.rows(statement.text, values: statement.values) { try $0.value(0) }
  }

  /// Returns the tracks of rules that refer to nothing outside of them. Throws `library.badRules`.
  package static func tracks(of rules: PlaylistRules, _ transaction: ReadTransaction) throws -> [Int64] {
    try tracks(of: rules, RuleContext(), transaction)
  }

  /// Returns the number of tracks that rules give, for example while a person edits them. Throws `library.badRules`.
  static func count(
    of rules: PlaylistRules, _ context: RuleContext, _ transaction: ReadTransaction
  ) throws -> RuleCount {
    let statement = try RuleQuery.count(rules, context, transaction)
    let counts = try transaction.rows(statement.text, values: statement.values) {
      RuleCount(tracks: try $0.value(0), albums: try $0.value(1), duration: try $0.value(2))
    }
    return counts.first ?? RuleCount(tracks: 0, albums: 0, duration: Milliseconds(0))
  }
}
