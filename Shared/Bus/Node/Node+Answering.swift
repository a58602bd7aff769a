public import Messages
import Model

extension Node {
  /// Registers the handler for one kind of request. A repeated request is handled once, and its answer is sent again.
  ///
  /// A request that comes in the first seconds of a node, before its service has registered the handler, waits for it.
  public func serve<R: Request>(
    _ type: R.Type, _ handler: @escaping @Sendable (R, RequestContext) async throws -> R.Answer
  ) {
    serve(R.kind, isCommand: R.isCommand, isKept: R.isCommand || R.domain != "bus") { envelope in
      let request = try MessageCoding.decode(R.self, from: envelope.payload)
      let context = RequestContext(id: RequestID(envelope.id), from: envelope.node)
      return try MessageCoding.encode(try await handler(request, context))
    }
  }

  private func serve(
    _ kind: String, isCommand: Bool = false, isKept: Bool = false,
    _ answer: @escaping @Sendable (Envelope) async throws -> [UInt8]
  ) {
    guard !isClosed else { return }
    let handler = IncomingRequests.Handler(isCommand: isCommand, isKept: isKept, answer: answer)
    for id in incoming.add(handler, for: kind) { handle(id, handler) }
  }

  /// Registers the handlers of the requests that every node answers.
  func serveOwnRequests() {
    serveOwn(ReadPresence.self) { node, _ in node.presence() }
    serveOwn(ReadCursors.self) { node, _ in
      ReadCursors.Answer(cursors: node.facts.progress.readers, readers: node.facts.list.count)
    }
    serveOwn(ReadMetrics.self) { node, _ in ReadMetrics.Answer(metrics: await node.readMetrics()) }
    serveOwn(Probe.self) { node, _ in Probe.Answer(presence: node.presence(), roster: node.roster.entries) }
    serveOwn(ReadRoster.self) { node, _ in ReadRoster.Answer(roster: node.allEntries()) }
    serveOwn(ForgetNode.self) { node, request in
      ForgetNode.Answer(wasKnown: try node.forgetAway(request.node))
    }
    // The holder of a name stops its work under it, and returns the data that its successor needs.
    serveOwn(HandOver.self) { node, request in
      HandOver.Answer(inheritance: try await node.handOver(to: request.claim))
    }
    serveStates(ReadKept.self) { node, request in node.files.states.answer(to: request.topics) }
    serveStates(ReadStates.self) { node, request in
      ReadStates.Answer(now: .now(), states: request.topics.compactMap { node.states.own.held[$0]?.envelope })
    }
    let (id, journal) = (id, journal)
    serve(Replay.kind) { envelope in
      guard let journal else {
        throw LunaraError("bus.noJournal", "\(id) keeps no journal, so there is nothing to replay.")
      }
      let request = try MessageCoding.decode(Replay.self, from: envelope.payload)
      return try Replay.encode(journal.withAuthors(try await journal.page(from: request.start)), from: id)
    }
  }

  private func serveOwn<R: Request>(
    _ type: R.Type, _ answer: @escaping @Sendable (isolated Node, R) async throws -> R.Answer
  ) {
    serve(type) { [weak self] request, _ in
      guard let self else { throw Node.closedError }
      return try await answer(self, request)
    }
  }

  private func serveStates<M: Message>(
    _ type: M.Type, _ answer: @escaping @Sendable (isolated Node, M) -> ReadStates.Answer
  ) {
    serve(M.kind) { [weak self] envelope in
      guard let self else { throw Node.closedError }
      let request = try MessageCoding.decode(type, from: envelope.payload)
      return await answer(self, request).encoded()
    }
  }

  // MARK: - Receiving

  func readRequests() {
    drain(transport.requestSocket) { body, header in
      _ = try readRequest(body, header: header, isRemote: false)
    }
  }

  func readRemoteRequests() {
    transport.remoteRequestSocket?.receive(at: .now) { body, header in
      do { return try readRequest(body, header: header, isRemote: true) } catch {
        recordBadFrame(error)
        return false
      }
    }
  }

  /// Handles a request; returns true if it proves that its sender has the household's key.
  private func readRequest(_ body: UnsafeRawBufferPointer, header: [UInt8], isRemote: Bool) throws -> Bool {
    let (frame, envelope, opened) = try open(body, on: .requestSocket, isRemote: isRemote)
    // An unbound frame may only be a probe; a sender that is not admitted may only send a probe or a hello.
    if let opened {
      guard opened.isBound || envelope.kind == Probe.kind,
        opened.isAdmitted || envelope.kind == Probe.kind || envelope.kind == Hello.kind
      else { throw Envelope.bad("a question before a hello") }
    }
    meter.received.requests.add(body.count)
    receive(
      IncomingRequest(
        header: header, isRemote: isRemote, asker: opened?.sender, envelope: envelope, topic: frame.topic,
        startedAt: .now))
    // A hello admits its sender while it is handled.
    return remotePeers.isProof(opened)
  }

