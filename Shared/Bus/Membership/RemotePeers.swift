import Messages
import Model

/// The nodes on other machines as far as sealing is concerned: what goes to them is sealed, and what comes from them is
/// opened.
struct RemotePeers {
  /// The run of a peer for which frames are sealed.
  struct Session {
    /// The number that the peer drew at its start: what is sealed for it opens nowhere else, nor after its restart.
    var nonce: StartNonce
    /// True once it answered a hello, so that it believes what is asked.
    var isGreeted = false
    /// The moment at which it said or answered hello last.
    var seenAt = ContinuousClock.now
  }

  var sealer: Sealer?
  var sessions: [NodeID: Session] = [:]
  /// Addresses at which nodes are asked instead of those that the roster lists for them.
  var alternateAddresses: [NodeID: String] = [:]
  private var refusalsReportedAt: ContinuousClock.Instant?

  init(sealer: Sealer?) { self.sealer = sealer }

  /// True if an address may be dialled: without a key only those of this machine may.
  func mayDial(_ address: TCPAddress) -> Bool { sealer != nil || address.isLoopback }

  // MARK: - Opening

  /// Opens a frame that came over TCP. Without a key everything there is plain, and from this machine alone.
  mutating func open(
    _ bytes: UnsafeRawBufferPointer, on channel: SealedChannel, answering id: String? = nil
  ) throws -> (Frame, Opened?) {
    guard sealer != nil else { return (try Frame(decoding: bytes), nil) }
    guard let opened = try sealer?.attempt(bytes, on: channel, answering: id) else { throw Node.closedError }
    return (opened.frame, opened)
  }

  /// Opens an envelope that came over TCP: the node that sealed it has to be the one that is named in it.
  mutating func openEnvelope(
    _ bytes: UnsafeRawBufferPointer, on channel: SealedChannel
  ) throws -> (Frame, Envelope, Opened?) {
    let (frame, opened) = try open(bytes, on: channel)
    let envelope = try Envelope(decoding: frame.body)
    if let opened {
      guard envelope.node == opened.sender.node, envelope.epoch == opened.epoch else {
        throw Envelope.bad("a frame in another's name")
      }
    }
    return (frame, envelope, opened)
  }

  /// Returns the error to report for a frame that was refused; nil if one was reported within the last minute, as
  /// anybody on the network can send such frames.
  mutating func report(of refusal: Sealer.Refusal, count: Int, at now: ContinuousClock.Instant) -> LunaraError? {
    guard refusalsReportedAt.map({ $0 + .seconds(60) <= now }) ?? true else { return nil }
    refusalsReportedAt = now
    var error = refusal.error
    error.message += " So far: \(count)."
    return error
  }

  // MARK: - Sealing

  /// Seals a published frame for one node; nil where the node's run is not known. Without a key it stays plain.
  mutating func seal(published frame: Frame, plain: [UInt8], as delivery: Delivery, for node: NodeID) throws -> [UInt8]?
  {
    guard sealer != nil else { return plain }
    guard let session = sessions[node] else { return nil }
    return try sealer?.seal(frame, as: SealedClass(delivery), to: SealPeer(node: node, nonce: session.nonce))
  }

  /// Seals a request for a node; nil where it cannot be asked yet, because its start is not known to this node or the
  /// other way round. Without a key it stays plain.
  mutating func seal(request frame: [UInt8], for node: NodeID, isHello: Bool) throws -> [UInt8]? {
    guard sealer != nil else { return frame }
    guard let session = sessions[node], session.isGreeted || isHello else { return nil }
    let plain = try frame.withUnsafeBytes { try Frame(decoding: $0) }
    return try sealer?.seal(plain, as: .question, to: SealPeer(node: node, nonce: session.nonce))
  }

  /// Seals the answer to a request of another machine; one that came in plain is answered plainly.
  mutating func seal(answer frame: [UInt8], to request: IncomingRequest) throws -> [UInt8]? {
    guard let asker = request.asker else { return frame }
    let plain = try frame.withUnsafeBytes { try Frame(decoding: $0) }
    return try sealer?.seal(plain, as: .answer, to: asker, answering: request.envelope.id)
  }

  // MARK: - Sessions

  /// Believes a node as it runs now, once its claim to its name was judged: the run it replaces is never believed
  /// again.
  mutating func admit(_ peer: SealPeer, epoch: Int64) {
    guard sealer?.admit(peer, epoch: epoch) == true else { return }
    if sessions[peer.node]?.nonce != peer.nonce { sessions[peer.node] = Session(nonce: peer.nonce) }
    sessions[peer.node]?.seenAt = .now
  }

  mutating func forget(_ node: NodeID) {
    sessions[node] = nil
    sealer?.forget(node)
  }

  /// Forgets the nodes that came to ask something and have not asked for a minute.
  mutating func removeIdleClients(at now: ContinuousClock.Instant, isPeer: (NodeID) -> Bool) {
    for (node, session) in sessions where node.isTransient && !isPeer(node) && session.seenAt + .seconds(60) < now {
      forget(node)
    }
  }
}

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
