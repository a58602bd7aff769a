import CSodium
import Model

/// Seals the frames that a node sends over TCP, and opens those that it receives. Each node has one, which it uses on
/// its I/O thread.
///
/// The cipher is XChaCha20-Poly1305 (libsodium's `crypto_aead_xchacha20poly1305_ietf`) under a key of the household. It
/// authenticates the topic, the sender and its run, the reader and its run, the class, and for an answer the request; a
/// counter lets each frame open only once. So a captured frame cannot be used again: not at another node, not after the
/// reader's restart, and not after the sender's restart once its new run was admitted. Clocks are not trusted.
/// `docs/protocol.md` describes the bytes, `docs/threat-model.md` the protection.
///
/// Frames of unknown senders are refused before they are decrypted, by their length, key id, start nonce and counter.
/// Only hellos, probes and answers of senders that are not admitted are opened; hellos and probes have to be short.
///
/// A frame is sealed for one reader and opens once there, so a repeated message is sealed again. Only answers may be
/// sent again as they are, as the request that they answer is open once.
struct Sealer {
  /// The largest size of a hello or probe, in bytes; it limits the work that unknown senders can cause.
  static let strangerLimit = 32 * 1024

  let own: SealPeer

  let ring: KeyRing
  let name: [UInt8]
  let epoch: Int64
  /// The number of the last frame that was sealed, for any reader.
  var counter: UInt64 = 0
  var peers = SealPeers()
  /// The sender of the last hello that was opened without being admitted: when it is admitted, this counter counts as
  /// seen.
  var introduced: (peer: SealPeer, counter: UInt64)?
  /// The data that the seal authenticates beside the body; the buffer is reused for each frame.
  var proven: [UInt8] = []
  /// Returns a nonce for the cipher; tests set a fixed one.
  var drawNonce: @Sendable () -> CipherNonce = { .random() }

  init(ring: KeyRing, node: NodeID, epoch: Int64, nonce: StartNonce) {
    self.ring = ring
    own = SealPeer(node: node, nonce: nonce)
    name = Array(node.description.utf8)
    self.epoch = epoch
    proven.reserveCapacity(512)
  }

  /// Believes a run of a node from now on, and never again the run that it replaces. The caller decides which of two
  /// runs is the newer one.
  ///
  /// - Returns: false if nothing changed, because that run itself is over.
  @discardableResult
  mutating func admit(_ peer: SealPeer, epoch: Int64) -> Bool {
    guard peer.nonce != own.nonce, peers.admit(peer, epoch: epoch) else { return false }
    if let introduced, introduced.peer == peer { peers.saw(introduced.counter, of: peer.nonce, on: .requestSocket) }
    return true
  }

  /// Stops believing a node until it is admitted again. Its former frames still open only once.
  mutating func forget(_ node: NodeID) { peers.forget(node) }
}

extension Sealer {
  /// Seals a frame for one run of one node; if `peer` is nil, for every node that has the key, which is only allowed
  /// for probes, as they have no effect.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - sealedClass: the class that is authenticated.
  ///   - peer: the run that can open the frame; nil for an unbound frame.
  ///   - request: the id of the request that an answer belongs to.
  /// - Throws: `bus.frameTooLarge` if the sealed frame is over 256 KiB, or 32 KiB for a hello or a probe.
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
      // Cannot fail: the sizes are far below the limit of the cipher.
      _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
        base + body, nil, frame.body, UInt64(frame.body.count), proven, UInt64(proven.count), nil,
        base + start + SealedHeader.nonceOffset, key.frameKey)
    }
    withExtendedLifetime(key) {}
    return bytes
  }

  /// Writes the data that the seal authenticates beside the body, the same for both sides. Each part has a fixed size
  /// or is preceded by its length, so the bytes are unambiguous.
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

  /// Returns true if a topic is that of a hello, with which a node introduces itself.
  static func isHello(_ topic: some BidirectionalCollection<UInt8>) -> Bool {
    topic.suffix(7).elementsEqual(".hello.".utf8)
  }
}
