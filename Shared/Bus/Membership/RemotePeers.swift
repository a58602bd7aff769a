import Messages
import Model

/// The sessions with nodes on other machines: seals the frames for them, and opens the frames from them.
struct RemotePeers {
  /// The run of a peer for which frames are sealed.
  struct Session {
    /// The number that the peer drew at its start: frames sealed for it can be opened by this run only.
    var nonce: StartNonce
    /// True once it answered a hello, so that it accepts requests.
    var isGreeted = false
    /// The time of its last hello or answer to a hello.
    var seenAt = ContinuousClock.now
  }

  var sealer: Sealer?
  var sessions: [NodeID: Session] = [:]
  /// The addresses to use for nodes instead of those in the roster.
  var alternateAddresses: [NodeID: String] = [:]
  private var refusalsReportedAt: ContinuousClock.Instant?

  init(sealer: Sealer?) { self.sealer = sealer }

  /// Returns true if an address may be connected to: without a key only loopback addresses may.
  func mayDial(_ address: TCPAddress) -> Bool { sealer != nil || address.isLoopback }

  // MARK: - Opening

  /// Opens a frame that came over TCP. Without a key such frames are plain, and come from this machine only.
  mutating func open(
    _ bytes: UnsafeRawBufferPointer, on channel: SealedChannel, answering id: String? = nil
  ) throws -> (Frame, Opened?) {
    guard sealer != nil else { return (try Frame(decoding: bytes), nil) }
    guard let opened = try sealer?.attempt(bytes, on: channel, answering: id) else { throw Node.closedError }
    return (opened.frame, opened)
  }

  /// Opens an envelope that came over TCP, and checks that the node named in it is the one that sealed it.
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

  /// Returns true if a frame proves that its sender has the household's key. A probe does not, as a recorded one opens
  /// as well, nor does a hello that was refused. Without a key nothing has to be proven.
  func isProof(_ opened: Opened?) -> Bool {
    guard let sealer else { return true }
    return opened.map { $0.isBound && sealer.peers.isBelieved($0.sender) } ?? false
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

  /// Seals a published frame for one node; returns nil if the node's run is not known. Without a key the frame stays
  /// plain.
  mutating func seal(published frame: Frame, plain: [UInt8], as delivery: Delivery, for node: NodeID) throws -> [UInt8]?
  {
    guard sealer != nil else { return plain }
    guard let session = sessions[node] else { return nil }
    return try sealer?.seal(frame, as: SealedClass(delivery), to: SealPeer(node: node, nonce: session.nonce))
  }

  /// Seals a request for a node; returns nil if it cannot be sent yet, because one of the two nodes does not know the
  /// other's run. Without a key the request stays plain.
  mutating func seal(request frame: [UInt8], for node: NodeID, isHello: Bool) throws -> [UInt8]? {
    guard sealer != nil else { return frame }
    guard let session = sessions[node], session.isGreeted || isHello else { return nil }
    let plain = try frame.withUnsafeBytes { try Frame(decoding: $0) }
    return try sealer?.seal(plain, as: .question, to: SealPeer(node: node, nonce: session.nonce))
  }

  /// Seals the answer to a request of another machine; a plain request gets a plain answer.
  mutating func seal(answer frame: [UInt8], to request: IncomingRequest) throws -> [UInt8]? {
    guard let asker = request.asker else { return frame }
    let plain = try frame.withUnsafeBytes { try Frame(decoding: $0) }
    return try sealer?.seal(plain, as: .answer, to: asker, answering: request.envelope.id)
  }

  // MARK: - Sessions

  /// Starts to trust the present run of a node, after its claim to its name was checked. The run that it replaces is
  /// never trusted again.
  mutating func admit(_ peer: SealPeer, epoch: Int64) {
    guard sealer?.admit(peer, epoch: epoch) == true else { return }
    if sessions[peer.node]?.nonce != peer.nonce { sessions[peer.node] = Session(nonce: peer.nonce) }
    sessions[peer.node]?.seenAt = .now
  }

  mutating func forget(_ node: NodeID) {
    sessions[node] = nil
    sealer?.forget(node)
  }

  /// Forgets the transient nodes that have sent no hello for a minute.
  mutating func removeIdleClients(at now: ContinuousClock.Instant, isPeer: (NodeID) -> Bool) {
    for (node, session) in sessions where node.isTransient && !isPeer(node) && session.seenAt + .seconds(60) < now {
      forget(node)
    }
  }
}

extension SealedClass {
  /// The sealed class for a delivery class.
  fileprivate init(_ delivery: Delivery) {
    switch delivery {
    case .fact: self = .fact
    case .state: self = .state
    case .signal: self = .signal
    case .request: self = .question
    }
  }
}
