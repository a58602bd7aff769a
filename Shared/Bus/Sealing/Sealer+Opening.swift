import CSodium
import Glibc
import Model

extension Sealer {
  enum Refusal: String, Error {
    case noFrame = "it is no sealed frame"
    case wrongKey = "it is sealed with a key that this household does not have"
    case wrongChannel = "it does not belong where it arrived"
    case ownFrame = "it is this node's own"
    case stranger = "its sender has not said hello"
    case retired = "its sender's run is over"
    case wrongSender = "its sender is not who said hello"
    case seen = "it came before, or is too old to tell"
    case tooLarge = "it is too large for somebody who has not said hello"
    case broken = "its seal is broken, or it was sealed for somebody else"

    var error: LunaraError { LunaraError("bus.cannotOpen", "A frame from the network was refused.", cause: rawValue) }
  }

  /// Opens a frame; any bytes give a value or a refusal. A frame that is refused before it is decrypted costs no
  /// allocation.
  ///
  /// Only hellos, probes and answers of senders that are not admitted are opened, with `isAdmitted` false. The node
  /// answers such hellos and probes, and does nothing else for their senders before it has admitted them.
  ///
  /// - Parameters:
  ///   - bytes: the frame as it was received.
  ///   - channel: the socket on which it was received.
  ///   - request: on a connection, the id of the open request that this should answer.
  mutating func attempt(
    _ bytes: UnsafeRawBufferPointer, on channel: SealedChannel, answering request: String? = nil
  ) throws(Refusal) -> Opened {
    guard let head = SealedHeader(reading: bytes) else { throw .noFrame }
    guard head.sealedClass.channel == channel, head.isBound || head.sealedClass == .question else {
      throw .wrongChannel
    }
    guard let key = ring.key(head.keyID) else { throw .wrongKey }
    guard head.nonce != own.nonce else { throw .ownFrame }
    // No variable holds the sender's run here, so that its replay window is changed in place below and not copied.
    let (known, isAdmitted) = try refuseUnopened(head, bytes)
    guard let topic = String(validating: bytes[head.topic], as: UTF8.self), Frame.isTopic(topic),
      let node = known ?? NodeID(String(decoding: bytes[head.name], as: UTF8.self))
    else { throw .noFrame }
    prove(bytes, topic: head.topic, clear: head.clear, to: head.isBound ? own : nil, answering: request)
    guard let body = decrypt(bytes, head, key) else { throw .broken }
    let sender = SealPeer(node: node, nonce: head.nonce)
    if head.isBound {
      if known != nil {
        peers.saw(head.counter, of: head.nonce, on: channel)
      } else if channel == .requestSocket {
        introduced = (sender, head.counter)
      }
    }
    return Opened(
      frame: Frame(topic: topic, body: body), sender: sender, epoch: head.epoch, isBound: head.isBound,
      isAdmitted: isAdmitted)
  }

  /// Refuses a frame if it can be refused before it is decrypted. Returns the sender if its run is known, and whether
  /// that is believed.
  private func refuseUnopened(
    _ head: SealedHeader, _ bytes: UnsafeRawBufferPointer
  ) throws(Refusal) -> (node: NodeID?, isAdmitted: Bool) {
    let run = peers.runs[head.nonce]
    if let run {
      guard run.epoch == head.epoch, Self.isSame(run.name, bytes, head.name) else { throw .wrongSender }
    } else if peers.isRetired(head.nonce) {
      throw .retired
    }
    let isAdmitted = run?.isBelieved ?? false
    // An answer belongs to one open request, and a probe has no effect: their counters are not checked.
    if head.isBound, head.sealedClass != .answer {
      guard isAdmitted || head.sealedClass == .question && Self.isHello(bytes[head.topic]) else { throw .stranger }
      if let run {
        let window = head.sealedClass == .question ? run.requests : run.inbox
        guard window.admits(head.counter) else { throw .seen }
      }
    }
    guard isAdmitted || head.sealedClass == .answer || bytes.count <= Self.strangerLimit else { throw .tooLarge }
    return (run?.node, isAdmitted)
  }

  private static func isSame(_ name: [UInt8], _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    guard name.count == range.count, let base = bytes.baseAddress else { return false }
    return memcmp(name, base + range.lowerBound, name.count) == 0
  }

  private func decrypt(_ bytes: UnsafeRawBufferPointer, _ head: SealedHeader, _ key: HouseholdKey) -> [UInt8]? {
    guard let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return nil }
    var isOpen = false
    let body = [UInt8](unsafeUninitializedCapacity: head.cipher.count - SealedHeader.tagSize) { body, count in
      isOpen =
        crypto_aead_xchacha20poly1305_ietf_decrypt(
          body.baseAddress, nil, nil, base + head.cipher.lowerBound, UInt64(head.cipher.count), proven,
          UInt64(proven.count), base + head.clear.lowerBound + SealedHeader.nonceOffset, key.frameKey) == 0
      count = isOpen ? head.cipher.count - SealedHeader.tagSize : 0
    }
    withExtendedLifetime(key) {}
    return isOpen ? body : nil
  }
}
