import FoundationEssentials

/// JSON that a program printed. Reading a missing member gives `missing`, so that a check can tell it from `null`.
@dynamicMemberLookup
enum JSON: Decodable, Hashable, Sendable {
  case missing
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  /// Reads one JSON value that is the whole text.
  init(text: String) throws { self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) }

  subscript(dynamicMember key: String) -> JSON { self[key] }
  subscript(key: String) -> JSON { if case .object(let members) = self { members[key] ?? .missing } else { .missing } }
  subscript(index: Int) -> JSON { elements.indices.contains(index) ? elements[index] : .missing }

  /// The elements of an array; none where it is no array.
  var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
  var asString: String? { if case .string(let text) = self { text } else { nil } }
  var asNumber: Double? { if case .number(let number) = self { number } else { nil } }
  var asInt: Int? { asNumber.flatMap { Int(exactly: $0) } }
  var asBool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  var names: Set<String> { if case .object(let members) = self { Set(members.keys) } else { [] } }

  /// The kind of the value, as shapes name it.
  var form: String {
    switch self {
    case .missing: "missing"
    case .null: "null"
    case .bool: "bool"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// The differences from a shape, which lists keys with the kinds that each may have, such as `string|null`. Further
  /// keys are allowed.
  func differences(from shape: [String: String]) -> [String] {
    shape.sorted { $0.key < $1.key }.compactMap { key, forms in
      let found = self[key].form
      return forms.split(separator: "|").contains { $0 == found } ? nil : "\(key) is \(found), not \(forms)"
    }
  }
}

extension JSON: CustomStringConvertible {
  var description: String {
    switch self {
    case .missing: "missing"
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): "“\(value)”"
    case .array(let items): "[\(items.map(\.description).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.sorted { $0.key < $1.key }.map { "\($0): \($1)" }.joined(separator: ", "))}"
    }
  }
}
