public import Messages

// What nodes say to each other on the bus's own behalf. Every role says and answers these.

/// Asks a node how it stands. Every node answers.
public struct ReadPresence: Request {
  /// The stable name; `bus` requests are answered by every role.
  public static let kind = "bus.read-presence"
  /// It changes nothing.
  public static let isCommand = false
  /// How it stands.
  public typealias Answer = NodePresence

  /// Makes a request.
  public init() {}
}

/// Who says hello, where it hears, and what it wants. The answer is a `Heartbeat`.
struct Hello: Message {
  static let kind = "bus.hello"
  static let delivery = Delivery.request
  /// The asker.
  var presence: NodePresence
  /// The address of its inbox; nil for one that only asks.
  var inbox: String?
  /// Whether it wants signals as well: a tap does.
  var wantsSignals: Bool
  /// Whether it hears nothing from the node it greets, whose connection to it is then made afresh.
  var hearsNothing: Bool
  /// The places that the asker's durable readers have reached in the journal of the node it greets.
  var cursors: [ReaderCursor]?
}

/// Asks who is at an address, before anything else can be said there. It has no effect; the answer tells the asker whom
/// to say hello to.
struct Knock: Request {
  static let kind = "bus.knock"
  static let isCommand = false
  /// Who answers, and whom that one knows.
  struct Answer: Codable, Sendable {
    var presence: NodePresence
    var roster: [RosterEntry]
  }
}

/// Asks for the nodes that can be reached from other machines.
struct ReadRoster: Request {
  static let kind = "bus.read-roster"
  static let isCommand = false
  struct Answer: Codable, Sendable {
    var roster: [RosterEntry]
  }
}

/// Asks the holder of a name for what its successor needs. The holder stops what it does under that name before it
/// answers.
struct HandOver: Request {
  static let kind = "bus.hand-over"
  static let isCommand = true
  /// The claim that takes the name.
  var claim: Claim
  /// What the service hands over, as JSON of its own.
  struct Answer: Codable, Sendable {
    var inheritance: String?
  }
}

/// Said each second by every node to all that hear it, and in answer to a hello.
///
/// A node at rest says the same bytes again, so that neither it nor its readers need to look at them twice.
struct Heartbeat: Signal {
  static let kind = "bus.heartbeat"
  var presence: NodePresence
  /// Set in the last one of an orderly stop.
  var leaving: Bool?
  /// Whom the node knows on other machines; in answers to hellos only, and only where there are any.
  var roster: [RosterEntry]?
}

/// Said after each handled request, when somebody wants signals.
public struct RequestHandled: Signal {
  /// The stable name.
  public static let kind = "bus.request-handled"
  /// The kind of the request.
  public var request: String
  /// The request's id.
  public var id: String
  /// Who asked.
  public var from: NodeID
  /// How long handling took.
  public var milliseconds: Double
  /// `done`, or the code of the error.
  public var outcome: String
}

/// Asks a node how far its readers of facts are, those that keep no place included. Every node answers.
public struct ReadCursors: Request {
  /// The stable name; `bus` requests are answered by every role.
  public static let kind = "bus.read-cursors"
  /// It changes nothing.
  public static let isCommand = false

  /// How far one reader is in one journal.
  public struct Standing: Codable, Hashable, Sendable {
    /// The reader, in words for a person.
    public var reader: String
    /// Whose journal it reads.
    public var node: NodeID
    /// The place of the last fact that took effect; 0 where there is none yet.
    public var position: JournalPosition

    /// Makes a standing.
    public init(reader: String, node: NodeID, position: JournalPosition) {
      self.reader = reader
      self.node = node
      self.position = position
    }
  }

  /// How far they are.
  public struct Answer: Codable, Hashable, Sendable {
    /// One for each reader and journal it has met.
    public var cursors: [Standing]

    /// How many readers there are.
    public var readers: Int

    /// Makes an answer.
    public init(cursors: [Standing], readers: Int) {
      self.cursors = cursors
      self.readers = readers
    }
  }

  /// Makes a request.
  public init() {}
}
