/// Whom a node believes: one run of each node that was admitted, with what was seen of it.
///
/// A run that another of the same node replaced is never believed again, and neither is one that was left out for want of
/// room. Everything here is bounded, and only what a holder of the key said leads to an entry.
struct SealPeers: Sendable {
  /// One run of a node.
  struct Run: Sendable {
    let node: NodeID
    /// Its name as bytes, to compare without making text.
    let name: [UInt8]
    var epoch: Int64
    /// False once the node was forgotten; it may come back, and what it said then is still known.
    var isBelieved: Bool
    /// What was seen at the inbox.
    var inbox = ReplayWindow()
    /// What was seen at the desk.
    var desk = ReplayWindow()
  }

  /// How many runs are known at most, those that were forgotten included.
  static let runLimit = 1024
  /// How many runs are known to be over at most; the oldest give way.
  static let retiredLimit = 16_384

  private(set) var runs: [StartNonce: Run] = [:]
  private var current: [NodeID: StartNonce] = [:]
  private var forgotten: [StartNonce] = []
  private var retired: Set<StartNonce> = []
  private var retiredInOrder: [StartNonce] = []
  private var oldestRetired = 0

  /// How many runs are known to be over.
  var retiredCount: Int { retired.count }

  /// Whether a run is over for good.
  func isRetired(_ nonce: StartNonce) -> Bool { retired.contains(nonce) }

  /// Whether a run is the one of its node that is believed now.
  func isBelieved(_ peer: SealPeer) -> Bool { current[peer.node] == peer.nonce }

  /// Believes a run from now on and the one it replaces never again; false for one that is over itself, or whose nonce
  /// is another node's.
  mutating func admit(_ peer: SealPeer, epoch: Int64) -> Bool {
    guard !isRetired(peer.nonce), runs[peer.nonce].map({ $0.node == peer.node }) ?? true else { return false }
    if let former = current[peer.node], former != peer.nonce { retire(former) }
    if runs[peer.nonce] == nil {
      runs[peer.nonce] = Run(
        node: peer.node, name: Array(peer.node.description.utf8), epoch: epoch, isBelieved: true)
    } else {
      runs[peer.nonce]?.isBelieved = true
      runs[peer.nonce]?.epoch = epoch
      forgotten.removeAll { $0 == peer.nonce }
    }
    current[peer.node] = peer.nonce
    // A forgotten run of the same node is replaced as well.
    for nonce in forgotten where runs[nonce]?.node == peer.node { retire(nonce) }
    while runs.count > Self.runLimit, let oldest = forgotten.first { retire(oldest) }
    return true
  }

  /// Believes a node no more until it is admitted again.
  mutating func forget(_ node: NodeID) {
    guard let nonce = current.removeValue(forKey: node) else { return }
    runs[nonce]?.isBelieved = false
    forgotten.append(nonce)
  }

  /// Notes what has opened.
  mutating func saw(_ counter: UInt64, of nonce: StartNonce, on channel: SealedChannel) {
    switch channel {
    case .inbox: runs[nonce]?.inbox.insert(counter)
    case .desk: runs[nonce]?.desk.insert(counter)
    case .line: break
    }
  }

  private mutating func retire(_ nonce: StartNonce) {
    if let node = runs.removeValue(forKey: nonce)?.node, current[node] == nonce { current[node] = nil }
    forgotten.removeAll { $0 == nonce }
    guard retired.insert(nonce).inserted else { return }
    if retiredInOrder.count < Self.retiredLimit {
      retiredInOrder.append(nonce)
    } else {
      retired.remove(retiredInOrder[oldestRetired])
      retiredInOrder[oldestRetired] = nonce
      oldestRetired = (oldestRetired + 1) % Self.retiredLimit
    }
  }
}
