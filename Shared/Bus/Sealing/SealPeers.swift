import CSodium
import Model

/// The runs of nodes that are believed, at most one for each node, with the frame counters that were seen of each.
///
/// A run that was replaced by another run of the same node is never believed again, nor is one that was removed to make
/// room. The size is bounded, and only messages of a holder of the key create entries.
struct SealPeers: Sendable {
  struct Run: Sendable {
    let node: NodeID
    /// The node's name as bytes, so that it can be compared without creating a string.
    let name: [UInt8]
    var epoch: Int64
    /// The number of the call that forgot the node; nil while it is believed. The node may come back, and the counters
    /// that were seen before are still known then.
    var forgottenAt: Int?
    var isBelieved: Bool { forgottenAt == nil }
    var inbox = ReplayWindow()
    var requests = ReplayWindow()
  }

  /// The number of runs beyond which forgotten ones are removed.
  let runLimit: Int
  /// The largest number of runs that are remembered as over; the oldest are dropped.
  let retiredLimit: Int

  private(set) var runs: [StartNonce: Run] = [:]
  /// The one known run of each node, whether it is believed or forgotten.
  private var known: [NodeID: StartNonce] = [:]
  private var forgettings = 0
  private(set) var retired: Set<StartNonce> = []
  private var retiredInOrder: [StartNonce] = []
  private var oldestRetired = 0

  init(runLimit: Int = 1024, retiredLimit: Int = 16_384) {
    self.runLimit = runLimit
    self.retiredLimit = retiredLimit
  }

  /// Returns true if a run is over for good.
  func isRetired(_ nonce: StartNonce) -> Bool { retired.contains(nonce) }

  /// Returns true if this run of its node is believed now.
  func isBelieved(_ peer: SealPeer) -> Bool { runs[peer.nonce].map { $0.node == peer.node && $0.isBelieved } ?? false }

  /// Believes a run from now on, and never again the one that it replaces. Returns false if the run itself is over, or
  /// if its nonce belongs to another node.
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

  /// Stops believing a node until it is admitted again.
  mutating func forget(_ node: NodeID) {
    guard let nonce = known[node], runs[nonce]?.isBelieved == true else { return }
    forgettings += 1
    runs[nonce]?.forgottenAt = forgettings
    makeRoom()
  }

  /// Removes the run that was forgotten first if there are too many.
  private mutating func makeRoom() {
    guard runs.count > runLimit else { return }
    let oldest = runs.lazy.compactMap { nonce, run in run.forgottenAt.map { (moment: $0, nonce: nonce) } }
      .min { $0.moment < $1.moment }
    if let oldest { retire(oldest.nonce) }
  }

  /// Records the counter of a frame that was opened.
  mutating func saw(_ counter: UInt64, of nonce: StartNonce, on channel: SealedChannel) {
    switch channel {
    case .inbox: runs[nonce]?.inbox.insert(counter)
    case .requestSocket: runs[nonce]?.requests.insert(counter)
    case .connection: break
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

/// The 16 random bytes that a node draws at its start: a frame that is sealed for one run cannot be opened by the next.
struct StartNonce: Hashable, Sendable {
  static let count = 16

  private let first: UInt64
  private let second: UInt64

  static func random() -> StartNonce {
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes.withUnsafeBytes { StartNonce(reading: $0, at: 0) }
  }

  /// Reads the 16 bytes at an offset; they have to exist.
  init(reading bytes: UnsafeRawBufferPointer, at offset: Int) {
    first = bytes.bigEndian(UInt64.self, at: offset)
    second = bytes.bigEndian(UInt64.self, at: offset + 8)
  }

  init?(text: String) {
    guard let bytes = Hexadecimal.bytes(of: text.utf8), bytes.count == Self.count else { return nil }
    self = bytes.withUnsafeBytes { StartNonce(reading: $0, at: 0) }
  }

  var bytes: [UInt8] {
    withUnsafeBytes(of: first.bigEndian) { first in withUnsafeBytes(of: second.bigEndian) { Array(first) + Array($0) } }
  }

  var text: String { Hexadecimal.text(bytes) }

  func append(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: first)
    bytes.append(bigEndian: second)
  }
}

/// The cipher's nonce: 24 random bytes, new for each sealed frame.
struct CipherNonce: Sendable {
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt64 = 0

  static func random() -> CipherNonce {
    var nonce = CipherNonce()
    withUnsafeMutableBytes(of: &nonce) {
      if let base = $0.baseAddress { randombytes_buf(base, $0.count) }
    }
    return nonce
  }

  /// Returns a nonce whose bytes are all the same, for tests.
  static func repeating(_ byte: UInt8) -> CipherNonce {
    var nonce = CipherNonce()
    withUnsafeMutableBytes(of: &nonce) { for index in $0.indices { $0[index] = byte } }
    return nonce
  }
}

/// The counters of one sender's run that were seen on one channel. Each is accepted once, and none that is 4,096 or
/// more behind the highest.
///
/// A counter is checked before its frame is opened, but recorded only after the frame was opened, so nobody without the
/// key can move the window.
struct ReplayWindow: Sendable {
  /// The number of counters behind the highest that can be told apart.
  static let length: UInt64 = 4096

  private var highest: UInt64 = 0
  // Counters start at 1. 0 counts as seen, so the empty window needs no special case.
  private var seen: [UInt64] = [1] + [UInt64](repeating: 0, count: 63)

  func admits(_ counter: UInt64) -> Bool {
    if counter > highest { return true }
    return highest - counter < Self.length && seen[Self.word(counter)] & Self.bit(counter) == 0
  }

  mutating func insert(_ counter: UInt64) {
    if counter > highest {
      if counter - highest >= Self.length {
        for index in seen.indices { seen[index] = 0 }
      } else {
        // The bits of the counters in between still belong to counters that are one window length older.
        for passed in highest + 1...counter { seen[Self.word(passed)] &= ~Self.bit(passed) }
      }
      highest = counter
    } else if highest - counter >= Self.length {
      return
    }
    seen[Self.word(counter)] |= Self.bit(counter)
  }

  private static func word(_ counter: UInt64) -> Int { Int(counter % length / 64) }
  private static func bit(_ counter: UInt64) -> UInt64 { 1 << (counter % 64) }
}
