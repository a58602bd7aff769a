import Messages
package import Model
import Text

extension PlaylistRules {
  /// Reads rules from JSON. Throws `library.badRules` with the place.
  package init(json bytes: [UInt8]) throws(LunaraError) {
    guard let view = JSONView(bytes), view.isObject else {
      throw RuleReader.bad("", "they are not an object of JSON")
    }
    var reader = RuleReader()
    self.init(condition: try reader.top(view))
    for (name, value) in view.members {
      switch name {
      case "all", "any", "public": break
      case "name": self.name = try RuleReader.text(value, name)
      case "comment": comment = try RuleReader.text(value, name)
      case "sort": try readOrder(try RuleReader.text(value, name))
      case "order": try RuleReader.require(["asc", "desc"].contains(value.string), name, "must be asc or desc")
      case "limit": limit = try RuleReader.whole(value, name, 1...1_000_000)
      case "limitMinutes": limitMinutes = try RuleReader.whole(value, name, 1...10_000_000)
      case "limitPercent": limitPercent = try RuleReader.whole(value, name, 1...100)
      case "seed": seed = try RuleReader.whole(value, name, 0...4_294_967_295)
      case "unit":
        guard let unit = value.string.flatMap(Unit.init) else {
          throw RuleReader.bad(name, "must be tracks or albums")
        }
        self.unit = unit
      default: throw RuleReader.bad(name, "is not known here. Leave it out, or correct its spelling")
      }
    }
    if view["order"]?.string == "desc" { for at in order.indices { order[at].isDescending.toggle() } }
  }

  private mutating func readOrder(_ text: String) throws(LunaraError) {
    let words = text.split(separator: ",").map { String($0).trimmed }
    if words.map(\.folded) == ["random"] {
      isRandom = true
      return
    }
    for word in words {
      let isDescending = word.hasPrefix("-")
      let name = isDescending || word.hasPrefix("+") ? String(word.dropFirst()) : word
      order.append(Order(field: try RuleReader.field(name, "sort"), isDescending: isDescending))
      try RuleReader.require(order.last?.field != .playlist, "sort", "cannot be by playlist")
    }
  }
}

/// A reader of the conditions of rules, which counts them.
private struct RuleReader {
  private var count = 0

  static func bad(_ place: String, _ problem: String) -> LunaraError {
    let subject = place.isEmpty ? "The rules cannot be used: " : "The rules cannot be used: \(place) "
    return LunaraError("library.badRules", "\(subject)\(problem).")
  }

  static func require(_ holds: Bool, _ place: String, _ problem: String) throws(LunaraError) {
    guard holds else { throw bad(place, problem) }
  }

  static func text(_ view: JSONView, _ place: String) throws(LunaraError) -> String {
    guard let text = view.string else { throw bad(place, "must be a text") }
    try require(text.utf8.count <= 4096, place, "is longer than 4,096 bytes")
    return text
  }

  static func number(_ view: JSONView, _ place: String) throws(LunaraError) -> Double {
    guard let number = view.number, abs(number) < 1e15 else { throw bad(place, "must be a number") }
    return number
  }

  static func whole(
    _ view: JSONView, _ place: String, _ range: ClosedRange<Int64>
  ) throws(LunaraError) -> Int64 {
    let number = try number(view, place)
    guard let whole = Int64(exactly: number), range.contains(whole) else {
      throw bad(place, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  static func field(_ name: String, _ place: String) throws(LunaraError) -> RuleField {
    if let field = RuleField(name: name) { return field }
    if RuleField.later.contains(name.folded) {
      throw bad(place, "compares \(name), which this version does not keep yet. Leave the condition out")
    }
    throw bad(place, "names the field \(name.prefix(80)), which is not known. Correct its spelling")
  }

  mutating func top(_ view: JSONView) throws(LunaraError) -> PlaylistRules.Condition {
    let groups = view.members.filter { $0.name == "all" || $0.name == "any" }
    guard groups.count == 1, let group = groups.first else {
      throw Self.bad("", "they need either a list \"all\" or a list \"any\" of conditions")
    }
    return try self.group(group.name, group.value, group.name, 1)
  }

  private mutating func group(
    _ name: String, _ view: JSONView, _ place: String, _ depth: Int
  ) throws(LunaraError) -> PlaylistRules.Condition {
    try Self.require(depth <= PlaylistRules.deepest, place, "is nested deeper than \(PlaylistRules.deepest) groups")
    let elements = view.isObject ? [] : view.elements
    try Self.require(!elements.isEmpty, place, "must be a list of at least one condition")
    var conditions: [PlaylistRules.Condition] = []
    for (at, element) in elements.enumerated() {
      conditions.append(try condition(element, "\(place)[\(at)]", depth))
    }
    return name == "all" ? .all(conditions) : .any(conditions)
  }

  private mutating func condition(
    _ view: JSONView, _ place: String, _ depth: Int
  ) throws(LunaraError) -> PlaylistRules.Condition {
    let members = view.members
    guard members.count == 1, let (name, value) = members.first else {
      throw Self.bad(place, "must be one condition such as {\"is\": {\"genre\": \"Jazz\"}}")
    }
    if name == "all" || name == "any" { return try group(name, value, "\(place).\(name)", depth + 1) }
    guard let comparison = RuleOperator(name: name) else {
      throw Self.bad(place, "names the comparison \(name.prefix(80)), which is not known. Correct its spelling")
    }
    count += 1
    try Self.require(
      count <= PlaylistRules.mostConditions, place, "is one of more than \(PlaylistRules.mostConditions) conditions")
    let fields = value.members
    guard fields.count == 1, let (fieldName, operand) = fields.first else {
      throw Self.bad(place, "must compare one field, as in {\"\(comparison)\": {\"title\": \"Home\"}}")
    }
    let field = try Self.field(fieldName, place)
    try Self.require(comparison.fits(field.kind), place, "cannot compare \(fieldName) by \(comparison)")
    return .comparison(field, comparison, try Self.value(operand, field.kind, comparison, place))
  }

  private static func value(
    _ view: JSONView, _ kind: RuleField.Kind, _ comparison: RuleOperator, _ place: String
  ) throws(LunaraError) -> PlaylistRules.Value {
    switch (kind, comparison) {
    case (.text, _), (.playlist, _): return .text(try text(view, place))
    case (_, .inTheRange):
      let ends = view.isObject ? [] : view.elements
      guard ends.count == 2 else { throw bad(place, "must have a list of two values, the first and the last") }
      if kind == .time { return .days(try day(ends[0], place), try day(ends[1], place)) }
      return .range(try number(ends[0], place), try number(ends[1], place))
    case (.time, .inTheLast), (.time, .notInTheLast): return .number(Double(try whole(view, place, 0...100_000)))
    case (.time, _): return .day(try day(view, place))
    case (.number, _): return .number(try number(view, place))
    }
  }

  private static func day(_ view: JSONView, _ place: String) throws(LunaraError) -> PlaylistRules.Day {
    guard let day = view.string.flatMap(PlaylistRules.Day.init) else {
      throw bad(place, "must have a day such as 2026-11-23")
    }
    return day
  }
}
