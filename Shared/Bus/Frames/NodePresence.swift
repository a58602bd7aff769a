public import Model

/// The presence of a node, as it states it in hellos and heartbeats.
public struct NodePresence: Codable, Hashable, Sendable {
  /// The name of the node.
  public var id: NodeID
  /// The id of its process.
  public var pid: Int32
  /// Its start number.
  public var epoch: Int64
  /// The version of its program.
  public var version: String
  /// The moment when it started.
  public var startedAt: Timestamp
  /// The time when the node stated this, by its own clock.
  public var saidAt: Timestamp
  /// The end of its journal; nil for a node without one.
  public var journal: JournalPosition?
  /// The number of facts of other nodes that it has yet to read.
  public var lag: Int64 = 0
  /// The versions of its states, by topic.
  public var states: [String: Int64] = [:]
  /// The identity of the owner of its name: that of its journal, or of its host if it has no journal; nil for a node
  /// that claims no name, such as a client node.
  public var identity: String?
  /// The term of its claim to the name, which grows each time the name is taken over.
  public var term: Int64 = 0
  /// The addresses at which other machines reach it; nil if they cannot.
  public var endpoints: Endpoints?
  /// True if another node took its name, so that it only serves its journal.
  public var retired = false
  /// True if it accepts replays, whose messages then take the place of those of all other nodes.
  public var isUnderTest = false
  /// A condition that a person should know of although the node works; nil if there is none.
  public var problem: LunaraError?
  /// True if nothing was received from it for 3 s. The receiver sets this; the node never sends it.
  public var away = false

  private enum CodingKeys: String, CodingKey {
    case id, pid, epoch, version, startedAt, saidAt, journal, lag, states, identity, term, endpoints, retired, underTest
    case problem
  }

  /// Writes the presence, without `saidAt` if that is not set, so that unchanged values give the same bytes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(pid, forKey: .pid)
    try container.encode(epoch, forKey: .epoch)
    try container.encode(version, forKey: .version)
    try container.encode(startedAt, forKey: .startedAt)
    if saidAt != .timeless { try container.encode(saidAt, forKey: .saidAt) }
    try container.encodeIfPresent(journal, forKey: .journal)
    try container.encode(lag, forKey: .lag)
    try container.encode(states, forKey: .states)
    try container.encodeIfPresent(identity, forKey: .identity)
    if term != 0 { try container.encode(term, forKey: .term) }
    try container.encodeIfPresent(endpoints, forKey: .endpoints)
    if retired { try container.encode(retired, forKey: .retired) }
    if isUnderTest { try container.encode(true, forKey: .underTest) }
    try container.encodeIfPresent(problem, forKey: .problem)
  }

  var claim: Claim { Claim(identity: identity ?? journal?.journal ?? "", term: term, start: epoch) }

  func isSameStart(as other: NodePresence) -> Bool {
    epoch == other.epoch && startedAt == other.startedAt && journal?.journal == other.journal?.journal
  }

  /// True if this is a later run of the node than `other`. Start numbers are comparable only within one journal; for
  /// different journals the start times by the node's own clock decide.
  func follows(_ other: NodePresence) -> Bool {
    guard journal?.journal == other.journal?.journal, epoch != other.epoch else { return startedAt > other.startedAt }
    return epoch > other.epoch
  }
}

extension Timestamp {
  fileprivate static let timeless = Timestamp(microseconds: 0)
}

extension NodePresence {
  /// Reads a presence, with `away` false. Hellos and heartbeats have no `saidAt`: the time of their envelope is used.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(NodeID.self, forKey: .id)
    pid = try container.decode(Int32.self, forKey: .pid)
    epoch = try container.decode(Int64.self, forKey: .epoch)
    version = try container.decode(String.self, forKey: .version)
    startedAt = try container.decode(Timestamp.self, forKey: .startedAt)
    saidAt = try container.decodeIfPresent(Timestamp.self, forKey: .saidAt) ?? .timeless
    journal = try container.decodeIfPresent(JournalPosition.self, forKey: .journal)
    lag = try container.decodeIfPresent(Int64.self, forKey: .lag) ?? 0
    states = try container.decodeIfPresent([String: Int64].self, forKey: .states) ?? [:]
    identity = try container.decodeIfPresent(String.self, forKey: .identity)
    term = try container.decodeIfPresent(Int64.self, forKey: .term) ?? 0
    endpoints = try container.decodeIfPresent(Endpoints.self, forKey: .endpoints)
    retired = try container.decodeIfPresent(Bool.self, forKey: .retired) ?? false
    isUnderTest = try container.decodeIfPresent(Bool.self, forKey: .underTest) ?? false
    problem = try container.decodeIfPresent(LunaraError.self, forKey: .problem)
  }

  var timeless: NodePresence { dated(at: .timeless) }

  func dated(at time: Timestamp) -> NodePresence {
    var presence = self
    presence.saidAt = time
    return presence
  }
}

/// A place in a journal: after the fact with this epoch and sequence number.
public struct JournalPosition: Codable, Hashable, Sendable {
  /// The journal's identity; a journal that was wiped gets a new one.
  public var journal: String
  /// The start number under which the fact was written.
  public var epoch: Int64
  /// The sequence number of the fact; 0 before the first fact.
  public var seq: Int64
}

/// The place of a durable reader in one journal. The reader's node reports it in hellos, so that the publisher keeps
/// the facts that are yet to be read.
struct ReaderCursor: Codable, Hashable, Sendable {
  var reader: String
  var position: JournalPosition
}
