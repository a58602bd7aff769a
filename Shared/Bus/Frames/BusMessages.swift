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

/// Greets a node, so that it sends its messages to the asker's inbox for the next 10 s. The answer is a `Heartbeat`.
struct Hello: Message {
  static let kind = "bus.hello"
  static let delivery = Delivery.request
  var presence: NodePresence
  /// The address of the asker's inbox; nil for a node that only sends requests.
  var inbox: String?
  /// True if the asker wants signals as well, as a tap does.
  var wantsSignals: Bool
  /// True if the asker receives nothing from the greeted node, which then connects to the inbox again.
  var hearsNothing: Bool
  /// The places that the asker's durable readers have reached in the journal of the node it greets.
  var cursors: [ReaderCursor]?
}

/// Asks which node is at an address, before anything else can be sent there. It has no effect; the answer tells the
/// asker which node to greet.
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

/// Asks a node to forget another one that is away, and its states, and to tell others of it. Refused with
/// `bus.nodeAlive` while that one is heard.
public struct ForgetNode: CommandRequest {  // memberwise
  public static let kind = "bus.forget-node"
  /// The node to forget.
  public var node: NodeID

  /// The knowledge of the node that answers.
  public struct Answer: Codable, Hashable, Sendable {
    /// True if it knew the node.
    public var wasKnown: Bool
  }
}

/// Asks the holder of a name for the data that its successor needs. The holder stops its work under that name before it
/// answers.
struct HandOver: CommandRequest {
  static let kind = "bus.hand-over"
  var claim: Claim
  /// The data that the service hands over, as JSON text.
  struct Answer: Codable, Sendable {
    var inheritance: String?
  }
}

/// Sent each second by every node to all its subscribers, and as the answer to a hello.
///
/// A node in which nothing changed sends the same bytes again, so that neither it nor its readers code them twice.
struct Heartbeat: Signal {
  static let kind = "bus.heartbeat"
  var presence: NodePresence
  /// True in the last heartbeat of an orderly stop; else absent.
  var leaving: Bool?
  /// The nodes on other machines that this node knows; only in answers to hellos, and absent if there are none.
  var roster: [RosterEntry]?
  /// The nodes that were forgotten at a person's wish; only in answers to hellos, and absent if there are none.
  var forgotten: [ForgottenNode]?
}

/// A node that was forgotten at a person's wish while it was away. Nodes tell each other of it for 30 days, so that one
/// that did not hear of it then does not bring the node back into the household's lists.
struct ForgottenNode: Codable, Hashable, Sendable {
  var id: NodeID
  /// The claim of its last run. A later run is listed again.
  var claim: Claim
  var at: Timestamp
}

/// Sent after each handled request, if any subscriber wants signals.
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

/// Asks a node for the progress of its readers of facts, including those that store no place. Every node answers.
public struct ReadCursors: ReadRequest {
  public static let kind = "bus.read-cursors"

  /// The progress of one reader in one journal.
  public struct Progress: Codable, Hashable, Sendable {
    /// The reader, as a text for people.
    public var reader: String
    /// The node whose journal it reads.
    public var node: NodeID
    /// The place of the last fact that was applied; its number is 0 if there is none yet.
    public var position: JournalPosition
  }

  /// The places of the readers.
  public struct Answer: Codable, Hashable, Sendable {
    /// The progress of each reader in each journal that it has met.
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

  /// The states that exist, and the time on the publisher's clock to which their ages are relative.
  struct Answer: Sendable {
    var now: Timestamp
    var states: [Envelope]

    /// Returns the JSON text: `{"now": …, "states": [envelope…]}`.
    ///
    /// It holds as many states as fit into one frame, at least one; the asker requests the rest again.
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

/// Asks a node for states of other nodes that it keeps on its disk. The answer is that of `ReadStates`; `now` is the
/// time of the answer.
struct ReadKept: Message {
  static let kind = "bus.read-kept"
  static let delivery = Delivery.request
  var topics: [String]
}
