import Glibc
import Messages
import Model

extension SealedClass {
  /// The class under which a message of a delivery class is sealed.
  fileprivate init(_ delivery: Delivery) {
    switch delivery {
    case .fact: self = .fact
    case .state: self = .state
    case .signal: self = .signal
    case .request: self = .question
    }
  }
}

/// Sealing what goes to other machines, and opening what comes from them.
extension Node {
  /// Opens a frame that came over tcp. Without a key everything there is plain, and from this machine alone.
  func opened(_ bytes: UnsafeRawBufferPointer, on channel: SealedChannel, answering id: String? = nil) throws -> (
    Frame, Opened?
  ) {
    guard sealer != nil else { return (try Frame(decoding: bytes), nil) }
    guard let opened = try sealer?.attempt(bytes, on: channel, answering: id) else { throw Self.closedError }
    return (opened.frame, opened)
  }

  /// Counts a frame that does not open, and tells of them once a minute: whoever is on the network can send as many as
  /// there is room for.
  func noteRefused(_ refusal: Sealer.Refusal) {
    meter.refusedFrames += 1
    let now = ContinuousClock.now
    guard refusalsToldAt.map({ $0 + .seconds(60) <= now }) ?? true else { return }
    refusalsToldAt = now
    var error = refusal.error
    error.message += " So far: \(meter.refusedFrames)."
    report(error)
  }

  /// Opens an envelope that came over tcp: who sealed it has to be who speaks in it.
  func openedEnvelope(_ bytes: UnsafeRawBufferPointer, on channel: SealedChannel) throws -> (Frame, Envelope, Opened?) {
    let (frame, opened) = try opened(bytes, on: channel)
    let envelope = try Envelope(decoding: frame.body)
    if let opened {
      guard envelope.node == opened.sender.node, envelope.epoch == opened.epoch else {
        throw Envelope.bad("a frame in another's name")
      }
    }
    return (frame, envelope, opened)
  }

  /// The bytes of a question for a node's desk; nil where it cannot be asked yet, because its start is not known to this
  /// node or the other way round.
  func sealed(question frame: [UInt8], to node: NodeID, isHello: Bool) throws -> [UInt8]? {
    guard lines[node]?.isRemote == true, sealer != nil else { return frame }
    guard let session = sessions[node], session.isGreeted || isHello else { return nil }
    let plain = try frame.withUnsafeBytes { try Frame(decoding: $0) }
    return try sealer?.seal(plain, as: .question, to: SealPeer(node: node, nonce: session.nonce))
  }

  /// Sends an answer the way its question came; false where no socket takes it.
  func transmit(_ frame: [UInt8], to open: OpenRequest) throws -> Bool {
    guard open.isRemote else { return desk?.send(frame, header: open.header) ?? false }
    guard let asker = open.asker else { return remoteDesk?.send(frame, header: open.header) ?? false }
    let plain = try frame.withUnsafeBytes { try Frame(decoding: $0) }
    guard let bytes = try sealer?.seal(plain, as: .answer, to: asker, answering: open.envelope.id) else { return false }
    return remoteDesk?.send(bytes, header: open.header) ?? false
  }

  /// Says a frame to all that hear this node: once for this machine, and sealed for each one elsewhere.
  func say(_ frame: Frame, as delivery: Delivery) throws {
    guard isHeard, tuning.carries(frame) else { return }
    let plain = try frame.encoded()
    meter.said.add(delivery, plain.count)
    if !voices.isEmpty { voice?.send(plain) }
    for (node, remote) in remoteVoices {
      guard sealer != nil else {
        remote.socket.send(plain)
        continue
      }
      guard let session = sessions[node],
        let bytes = try sealer?.seal(frame, as: SealedClass(delivery), to: SealPeer(node: node, nonce: session.nonce))
      else { continue }
      remote.socket.send(bytes)
    }
  }

  /// Whether anybody hears this node.
  var isHeard: Bool { !voices.isEmpty || !remoteVoices.isEmpty }

  /// Believes a node as it runs now, once its claim to its name was judged: the run it replaces is never believed again.
  func admit(_ peer: SealPeer, epoch: Int64) {
    guard sealer?.admit(peer, epoch: epoch) == true else { return }
    if sessions[peer.node]?.nonce != peer.nonce { sessions[peer.node] = Session(nonce: peer.nonce) }
    sessions[peer.node]?.seenAt = .now
  }

  /// Forgets who came to ask something and has not asked for a minute.
  func forgetPassersBy(at now: ContinuousClock.Instant) {
    for (node, session) in sessions where node.isPassing && roster.peers[node] == nil {
      guard session.seenAt + .seconds(60) < now else { continue }
      sessions[node] = nil
      sealer?.forget(node)
    }
  }

  /// Uses the keys as the key file has them now.
  ///
  /// - Throws: `bus.noKeyFile`, `bus.badKeyFile`, `bus.unsafeKeyFile`; the former keys stay then.
  public func reloadKeys() throws { try network.keys?.reload() }
}
