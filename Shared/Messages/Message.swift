public import Model

/// The way in which the bus delivers a message. The protocol that the message's type conforms to determines it, so that
/// no caller can choose wrongly.
public enum Delivery: String, Codable, Sendable {
  /// Stored and ordered, and applied once by each reader.
  case fact
  /// Only the newest value of each topic is kept.
  case state
  /// Sent once; it may be lost.
  case signal
  /// Sent to one node, which returns one answer or one error.
  case request
}

/// A value with a stable name that is sent between processes.
///
/// Changes have to be compatible: new fields are optional, and names and meanings never change.
public protocol Message: Codable, Sendable {
  /// The stable name, `domain.words-with-dashes`; the domain is the role of the node that publishes or answers it.
  static var kind: String { get }
}

/// An event. It is stored in its node's journal, so that readers that were away receive every event that they missed.
public protocol Fact: Message {
  /// The failures that the fact must survive after it was acknowledged.
  static var survives: Durability { get }
}

/// The present state of something. Only the newest value of a topic counts; a new reader receives it at once. Its size
/// must not grow with the amount of data.
public protocol State: Message {
  /// True if readers store the newest value on disk, for a node that takes over the name of a node that is gone.
  static var isKept: Bool { get }
}

/// A message that may be lost.
public protocol Signal: Message {}

/// A message to one node, which returns one answer or one `LunaraError`. Types conform to `ReadRequest` or to
/// `CommandRequest`.
public protocol Request: Message {
  /// The type of the answer.
  associatedtype Answer: Codable & Sendable
  /// True for a command, which changes something. Its effect happens at most once, even if it is sent several times.
  static var isCommand: Bool { get }
}

/// A request that changes nothing.
public protocol ReadRequest: Request {}

/// A request that changes something.
public protocol CommandRequest: Request {}

extension State {
  /// False: most states are of no use after their node is gone.
  public static var isKept: Bool { false }
}
extension ReadRequest {
  /// False.
  public static var isCommand: Bool { false }
}
extension CommandRequest {
  /// True.
  public static var isCommand: Bool { true }
}

extension Message {
  /// The first word of the kind: the role of the node concerned.
  public static var domain: String { String(kind.prefix { $0 != "." }) }

  /// Returns the topic of this message when the node `name` publishes it: `domain.name.rest.`, which ends with a dot.
  public static func topic(ofNode name: String) -> String {
    "\(domain).\(name).\(kind.dropFirst(domain.utf8.count + 1))."
  }
}

/// The answer of a request that returns no data.
public struct Done: Codable, Hashable, Sendable {
  public init() {}
}

/// Encodes messages as JSON with sorted keys, so that equal values give equal bytes.
///
/// Coding is most of a message's cost, so this module has its own coder (docs/adr/0047-json.md), at about a fifth of
/// the cost of Foundation's.
public enum MessageCoding {
  /// Returns the JSON text of a value.
  ///
  /// - Throws: `bus.badPayload` for a value that JSON cannot express, such as a number that is not finite.
  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    do {
      return try JSONWriter.text(of: value)
    } catch {
      throw LunaraError("bus.badPayload", "A message cannot be written as JSON.", cause: String(describing: error))
    }
  }

  /// Decodes a value from a JSON text; unknown fields are ignored.
  ///
  /// - Throws: `bus.badPayload`, with the missing or wrong field as the cause.
  public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Collection<UInt8>) throws -> Value {
    do {
      return try JSONInput(Array(bytes), refusesUnknownNames: false).decode(type)
    } catch {
      throw LunaraError(
        "bus.badPayload", "A message of the bus does not have the expected form. Are all services of one version?",
        cause: String(describing: error))
    }
  }
}
