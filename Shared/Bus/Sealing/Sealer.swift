import CSodium
import Model

/// Seals what a node sends over tcp, and opens what comes that way. One a node, on its I/O thread.
///
/// The seal is XChaCha20-Poly1305 (libsodium's `crypto_aead_xchacha20poly1305_ietf`) under a key of the household.
/// It proves the topic, who sent the frame in which run, for which run of which node, as which class, and for an
/// answer to which question; a counter makes each frame open once. So a frame that was captured opens nowhere
/// else, for nobody else, and not again: not at another node, not after the reader's restart, and not after the
/// sender's, once the new run was admitted. Clocks are not trusted. `docs/protocol.md` has the bytes,
/// `docs/threat-model.md` what it is good for.
///
/// A stranger's frames are turned away before any cipher runs: by their length, its key id, its sender's nonce and its
/// counter. Only hellos, probes and answers open without their sender having been admitted, and those of the first two
/// kinds are short.
///
/// A frame is sealed for one reader and opens once there: what is sent again is sealed again. Answers are the
/// exception; they may be sent again as they are, because the question they answer is open once.
struct Sealer {
  /// The largest hello or probe, in bytes: strangers make readers run the cipher over no more.
  static let strangerLimit = 32 * 1024

  let own: SealPeer

  let ring: KeyRing
  let name: [UInt8]
  let epoch: Int64
  /// The number of the last frame that was sealed, whoever it was for.
  var counter: UInt64 = 0
  var peers = SealPeers()
  /// A stranger whose hello has just opened: admitted next, its counter counts as seen.
  var introduced: (peer: SealPeer, counter: UInt64)?
  /// The memory for what a seal proves, used again for each frame.
  var proven: [UInt8] = []
  /// Draws the cipher's nonce; a test has it fixed.
  var drawNonce: @Sendable () -> CipherNonce = { .random() }

  init(ring: KeyRing, node: NodeID, epoch: Int64, nonce: StartNonce) {
    self.ring = ring
    own = SealPeer(node: node, nonce: nonce)
    name = Array(node.description.utf8)
    self.epoch = epoch
    proven.reserveCapacity(512)
  }

  /// Believes a run of a node from now on, and the run that it replaces never again. The caller decides which of two
  /// runs is the newer one.
  ///
  /// - Returns: false where nothing changed, as that run is over itself.
  @discardableResult
  mutating func admit(_ peer: SealPeer, epoch: Int64) -> Bool {
    guard peer.nonce != own.nonce, peers.admit(peer, epoch: epoch) else { return false }
    if let introduced, introduced.peer == peer { peers.saw(introduced.counter, of: peer.nonce, on: .requestSocket) }
    return true
  }

  /// Believes a node no more until it is admitted again. What it said before still opens only once.
  mutating func forget(_ node: NodeID) { peers.forget(node) }
}

extension Sealer {
  /// Seals a frame for one run of one node; for nil, unbound, for whoever has the key: a probe, which has no effect.
  ///
  /// - Parameter request: the id of the question that an answer belongs to.
  /// - Throws: `bus.frameTooLarge` where the sealed frame is over 256 KiB, or 32 KiB for a hello or a probe.
  mutating func seal(
    _ frame: Frame, as sealedClass: SealedClass, to peer: SealPeer?, answering request: String? = nil
  ) throws -> [UInt8] {
    let start = frame.topic.utf8.count + 2
    let body = start + SealedHeader.fixedSize + name.count
    let size = body + frame.body.count + SealedHeader.tagSize
    let isIntroduction = sealedClass == .question && (peer == nil || Self.isHello(frame.topic.utf8))
    guard size <= (isIntroduction ? Self.strangerLimit : Frame.sizeLimit) else {
      guard isIntroduction else { throw Frame.tooLarge("A message for \(frame.topic)", size) }
      throw LunaraError(
        "bus.frameTooLarge", "A hello of \(size) bytes is over the bus's limit of 32 KiB for one. Please report it.")
    }
    let key = ring.first
    counter += 1
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    bytes.append(contentsOf: frame.topic.utf8)
    bytes.append(0)
    bytes.append(SealedHeader.headerByte)
    bytes.append(bigEndian: key.id.number)
    bytes.append(sealedClass.rawValue | (peer == nil ? SealedHeader.unboundBit : 0))
    bytes.append(bigEndian: counter)
    own.nonce.append(to: &bytes)
    bytes.append(bigEndian: epoch)
    withUnsafeBytes(of: drawNonce()) { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(name.count))
    bytes.append(contentsOf: name)
    bytes.withUnsafeBytes { prove($0, topic: 0..<start - 2, clear: start..<body, to: peer, answering: request) }
    bytes.append(contentsOf: repeatElement(0, count: size - body))
    bytes.withUnsafeMutableBytes { bytes in
      let memory = bytes.assumingMemoryBound(to: UInt8.self)
      guard let base = memory.baseAddress else { return }
      // Fails for nothing: the sizes are far below its limit.
      _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
        base + body, nil, frame.body, UInt64(frame.body.count), proven, UInt64(proven.count), nil,
        base + start + SealedHeader.nonceOffset, key.frameKey)
    }
    withExtendedLifetime(key) {}
    return bytes
  }

  /// Writes down what the seal proves beside the body, for both sides alike. Each part has a fixed size or says its
  /// length, so no two meanings have the same bytes.
  mutating func prove(
    _ bytes: UnsafeRawBufferPointer, topic: Range<Int>, clear: Range<Int>, to peer: SealPeer?,
    answering request: String?
  ) {
    proven.removeAll(keepingCapacity: true)
    proven.append(contentsOf: "lunara-frame-1".utf8)
    proven.append(UInt8(truncatingIfNeeded: topic.count))
    proven.append(contentsOf: bytes[topic])
    proven.append(contentsOf: bytes[clear])
    if let peer {
      let start = proven.count
      proven.append(0)
      proven.append(contentsOf: peer.node.role.utf8)
      proven.append(UInt8(ascii: "@"))
      proven.append(contentsOf: peer.node.name.utf8)
      proven[start] = UInt8(truncatingIfNeeded: proven.count - start - 1)
      peer.nonce.append(to: &proven)
    } else {
      proven.append(0)
    }
    if let request {
      proven.append(1)
      proven.append(bigEndian: UInt32(truncatingIfNeeded: request.utf8.count))
      proven.append(contentsOf: request.utf8)
    } else {
      proven.append(0)
    }
  }

  /// True if a topic is that of a hello, with which a node introduces itself.
  static func isHello(_ topic: some BidirectionalCollection<UInt8>) -> Bool {
    topic.suffix(7).elementsEqual(".hello.".utf8)
  }
}