  private func receive(_ request: IncomingRequest) {
    let kind = request.envelope.kind
    // A node that does not hold its name yet does not answer hellos and probes; the asker repeats them.
    if ownership.status == .inquiring, kind == Hello.kind || kind == Probe.kind { return }
    if kind == Hello.kind { return answer(hello: request) }
    if request.isRemote, kind == Probe.kind, !peerSearch.limit.allows(at: .now) {
      meter.knocksIgnored = (meter.knocksIgnored ?? 0) + 1
      return
    }
    switch incoming.receive(request, isDisplaced: ownership.status == .displaced) {
    case .wait:
      refuseUnserved(at: .now)
      reschedule()
    case .handle(let handler): handle(request.envelope.id, handler)
    case .resend(let frame): enqueue(frame, to: request)
    case .refuse(let error): answer(request, with: .failure(error))
    }
  }

  func refuseUnserved(at now: ContinuousClock.Instant) {
    for (id, error) in incoming.removeUnserved(at: now) { finish(id, nil, with: .failure(error)) }
  }

  private func handle(_ id: String, _ handler: IncomingRequests.Handler) {
    guard let envelope = incoming.open[id]?.envelope else { return }
    Task {
      do {
        finish(id, handler, with: .success(try await outcome(of: envelope, handler)))
      } catch {
        finish(id, handler, with: .failure(LunaraError(error)))
      }
    }
  }

  /// Returns the answer to a request: the stored one if a former run of this node carried out the command.
  private func outcome(of envelope: Envelope, _ handler: IncomingRequests.Handler) async throws -> [UInt8] {
    guard handler.isCommand else { return try await handler.answer(envelope) }
    var stored: [UInt8]?
    if let journal { stored = try await CommandLog.answer(to: RequestID(envelope.id), in: journal.database) }
    switch CommandVerdict(
      stored: stored, target: envelope.targetRun, run: NodeRun(epoch: epoch, journal: journal?.identity))
    {
    case .run: return try await handler.answer(envelope)
    case .repeatAnswer(let answer): return answer
    case .unknown: throw incoming.outcomeUnknown
    }
  }

  // MARK: - Sending answers

  /// Answers an open request, and keeps the answer if the handler wants that; without a handler nothing is kept.
  private func finish(
    _ id: String, _ handler: IncomingRequests.Handler?, with result: Result<[UInt8], LunaraError>
  ) {
    guard let request = incoming.open.removeValue(forKey: id), transport.requestSocket != nil else { return }
    let frame = answer(request, with: result)
    meter.handled += 1
    let now = ContinuousClock.now
    if incoming.keep(frame, of: request, handler, at: now) { emitHandled(request, result, at: now) }
  }

  /// Sends an answer; returns its frame, or nil if it could not be made.
  @discardableResult
  func answer(_ request: IncomingRequest, with result: Result<[UInt8], LunaraError>) -> [UInt8]? {
    do {
      let frame = try frame(answering: request, with: result)
      enqueue(frame, to: request)
      return frame
    } catch {
      report(LunaraError(error))
      return nil
    }
  }

  private func frame(answering request: IncomingRequest, with result: Result<[UInt8], LunaraError>) throws -> [UInt8] {
    func frame(_ kind: String, _ payload: [UInt8]) throws -> [UInt8] {
      let envelope = Envelope(
        id: request.envelope.id, node: id, epoch: epoch, time: .now(), kind: kind, payload: payload)
      return try Frame(topic: request.topic, body: envelope.encoded()).encoded()
    }
    do {
      switch result {
      case .success(let payload): return try frame("answer", payload)
      case .failure(let error): return try frame("error", try MessageCoding.encode(error))
      }
    } catch {
      // The answer is too large, or cannot be encoded; the error that says so is short.
      return try frame("error", try MessageCoding.encode(LunaraError(error)))
    }
  }

  /// Sends an answer as soon as there is room in its pipe.
  private func enqueue(_ frame: [UInt8], to request: IncomingRequest) {
    let (due, mustWait) = incoming.enqueue(frame, to: request, at: .now)
    send(due)
    if mustWait { reschedule() }
  }

  func send(_ answers: [AnswerFlow.QueuedAnswer]) {
    for answer in answers {
      let (frame, request) = (answer.frame, answer.request)
      reporting {
        let isSent =
          request.isRemote
          ? try remotePeers.seal(answer: frame, to: request).map {
            transport.remoteRequestSocket?.send($0, header: request.header) == true
          } ?? false : transport.requestSocket?.send(frame, header: request.header) == true
        guard isSent else { return }
        meter.sent.answers.add(frame.count)
      }
    }
  }

  private func emitHandled(
    _ request: IncomingRequest, _ result: Result<[UInt8], LunaraError>, at now: ContinuousClock.Instant
  ) {
    var outcome = "done"
    if case .failure(let error) = result { outcome = error.code }
    emit(
      RequestHandled(
        request: request.envelope.kind, id: request.envelope.id, from: request.envelope.node,
        milliseconds: Double((now - request.startedAt).nanoseconds) / 1e6, outcome: outcome))
  }
}
