public import Messages
import Model

// The messages of the bus itself. Nodes of every role send and answer them.

/// Asks a node for its presence. Every node answers.
public struct ReadPresence: ReadRequest {
  public static let kind = "bus.read-presence"
  /// The presence of the node.
  public typealias Answer = NodePresence

  public init() {}
}

/// Says hello to a node: who the asker is, the address of its inbox, and what it wants. The answer is a `Heartbeat`.
struct Hello: Message {
  static let kind = "bus.hello"
  static let delivery = Delivery.request
  var presence: NodePresence
  /// The address of its inbox; nil for one that only asks.
  var inbox: String?
  /// True if it wants signals as well: a tap does.
  var wantsSignals: Bool
  /// True if it receives nothing from the node it greets, whose connection to it is then made afresh.
  var hearsNothing: Bool
  /// The places that the asker's durable readers have reached in the journal of the node it greets.
  var cursors: [ReaderCursor]?
}

/// Asks who is at an address, before anything else can be said there. It has no effect; the answer tells the asker whom
/// to say hello to.
struct Probe: ReadRequest {
  static let kind = "bus.knock"
  /// The presence of the node that answers, and the nodes that it knows.
  struct Answer: Codable, Sendable {
    var presence: NodePresence
    var roster: [RosterEntry]
  }
}

/// Asks for the nodes that can be reached from other machines.
struct ReadRoster: ReadRequest {
  static let kind = "bus.read-roster"
  struct Answer: Codable, Sendable {
    var roster: [RosterEntry]
  }
}

/// Asks the holder of a name for what its successor needs. The holder stops what it does under that name before it
/// answers.
struct HandOver: CommandRequest {
  static let kind = "bus.hand-over"
  var claim: Claim
  /// The data that the service hands over, as JSON of its own.
  struct Answer: Codable, Sendable {
    var inheritance: String?
  }
}

/// Sent each second by every node to all its subscribers, and in answer to a hello.
///
/// A node at rest says the same bytes again, so that neither it nor its readers need to look at them twice.
struct Heartbeat: Signal {
  static let kind = "bus.heartbeat"
  var presence: NodePresence
  /// True in the last one of an orderly stop; else absent.
  var leaving: Bool?
  /// The nodes that this one knows on other machines; in answers to hellos only, and only where there are any.
  var roster: [RosterEntry]?
}

/// Sent after each handled request, when somebody wants signals.
public struct RequestHandled: Signal {
  public static let kind = "bus.request-handled"
  /// The kind of the request.
  public var request: String
  /// The request's id.
  public var id: String
  /// The node that asked.
  public var from: NodeID
  /// The time that handling took.
  public var milliseconds: Double
  /// `done`, or the code of the error.
  public var outcome: String
}

/// Asks a node how far its readers of facts are, those that keep no place included. Every node answers.
public struct ReadCursors: ReadRequest {
  public static let kind = "bus.read-cursors"

  /// The place of one reader in one journal.
  public struct Progress: Codable, Hashable, Sendable {
    /// The reader, in words for a person.
    public var reader: String
    /// The node whose journal it reads.
    public var node: NodeID
    /// The place of the last fact that took effect; 0 where there is none yet.
    public var position: JournalPosition
  }

  /// The places of the readers.
  public struct Answer: Codable, Hashable, Sendable {
    /// One for each reader and journal it has met.
    public var cursors: [Progress]

    /// The number of readers.
    public var readers: Int
  }

  public init() {}
}

/// Asks for the newest values of some of a node's states. The answer holds the envelopes unchanged.
struct ReadStates: Message {
  static let kind = "bus.read-states"
  static let delivery = Delivery.request
  var topics: [String]

  /// The states that are there, and the moment on the publisher's clock from which their age counts.
  struct Answer: Sendable {
    var now: Timestamp
    var states: [Envelope]

    /// The JSON: `{"now": …, "states": [envelope…]}`.
    ///
    /// As many as fit into one frame, at least one; the asker asks again for the rest.
    func encoded() -> [UInt8] {
      var text = Array("{\"now\":\"\(now)\",\"states\":[".utf8)
      for (index, state) in states.enumerated() {
        let state = state.encoded()
        if index > 0, text.count + state.count > Frame.payloadLimit { break }
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text += state
      }
      return text + Array("]}".utf8)
    }
  }
}

extension ReadStates.Answer {
  /// - Throws: `bus.badPayload`, `bus.badEnvelope`.
  init(decoding bytes: [UInt8]) throws {
    struct Rest: Decodable { var now: Timestamp }
    let (list, rest) = try Envelope.list(named: "states", in: bytes)
    self.init(now: try MessageCoding.decode(Rest.self, from: rest).now, states: list)
  }
}

/// Asks for the newest values of states that a node has heard of others and keeps on its disk. The answer is that of
/// `ReadStates`; `now` says when it was given.
struct ReadKept: Message {
  static let kind = "bus.read-kept"
  static let delivery = Delivery.request
  var topics: [String]
}
