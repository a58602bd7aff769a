import Messages

extension PlaylistRules {
  /// The rules as JSON, which `init(json:)` reads as the same rules.
  package func json() throws -> [UInt8] {
    var members: [String] = []
    if let name { members.append("\"name\":\(try Self.quoted(name))") }
    if let comment { members.append("\"comment\":\(try Self.quoted(comment))") }
    switch condition {
    case .all, .any: members.append(try Self.member(condition))
    case .comparison: members.append(try Self.member(.all([condition])))
    }
    let words = isRandom ? ["random"] : order.map { ($0.isDescending ? "-" : "") + $0.field.rawValue }
    if !words.isEmpty { members.append("\"sort\":\(try Self.quoted(words.joined(separator: ",")))") }
    let numbers = [
      ("seed", seed), ("limit", limit), ("limitMinutes", limitMinutes), ("limitPercent", limitPercent),
    ]
    for (name, number) in numbers { if let number { members.append("\"\(name)\":\(number)") } }
    if unit != .tracks { members.append("\"unit\":\"\(unit.rawValue)\"") }
    return Array("{\(members.joined(separator: ","))}".utf8)
  }

  private static func quoted(_ text: String) throws -> String {
    String(decoding: try MessageCoding.encode(text), as: UTF8.self)
  }

  /// Returns a condition as one member of an object.
  private static func member(_ condition: Condition) throws -> String {
    switch condition {
    case .all(let parts): "\"all\":[\(try parts.map { "{\(try member($0))}" }.joined(separator: ","))]"
    case .any(let parts): "\"any\":[\(try parts.map { "{\(try member($0))}" }.joined(separator: ","))]"
    case .comparison(let field, let comparison, let value):
      "\"\(comparison.rawValue)\":{\"\(field.rawValue)\":\(try written(value))}"
    }
  }

  private static func written(_ value: Value) throws -> String {
    switch value {
    case .text(let text): try quoted(text)
    case .number(let number): written(number)
    case .range(let first, let last): "[\(written(first)),\(written(last))]"
    case .day(let day): "\"\(day.text)\""
    case .days(let first, let last): "[\"\(first.text)\",\"\(last.text)\"]"
    }
  }

  private static func written(_ number: Double) -> String { Int64(exactly: number).map { "\($0)" } ?? "\(number)" }
}
