import FoundationEssentials
import Messages
import Model

/// A word of a body that must be understood: elsewhere an unknown one is taken for `unknown`, as a newer version may
/// have more of them, but what a person asks for is never guessed.
struct Strict<Name: TolerantName>: Decodable {
  let value: Name

  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let value = Name(rawValue: text), value != .unknown else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "\(text) is not known"))
    }
    self.value = value
  }
}

/// A value of a body that may be left out, or be `null`, which is another thing.
enum Given<Value: Decodable>: Decodable {
  case missing
  case null
  case value(Value)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
  }
}

extension KeyedDecodingContainer {
  /// Has a key that is not there read as missing.
  func decode<Value>(_ type: Given<Value>.Type, forKey key: Key) throws -> Given<Value> {
    guard contains(key) else { return .missing }
    return try decodeNil(forKey: key) ? .null : .value(decode(Value.self, forKey: key))
  }
}

extension Decodable {
  /// Reads a body.
  ///
  /// - Throws: `web.badBody`, with what was missing or wrong as the cause.
  static func read(_ body: [UInt8]) throws -> Self {
    do {
      return try JSONDecoder().decode(Self.self, from: Data(body))
    } catch {
      throw LunaraError(
        "web.badBody", "The body is not the JSON that is expected here.", cause: BodyFault.cause(error))
    }
  }
}

/// What is wrong with a body, in words that hold nothing of what stands in it: it may hold a password.
enum BodyFault {
  static func cause(_ error: any Error) -> String {
    func place(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
    switch error as? DecodingError {
    case .keyNotFound(let key, _): return "\(key.stringValue) is missing"
    case .valueNotFound(_, let context): return "\(place(context.codingPath)) is null"
    case .typeMismatch(_, let context): return "\(place(context.codingPath)) is of another kind"
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      return "\(place(context.codingPath)) is not understood"
    default: return "it is no JSON"
    }
  }
}
