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
    /// When the node was forgotten, as a count; nil while it is believed. It may come back, and what it said before is
    /// still known then.
    var forgottenAt: Int?
    /// Whether what it says is believed now.
    var isBelieved: Bool { forgottenAt == nil }
    /// What was seen at the inbox.
    var inbox = ReplayWindow()
    /// What was seen at the desk.
    var desk = ReplayWindow()
  }

  /// How many runs are known before those that were forgotten give way.
  let runLimit: Int
  /// How many runs are known to be over at most; the oldest give way.
  let retiredLimit: Int

  private(set) var runs: [StartNonce: Run] = [:]
  /// The one run of each node that is known, be the node forgotten or not.
  private var known: [NodeID: StartNonce] = [:]
  private var forgettings = 0
  private var retired: Set<StartNonce> = []
  private var retiredInOrder: [StartNonce] = []
  private var oldestRetired = 0

  /// Makes an empty one.
  init(runLimit: Int = 1024, retiredLimit: Int = 16_384) {
    self.runLimit = runLimit
    self.retiredLimit = retiredLimit
  }

  /// How many runs are known to be over.
  var retiredCount: Int { retired.count }

  /// Whether a run is over for good.
  func isRetired(_ nonce: StartNonce) -> Bool { retired.contains(nonce) }

  /// Whether a run is the one of its node that is believed now.
  func isBelieved(_ peer: SealPeer) -> Bool { runs[peer.nonce].map { $0.node == peer.node && $0.isBelieved } ?? false }

  /// Believes a run from now on and the one it replaces never again; false for one that is over itself, or whose nonce
  /// is another node's.
  mutating func admit(_ peer: SealPeer, epoch: Int64) -> Bool {
    guard !isRetired(peer.nonce), runs[peer.nonce].map({ $0.node == peer.node }) ?? true else { return false }
    if let former = known[peer.node], former != peer.nonce { retire(former) }
    if runs[peer.nonce] == nil {
      runs[peer.nonce] = Run(node: peer.node, name: Array(peer.node.description.utf8), epoch: epoch)
    } else {
      runs[peer.nonce]?.forgottenAt = nil
      runs[peer.nonce]?.epoch = epoch
    }
    known[peer.node] = peer.nonce
    makeRoom()
    return true
  }

  /// Believes a node no more until it is admitted again.
  mutating func forget(_ node: NodeID) {
    guard let nonce = known[node], runs[nonce]?.isBelieved == true else { return }
    forgettings += 1
    runs[nonce]?.forgottenAt = forgettings
    makeRoom()
  }

  /// Gives up the run that was forgotten first where there are too many.
  private mutating func makeRoom() {
    guard runs.count > runLimit else { return }
    let oldest = runs.lazy.compactMap { nonce, run in run.forgottenAt.map { (moment: $0, nonce: nonce) } }
      .min { $0.moment < $1.moment }
    if let oldest { retire(oldest.nonce) }
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
    if let run = runs.removeValue(forKey: nonce) { known[run.node] = nil }
    guard retired.insert(nonce).inserted else { return }
    if retiredInOrder.count < retiredLimit {
      retiredInOrder.append(nonce)
    } else {
      retired.remove(retiredInOrder[oldestRetired])
      retiredInOrder[oldestRetired] = nonce
      oldestRetired = (oldestRetired + 1) % retiredLimit
    }
  }
}
