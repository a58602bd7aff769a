public import Messages
public import Model

/// How a node stands, as it says itself in hellos and heartbeats.
public struct NodePresence: Codable, Hashable, Sendable {
  /// Who it is.
  public var id: NodeID
  /// Its process.
  public var pid: Int32
  /// Its start number.
  public var epoch: Int64
  /// The version of its program.
  public var version: String
  /// When it started.
  public var startedAt: Timestamp
  /// When it said so, on its own clock.
  public var saidAt: Timestamp
  /// Where its journal ends; nil for a node without one.
  public var journal: JournalPosition?
  /// How many facts of others it has yet to read.
  public var lag: Int64
  /// The versions of its state topics.
  public var states: [String: Int64]
  /// Whether nothing was heard of it for 3 s. Judged by the reader, never said by the node.
  public var away: Bool

  private enum CodingKeys: String, CodingKey { case id, pid, epoch, version, startedAt, saidAt, journal, lag, states }

  init(
    id: NodeID, pid: Int32, epoch: Int64, version: String, startedAt: Timestamp, saidAt: Timestamp,
    journal: JournalPosition?, lag: Int64, states: [String: Int64]
  ) {
    self.id = id
    self.pid = pid
    self.epoch = epoch
    self.version = version
    self.startedAt = startedAt
    self.saidAt = saidAt
    self.journal = journal
    self.lag = lag
    self.states = states
    away = false
  }

  /// Reads what a node said; it was there then.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(NodeID.self, forKey: .id)
    pid = try container.decode(Int32.self, forKey: .pid)
    epoch = try container.decode(Int64.self, forKey: .epoch)
    version = try container.decode(String.self, forKey: .version)
    startedAt = try container.decode(Timestamp.self, forKey: .startedAt)
    saidAt = try container.decode(Timestamp.self, forKey: .saidAt)
    journal = try container.decodeIfPresent(JournalPosition.self, forKey: .journal)
    lag = try container.decodeIfPresent(Int64.self, forKey: .lag) ?? 0
    states = try container.decodeIfPresent([String: Int64].self, forKey: .states) ?? [:]
    away = false
  }
}

/// A place in a journal: after the fact with this sequence number, in this epoch.
public struct JournalPosition: Codable, Hashable, Sendable {
  /// The journal's identity; a wiped journal gets a new one.
  public var journal: String
  /// The start number under which the fact was written.
  public var epoch: Int64
  /// Its sequence number; 0 before the first.
  public var seq: Int64

  /// Makes a position.
  public init(journal: String, epoch: Int64, seq: Int64) {
    self.journal = journal
    self.epoch = epoch
    self.seq = seq
  }
}

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

/// The newest value of one state of one node, as a reader holds it.
public struct Observed<Value: State>: Sendable {
  /// Who said it.
  public var node: NodeID
  /// The value.
  public var value: Value
  /// How long ago it was said: by the publisher's clock until this node heard it, by this node's monotonic clock since.
  public var age: Milliseconds
  /// When it was said, on the publisher's clock: what lies before it in the value is older than `age` by the difference.
  public var saidAt: Timestamp
  /// Whether the node is away; its value is the last one known.
  public var away: Bool
}

/// Who says hello, where it hears, and what it wants.
struct Hello: Request {
  static let kind = "bus.hello"
  static let isCommand = false
  typealias Answer = NodePresence
  /// The asker.
  var presence: NodePresence
  /// The address of its inbox; nil for one that only asks.
  var inbox: String?
  /// Whether it wants signals as well: a tap does.
  var wantsSignals: Bool
}

/// Asks for the newest values of a node's states.
struct ReadStates: Request {
  static let kind = "bus.read-states"
  static let isCommand = false
  /// The states, and the moment on the publisher's clock from which their age counts.
  struct Answer: Codable, Sendable {
    var now: Timestamp
    /// The envelopes by topic, as JSON texts.
    var states: [String: String]
  }
  /// The topics wanted.
  var topics: [String]
}

/// Said each second by every node to all that hear it.
struct Heartbeat: Signal {
  static let kind = "bus.heartbeat"
  var presence: NodePresence
  /// Set in the last one of an orderly stop.
  var leaving: Bool?
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
