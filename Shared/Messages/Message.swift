public import Model

/// How the bus delivers a message. It follows from the message's type, so that no caller can choose wrongly.
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

/// What passes between processes: a value with a stable name.
///
/// Changes are additive: new fields are optional, names and meanings never change.
public protocol Message: Codable, Sendable {
  /// The stable name, `domain.words-with-dashes`; the domain is the role of the node that publishes or answers it.
  static var kind: String { get }
  /// The delivery class, fixed by the protocol the type conforms to.
  static var delivery: Delivery { get }
}

/// Something that happened. Kept in the journal of the node it happened at; readers that were away get every one they
/// missed.
public protocol Fact: Message {
  /// What it must survive once acknowledged.
  static var survives: Durability { get }
}

/// How things stand. Only the newest value of a topic matters; a reader that was away gets it at once. Its size never
/// grows with the data.
public protocol State: Message {
  /// Whether readers keep the newest value on their disks, for a node that takes the name over when its holder is gone.
  static var isKept: Bool { get }
}

/// Something of the moment that nobody has to hear.
public protocol Signal: Message {}

/// A question to one node, answered once, or refused with one `LunaraError`.
public protocol Request: Message {
  /// What comes back.
  associatedtype Answer: Codable & Sendable
  /// Whether it changes something. The effect of a command happens at most once however often it is sent.
  static var isCommand: Bool { get }
}

extension Fact {
  /// Facts are delivered as facts.
  public static var delivery: Delivery { .fact }
}
extension State {
  /// States are delivered as states.
  public static var delivery: Delivery { .state }
  /// Most are worth nothing once their node is gone.
  public static var isKept: Bool { false }
}
extension Signal {
  /// Signals are delivered as signals.
  public static var delivery: Delivery { .signal }
}
extension Request {
  /// Requests are delivered as requests.
  public static var delivery: Delivery { .request }
}

extension Message {
  /// The first word of the kind: the role of the node concerned.
  public static var domain: String { String(kind.prefix { $0 != "." }) }

  /// The topic of this message when the node `name` publishes it: `domain.name.rest.`, always ended by a dot.
  public static func topic(ofNode name: String) -> String {
    "\(domain).\(name).\(kind.dropFirst(domain.utf8.count + 1))."
  }
}

/// The answer of a request that has nothing to say but that it was done.
public struct Done: Codable, Hashable, Sendable {
  /// Nothing but this.
  public init() {}
}
