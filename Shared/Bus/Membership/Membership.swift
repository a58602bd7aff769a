import Messages
import Model

/// A node's peers, the hellos that are on their way to them, and the heartbeats that they and this node sent last.
struct Membership {
  /// The number of hellos in vain after which an inbox is said to be out of reach.
  private static let unreachableHellos = 4

  var roster = Roster()
  /// The bytes of this node's heartbeat and what they follow from: at rest the same bytes are sent again.
  private var ownHeartbeat: (head: Int64, lag: Int64, stateVersion: Int64, bytes: [UInt8])?
  /// The last heartbeat of each peer.
  private var peerStates: [NodeID: (bytes: [UInt8], presence: NodePresence)] = [:]
  /// The hellos that wait for an answer, by the numbers of their requests.
  var hellos: [NodeID: UInt32] = [:]
  /// The peers to greet again once their present hello is answered, as it says what is no longer so.
  var greetAgain: Set<NodeID> = []
  /// The number of hellos in a row of peers elsewhere whose inboxes could not be reached from here.
  private(set) var failedHellos: [NodeID: Int] = [:]
  /// True once anybody of the household on another machine has answered or told of others.
  var hasMetHousehold = false
  private var refusalReportedAt: ContinuousClock.Instant?

  /// True while no peer was heard from, for the tests of nodes that strangers speak to.
  var isEmpty: Bool { roster.peers.isEmpty && peerStates.isEmpty }

  // MARK: - Heartbeats

  /// The bytes of this node's heartbeat, made anew by `encode` where something changed.
  mutating func heartbeat(
    head: Int64, lag: Int64, stateVersion: Int64, encode: () throws -> [UInt8]
  ) rethrows -> [UInt8] {
    if let own = ownHeartbeat, own.head == head, own.lag == lag, own.stateVersion == stateVersion { return own.bytes }
    let bytes = try encode()
    ownHeartbeat = (head, lag, stateVersion, bytes)
    return bytes
  }

  /// Has the next heartbeat made anew, as something of it changed that is not counted.
  mutating func renewHeartbeat() { ownHeartbeat = nil }

  /// The presence that a peer stated with the same bytes before; nil where they are new.
  func knownPresence(_ envelope: Envelope) -> NodePresence? {
    guard let known = peerStates[envelope.node], known.bytes == envelope.payload else { return nil }
    return known.presence.said(at: envelope.time)
  }

  mutating func keep(_ envelope: Envelope, _ presence: NodePresence) {
    peerStates[envelope.node] = (envelope.payload, presence)
  }

  // MARK: - Hellos

  /// Counts a hello of a peer that hears nothing because its inbox cannot be reached from here. It was dialled at the
  /// hello before, which is a second ago.
  ///
  /// - Returns: true where that happened so often that the peer has to be told.
  mutating func noteUnreachable(_ node: NodeID) -> Bool {
    failedHellos[node, default: 0] += 1
    return failedHellos[node, default: 0] > Self.unreachableHellos
  }

  mutating func noteReachable(_ node: NodeID) { failedHellos[node] = nil }

  /// True where a refusal is to be reported: once a minute.
  mutating func mayReportRefusal(at now: ContinuousClock.Instant) -> Bool {
    guard refusalReportedAt.map({ $0 + .seconds(60) < now }) ?? true else { return false }
    refusalReportedAt = now
    return true
  }

  mutating func forget(_ node: NodeID) {
    (peerStates[node], failedHellos[node]) = (nil, nil)
  }
}
