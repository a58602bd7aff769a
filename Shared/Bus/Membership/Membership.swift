import Messages
import Model

/// A node's peers, the hellos that wait for their answers, and the last heartbeats of the peers and of this node.
struct Membership {
  /// The number of failed hellos after which an inbox is reported as unreachable.
  private static let unreachableHellos = 4

  var roster = Roster()
  /// The bytes of this node's heartbeat and the values they were made from: while these are the same, the bytes are
  /// reused.
  private var ownHeartbeat: (head: Int64, lag: Int64, stateVersion: Int64, bytes: [UInt8])?
  /// The last heartbeat of each peer.
  private var peerStates: [NodeID: (bytes: [UInt8], presence: NodePresence)] = [:]
  /// The request numbers of the hellos that wait for an answer.
  var hellos: [NodeID: UInt32] = [:]
  /// The peers to greet again after the answer to the present hello, as the contents of that hello are outdated.
  var greetAgain: Set<NodeID> = []
  /// The number of consecutive hellos from peers on other machines whose inboxes cannot be reached from here.
  private(set) var failedHellos: [NodeID: Int] = [:]
  /// True once a node on another machine was heard, or an answer listed other nodes.
  var hasMetHousehold = false
  private var refusalReportedAt: ContinuousClock.Instant?

  /// True while no peer was heard; tests use it to check that messages of unknown senders are ignored.
  var isEmpty: Bool { roster.peers.isEmpty && peerStates.isEmpty }

  // MARK: - Heartbeats

  /// Returns the bytes of this node's heartbeat; calls `encode` if a value changed.
  mutating func heartbeat(
    head: Int64, lag: Int64, stateVersion: Int64, encode: () throws -> [UInt8]
  ) rethrows -> [UInt8] {
    if let own = ownHeartbeat, own.head == head, own.lag == lag, own.stateVersion == stateVersion { return own.bytes }
    let bytes = try encode()
    ownHeartbeat = (head, lag, stateVersion, bytes)
    return bytes
  }

  /// Makes the next heartbeat be encoded again, as a value changed that `heartbeat` does not compare.
  mutating func renewHeartbeat() { ownHeartbeat = nil }

  /// Returns the presence in a heartbeat whose bytes are the same as in the peer's last one; nil if they are new.
  func knownPresence(_ envelope: Envelope) -> NodePresence? {
    guard let known = peerStates[envelope.node], known.bytes == envelope.payload else { return nil }
    return known.presence.dated(at: envelope.time)
  }

  mutating func keep(_ envelope: Envelope, _ presence: NodePresence) {
    peerStates[envelope.node] = (envelope.payload, presence)
  }

  // MARK: - Hellos

  /// Counts a hello of a peer that receives nothing because its inbox cannot be reached from here. Connecting to it was
  /// tried at its former hello, a second ago.
  ///
  /// - Returns: true after more than four such hellos, when the peer must be notified.
  mutating func recordUnreachable(_ node: NodeID) -> Bool {
    failedHellos[node, default: 0] += 1
    return failedHellos[node, default: 0] > Self.unreachableHellos
  }

  mutating func recordReachable(_ node: NodeID) { failedHellos[node] = nil }

  /// Returns true if a refusal should be reported, which is once a minute.
  mutating func mayReportRefusal(at now: ContinuousClock.Instant) -> Bool {
    guard refusalReportedAt.map({ $0 + .seconds(60) < now }) ?? true else { return false }
    refusalReportedAt = now
    return true
  }

  mutating func forget(_ node: NodeID) {
    peerStates[node] = nil
    failedHellos[node] = nil
  }
}
