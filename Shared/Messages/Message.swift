import FoundationEssentials
public import Model

/// The way in which the bus delivers a message. It follows from the protocol that the message's type conforms to, so
/// that no caller can choose wrongly.
public enum Delivery: String, Codable, Sendable {
  /// Durable, ordered, with its effect once.
  case fact
  /// The newest value a topic.
  case state
  /// Best effort.
  case signal
  /// One answer or one typed error.
  case request
}

/// A value with a stable name that is sent between processes.
///
/// Changes are additive: new fields are optional, names and meanings never change.
public protocol Message: Codable, Sendable {
  /// The stable name, `domain.words-with-dashes`; the domain is the role of the node that publishes or answers it.
  static var kind: String { get }
}

/// Something that happened. Kept in its node's journal; readers that were away get every one they missed.
public protocol Fact: Message {
  /// The failures that it must survive once it is acknowledged.
  static var survives: Durability { get }
}

/// The present condition of something. Only the newest value of a topic matters; a reader that was away gets it at
/// once. Its size never grows with the data.
public protocol State: Message {
  /// True where readers store the newest value on disk, for a node that takes over the name when its holder is gone.
  static var isKept: Bool { get }
}

/// A notice that may be lost.
public protocol Signal: Message {}

/// A question to one node, answered once, or refused with one `LunaraError`. A type is either a `ReadRequest` or a
/// `CommandRequest`.
public protocol Request: Message {
  /// The type of the answer.
  associatedtype Answer: Codable & Sendable
  /// True where it changes something. The effect of a command happens at most once however often it is sent.
  static var isCommand: Bool { get }
}

/// A request that changes nothing.
public protocol ReadRequest: Request {}

/// A request that changes something.
public protocol CommandRequest: Request {}

extension State {
  /// False: most states have no value once their node is gone.
  public static var isKept: Bool { false }
}
extension ReadRequest {
  /// False: it changes nothing.
  public static var isCommand: Bool { false }
}
extension CommandRequest {
  /// True: it changes something.
  public static var isCommand: Bool { true }
}

extension Message {
  /// The first word of the kind: the role of the node concerned.
  public static var domain: String { String(kind.prefix { $0 != "." }) }

  /// The topic of this message when the node `name` publishes it: `domain.name.rest.`, always ended by a dot.
  public static func topic(ofNode name: String) -> String {
    "\(domain).\(name).\(kind.dropFirst(domain.utf8.count + 1))."
  }
}

/// The answer of a request that returns nothing else.
public struct Done: Codable, Hashable, Sendable {
  public init() {}
}

/// Encodes messages as JSON with sorted keys, so that equal values give equal bytes.
///
/// Coding is most of a message's cost, so this module has a coder of its own (docs/adr/0047-json.md), at about a fifth
/// of the cost of Foundation's. Values that it refuses with `UnsupportedJSON` go to Foundation's, which also describes
/// errors in words: both write the same bytes and accept the same texts.
public enum MessageCoding {
  /// The JSON of a value.
  ///
  /// - Throws: `bus.badPayload` for what JSON cannot hold, such as a number that is not finite.
  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    do { return try encodeFast(value) } catch { return try encodeWithFoundation(value) }
  }

  /// The value of a JSON text; unknown fields are ignored.
  ///
  /// - Throws: `bus.badPayload`, with what was missing or wrong as the cause.
  public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Collection<UInt8>) throws -> Value {
    do { return try decodeFast(type, from: bytes) } catch { return try decodeWithFoundation(type, from: bytes) }
  }

  /// - Throws: `UnsupportedJSON`, and what the value's own code throws.
  static func encodeFast(_ value: some Encodable) throws -> [UInt8] {
    try JSONWriter.text(of: value)
  }

  static func encodeWithFoundation(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(value))
    } catch {
      throw LunaraError("bus.badPayload", "A message cannot be written as JSON.", cause: String(describing: error))
    }
  }

  /// - Throws: `UnsupportedJSON`, and what the value's own code throws.
  static func decodeFast<Value: Decodable>(_ type: Value.Type, from bytes: some Collection<UInt8>) throws -> Value {
    guard let text = JSONText(Array(bytes)) else { throw UnsupportedJSON() }
    return try Value(from: JSONReader(text: text, index: 0))
  }

  static func decodeWithFoundation<Value: Decodable>(_ type: Value.Type, from bytes: some Collection<UInt8>) throws
    -> Value
  {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw LunaraError(
        "bus.badPayload", "A message of the bus does not have the expected form. Are all services of one version?",
        cause: String(describing: error))
    }
  }
}
