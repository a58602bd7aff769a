/// Reads a filter expression such as `((Artist == 'X') AND (Album contains 'y'))`.
struct FilterParser {
  /// The most levels of nested expressions.
  private static let depthLimit = 32

  private var rest: Substring.UnicodeScalarView
  /// True if plain comparisons look for parts of words, as in `search`.
  private let isSearch: Bool

  /// Reads a whole expression.
  ///
  /// - Throws: `CommandError` with the code `argument`.
  static func filter(_ text: String, isSearch: Bool) throws(CommandError) -> SongFilter {
    var parser = FilterParser(rest: Substring(text).unicodeScalars, isSearch: isSearch)
    let filter = try parser.expression(depth: 0)
    parser.skipSpace()
    guard parser.rest.isEmpty else { throw CommandError(.argument, "Unparsed garbage after expression") }
    return filter
  }

  private mutating func skipSpace() { rest = rest.drop { $0.value <= 32 } }

  private mutating func expect(_ scalar: Unicode.Scalar) throws(CommandError) {
    skipSpace()
    guard rest.first == scalar else { throw CommandError(.argument, "'\(scalar)' expected") }
    rest.removeFirst()
  }

  private mutating func expression(depth: Int) throws(CommandError) -> SongFilter {
    guard depth < Self.depthLimit else { throw CommandError(.argument, "Expression is nested too deeply") }
    try expect("(")
    skipSpace()
    if rest.first == "(" {
      var filters = [try expression(depth: depth + 1)]
      skipSpace()
      while rest.first != ")" {
        guard word() == "AND" else { throw CommandError(.argument, "'AND' expected") }
        filters.append(try expression(depth: depth + 1))
        skipSpace()
      }
      try expect(")")
      return filters.count == 1 ? filters[0] : .all(filters)
    }
    if rest.first == "!" {
      rest.removeFirst()
      let negated = try expression(depth: depth + 1)
      try expect(")")
      return .not(negated)
    }
    let filter = try comparison()
    try expect(")")
    return filter
  }

  private mutating func comparison() throws(CommandError) -> SongFilter {
    let name = word()
    guard !name.isEmpty else { throw CommandError(.argument, "Word expected") }
    switch name.asciiLowercase {
    case "base": return .base(try string())
    case "modified-since", "added-since", "audioformat", "prio":
      throw CommandError(.argument, "Lunara has no filter \(name)")
    default: break
    }
    let field = try SearchArguments.field(name)
    let operation = symbol()
    let value = try string()
    switch operation {
    case "==": return .compare(field, isSearch && field == .file ? .contains : .equals, value)
    case "!=": return .not(.compare(field, .equals, value))
    case "contains": return .compare(field, .contains, value)
    case "!contains": return .not(.compare(field, .contains, value))
    case "starts_with": return .compare(field, .startsWith, value)
    case "!starts_with": return .not(.compare(field, .startsWith, value))
    case "=~", "!~": throw CommandError(.argument, "Lunara has no regular expressions in filters")
    default: throw CommandError(.argument, "Unknown filter operator: \(operation)")
    }
  }

  private mutating func word() -> String {
    skipSpace()
    return read { $0.properties.isAlphabetic || $0 == "_" || $0 == "-" }
  }

  private mutating func symbol() -> String {
    skipSpace()
    return read { $0.value > 32 && $0 != "'" && $0 != "\"" }
  }

  private mutating func read(while isPart: (Unicode.Scalar) -> Bool) -> String {
    let part = rest.prefix(while: isPart)
    rest = rest[part.endIndex...]
    return String(part)
  }

  private mutating func string() throws(CommandError) -> String {
    skipSpace()
    guard let quote = rest.first, quote == "'" || quote == "\"" else {
      throw CommandError(.argument, "Quoted string expected")
    }
    rest.removeFirst()
    var text = ""
    while let scalar = rest.popFirst() {
      if scalar == quote { return text }
      guard scalar == "\\" else {
        text.unicodeScalars.append(scalar)
        continue
      }
      guard let next = rest.popFirst() else { break }
      text.unicodeScalars.append(next)
    }
    throw CommandError(.argument, "Closing quote not found")
  }
}
