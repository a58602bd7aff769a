import Messages

/// A value of JSON that goes to a plugin or comes from one. What comes from a plugin is a stranger's, and is checked
/// where it is used.
enum PluginValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([PluginValue])
  case object([String: PluginValue])

  /// The value of an object's member; nil if it is missing or null.
  subscript(_ name: String) -> PluginValue? {
    guard case .object(let members) = self, let value = members[name], value != .null else { return nil }
    return value
  }

  /// The text of a string or number; nil for other values.
  var string: String? {
    switch self {
    case .text(let text): text
    case .number(let number): number == number.rounded() && abs(number) < 9e15 ? "\(Int64(number))" : "\(number)"
    default: nil
    }
  }

  /// A number, also one that was written as a text; nil for other values.
  var number: Double? {
    switch self {
    case .number(let number): number
    case .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// True for `true`.
  var isTrue: Bool { self == .bool(true) }

  /// The elements of a list; none for other values.
  var elements: [PluginValue] { if case .list(let values) = self { values } else { [] } }

  /// True for an object.
  var isObject: Bool { if case .object = self { true } else { false } }

  /// About the number of bytes that the value has as JSON.
  var size: Int {
    switch self {
    case .null, .bool: 5
    case .number: 12
    case .text(let text): text.utf8.count + 2
    case .list(let values): values.reduce(2) { $0 + $1.size + 1 }
    case .object(let members): members.reduce(2) { $0 + $1.key.utf8.count + $1.value.size + 4 }
    }
  }

  /// Returns an object without its members that have no value.
  static func members(_ values: [String: PluginValue?]) -> PluginValue { .object(values.compactMapValues { $0 }) }

  /// Returns a text; nil for none.
  static func optional(_ text: String?) -> PluginValue? { text.map { .text($0) } }

  /// The most lists and objects within one another.
  private static let depthLimit = 40

  /// Parses a text of JSON; nil if it is none, or has lists within lists without end.
  init?(json bytes: [UInt8]) {
    guard let view = JSONView(bytes) else { return nil }
    self.init(view)
  }

  /// Reads a value of a parsed text; nil if it has lists within lists without end.
  init?(_ view: JSONView, depth: Int = 0) {
    guard depth < Self.depthLimit else { return nil }
    switch view.kind {
    case .null: self = .null
    case .bool: self = .bool(view.isTrue)
    case .number: self = .number(view.number ?? 0)
    case .string: self = .text(view.string ?? "")
    case .array:
      var values: [PluginValue] = []
      for element in view.elements {
        guard let value = PluginValue(element, depth: depth + 1) else { return nil }
        values.append(value)
      }
      self = .list(values)
    case .object:
      var members: [String: PluginValue] = [:]
      for member in view.members {
        guard let value = PluginValue(member.value, depth: depth + 1) else { return nil }
        members[member.name] = value
      }
      self = .object(members)
    }
  }

  /// The value as a text of JSON.
  ///
  /// - Throws: `bus.badPayload` for a number that JSON cannot express.
  func json() throws -> [UInt8] { try MessageCoding.encode(self) }
}

extension PluginValue: Encodable {
  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Writes the value.
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var value = encoder.singleValueContainer()
      try value.encodeNil()
    case .bool(let known):
      var value = encoder.singleValueContainer()
      try value.encode(known)
    case .number(let number):
      var value = encoder.singleValueContainer()
      if number == number.rounded(), abs(number) < 9e15 {
        try value.encode(Int64(number))
      } else {
        try value.encode(number)
      }
    case .text(let text):
      var value = encoder.singleValueContainer()
      try value.encode(text)
    case .list(let values):
      var list = encoder.unkeyedContainer()
      for value in values { try list.encode(value) }
    case .object(let members):
      var object = encoder.container(keyedBy: Name.self)
      for (name, value) in members { try object.encode(value, forKey: Name(stringValue: name)) }
    }
  }
}
