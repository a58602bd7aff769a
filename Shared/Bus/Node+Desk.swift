public import Messages
import Model

/// How a node answers one kind of request.
struct Handler {
  var isCommand: Bool
  /// Whether an answer is kept to be sent again; what the bus asks for itself is handled anew.
  var isKept = true
  var answer: @Sendable (Envelope) async throws -> [UInt8]
}

/// A request that is being handled.
struct OpenRequest {
  /// The way back to who asked: the latest, as it may have reconnected.
  var header: [UInt8]
  /// Whether it came from another machine, and who has to be able to open the answer then.
  var isRemote = false
  var asker: SealPeer?
  var envelope: Envelope
  var topic: String
  var startedAt: ContinuousClock.Instant

  /// The connection over which it came.
  var way: AnswerWay { AnswerWay(isRemote: isRemote, pipe: header.prefix(4)) }
}

/// Answering.
extension Node {
  /// How many requests a node handles at once before it refuses more.
  static let openLimit = 512

  /// Answers one kind of request from now on. A request sent twice is handled once; its answer is sent twice.
  ///
  /// What comes in the first seconds of a node, before its service has said what it answers, waits for this.
  public func serve<R: Request>(
    _ type: R.Type, _ handler: @escaping @Sendable (R, RequestContext) async throws -> R.Answer
  ) {
    serve(
      R.kind,
      Handler(isCommand: R.isCommand, isKept: R.isCommand || R.domain != "bus") { envelope in
        let request = try MessageCoding.decode(R.self, from: envelope.payload)
        let context = RequestContext(id: RequestID(envelope.id), from: envelope.node)
        return try MessageCoding.encode(try await handler(request, context))
      })
  }

  private func serve(_ kind: String, _ handler: Handler) {
    guard !isClosed else { return }
    handlers[kind] = handler
    for id in unserved.removeValue(forKey: kind) ?? [] { handle(id, handler) }
  }

  /// The requests that every node answers.
  func serveOwnRequests() {
    serve(ReadPresence.self) { [weak self] _, _ in
      guard let self else { throw Node.closedError }
      return await self.presence()
    }
    serve(ReadCursors.self) { [weak self] _, _ in
      guard let self else { throw Node.closedError }
      return ReadCursors.Answer(cursors: self.tally.standings, readers: await self.subscriptions.count)
    }
    serve(ReadMetrics.self) { [weak self] _, _ in
      guard let self else { throw Node.closedError }
      return ReadMetrics.Answer(metrics: await self.readMetrics())
    }
    serve(Knock.self) { [weak self] _, _ in
      guard let self else { throw Node.closedError }
      return await self.opensDoor()
    }
    serve(ReadRoster.self) { [weak self] _, _ in
      guard let self else { throw Node.closedError }
      return ReadRoster.Answer(roster: await self.wholeRoster())
    }
    serveHandOver()
    serve(
      ReadKept.kind,
      Handler(isCommand: false, isKept: false) { [weak self] envelope in
        guard let self else { throw Node.closedError }
        let request = try MessageCoding.decode(ReadKept.self, from: envelope.payload)
        return await self.keptAnswer(to: request.topics).encoded()
      })
    serve(
      ReadStates.kind,
      Handler(isCommand: false, isKept: false) { [weak self] envelope in
        guard let self else { throw Node.closedError }
        let request = try MessageCoding.decode(ReadStates.self, from: envelope.payload)
        return await self.states(of: request.topics).encoded()
      })
    let (id, journal) = (id, journal)
    serve(
      Replay.kind,
      Handler(isCommand: false, isKept: false) { envelope in
        guard let journal else {
          throw LunaraError("bus.noJournal", "\(id) keeps no journal, so there is nothing to replay.")
        }
        let request = try MessageCoding.decode(Replay.self, from: envelope.payload)
        return try Replay.encode(journal.withAuthors(try await journal.page(from: request.start)), from: id)
      })
  }

  private func states(of topics: [String]) -> ReadStates.Answer {
    ReadStates.Answer(now: .now(), states: topics.compactMap { own.held[$0]?.envelope })
  }

  func readDesk() {
    guard let desk else { return }
    for _ in 0..<64 {
      let got: ()? = desk.receiveHeaded { body, header in
        do {
          let frame = try Frame(decoding: body)
          meter.heard.requests.add(body.count)
          received(try Envelope(decoding: frame.body), topic: frame.topic, header: header)
        } catch {
          noteBadFrame(error)
        }
      }
      guard got != nil else { return }
    }
  }

  func readRemoteDesk() {
    guard let remoteDesk else { return }
    for _ in 0..<64 {
      let got: ()? = remoteDesk.receiveHeaded { body, header in
        do {
          let (frame, envelope, opened) = try openedEnvelope(body, on: .requestSocket)
          if let opened {
            // From a stranger nothing is taken but a knock, and from one who knocked nothing but a hello.
            guard opened.isBound || envelope.kind == Knock.kind,
              opened.isAdmitted || envelope.kind == Knock.kind || envelope.kind == Hello.kind
            else { throw Envelope.bad("a question before a hello") }
          }
          meter.heard.requests.add(body.count)
          received(envelope, topic: frame.topic, header: header, isRemote: true, asker: opened?.sender)
        } catch {
          noteBadFrame(error)
        }
      }
      guard got != nil else { return }
    }
  }

  private func received(
    _ envelope: Envelope, topic: String, header: [UInt8], isRemote: Bool = false, asker: SealPeer? = nil
  ) {
    let open = OpenRequest(
      header: header, isRemote: isRemote, asker: asker, envelope: envelope, topic: topic, startedAt: .now)
    // Who is not sure of its name yet is not met under it; it is asked again.
    if standing == .unsettled, envelope.kind == Hello.kind || envelope.kind == Knock.kind { return }
    if envelope.kind == Hello.kind { return greet(open) }
    if isRemote, envelope.kind == Knock.kind, !knockLimit.allows(at: .now) {
      meter.knocksIgnored = (meter.knocksIgnored ?? 0) + 1
      return
    }
    let handler = handlers[envelope.kind]
    switch answers.received(envelope.id, isCommand: handler?.isCommand ?? false) {
    case .wait:
      openRequests[envelope.id]?.header = header
      openRequests[envelope.id]?.isRemote = isRemote
      openRequests[envelope.id]?.asker = asker
    case .resend(let frame):
      flow.wasLost(open.way)
      dispatch(frame, to: open)
    case .lost: reply(to: open, with: .failure(outcomeUnknown))
    case .refuse: reply(to: open, with: .failure(busy))
    case .handle:
      if envelope.kind == Replay.kind { flow.pageArrived(open.way) }
      if standing == .displaced, handler?.isCommand == true {
        answers.refused(envelope.id)
        reply(to: open, with: .failure(Self.nameTaken(id, by: nil)))
        return
      }
      guard openRequests.count < Self.openLimit else {
        answers.refused(envelope.id)
        reply(to: open, with: .failure(busy))
        return
      }
      openRequests[envelope.id] = open
      if let handler { return handle(envelope.id, handler) }
      // A node that has just started is asked before its service is set up: the question waits for its handler.
      unserved[envelope.kind, default: []].append(envelope.id)
      if graceEnds <= .now { refuseUnserved() } else { reschedule() }
    }
  }

  /// Turns away what nobody here answers, once the service had time to say what it does.
  func refuseUnserved() {
    for (kind, ids) in unserved {
      let why = "\(id) does not answer \(kind). Are all services of one version?"
      for id in ids { finish(id, nil, with: .failure(LunaraError("bus.unknownRequest", why))) }
    }
    unserved = [:]
  }

  private func handle(_ id: String, _ handler: Handler) {
    guard let envelope = openRequests[id]?.envelope else { return }
    Task {
      do {
        finish(id, handler, with: .success(try await outcome(of: envelope, handler)))
      } catch {
        finish(id, handler, with: .failure(LunaraError(error)))
      }
    }
  }

  /// The answer to a request: of a command that a former run of this node carried out, the one that was stored.
  private func outcome(of envelope: Envelope, _ handler: Handler) async throws -> [UInt8] {
    guard handler.isCommand else { return try await handler.answer(envelope) }
    var stored: [UInt8]?
    if let journal { stored = try await CommandLog.answer(to: RequestID(envelope.id), in: journal.database) }
    switch CommandVerdict(
      stored: stored, target: envelope.targetRun, run: NodeRun(epoch: epoch, journal: journal?.identity))
    {
    case .run: return try await handler.answer(envelope)
    case .repeatAnswer(let answer): return answer
    case .unknown: throw outcomeUnknown
    }
  }

  private var outcomeUnknown: LunaraError {
    LunaraError(
      "bus.outcomeUnknown",
      "\(id) restarted while this was asked of it; whether it was done is unknown. Look, and ask again.")
  }

  private var busy: LunaraError { LunaraError("bus.busy", "\(id) has too much to do. Try again.") }

  /// Answers a request that was open, and keeps the answer where it is asked for again; with no handler nothing is
  /// kept.
  private func finish(_ id: String, _ handler: Handler?, with result: Result<[UInt8], LunaraError>) {
    guard let open = openRequests.removeValue(forKey: id), desk != nil else { return }
    let frame = reply(to: open, with: result)
    meter.handled += 1
    let now = ContinuousClock.now
    if let frame, let handler, handler.isKept {
      let patience = Duration.milliseconds(max(0, open.envelope.patience?.rawValue ?? 0))
      answers.answered(id, isCommand: handler.isCommand, with: frame, patience: patience, at: now)
      tellOfRequest(open, result: result, at: now)
    } else {
      answers.refused(id)
    }
  }

  /// Sends an answer; gives its frame, or nil where there is none.
  @discardableResult
  func reply(to open: OpenRequest, with result: Result<[UInt8], LunaraError>) -> [UInt8]? {
    do {
      let frame = try answer(open, with: result)
      dispatch(frame, to: open)
      return frame
    } catch {
      report(LunaraError(error))
      return nil
    }
  }

  private func answer(_ open: OpenRequest, with result: Result<[UInt8], LunaraError>) throws -> [UInt8] {
    func frame(_ kind: String, _ payload: [UInt8]) throws -> [UInt8] {
      let envelope = Envelope(
        id: open.envelope.id, node: id, epoch: epoch, time: .now(), kind: kind, payload: payload)
      return try Frame(topic: open.topic, body: envelope.encoded()).encoded()
    }
    do {
      switch result {
      case .success(let payload): return try frame("answer", payload)
      case .failure(let error): return try frame("error", try MessageCoding.encode(error))
      }
    } catch {
      // Too large, the error itself included: what remains to be said is short.
      return try frame("error", try MessageCoding.encode(LunaraError(error)))
    }
  }

  /// Leaves a trace of a handled request for taps.
  private func tellOfRequest(_ open: OpenRequest, result: Result<[UInt8], LunaraError>, at now: ContinuousClock.Instant)
  {
    var outcome = "done"
    if case .failure(let error) = result { outcome = error.code }
    emit(
      RequestHandled(
        request: open.envelope.kind, id: open.envelope.id, from: open.envelope.node,
        milliseconds: Double((now - open.startedAt).nanoseconds) / 1e6, outcome: outcome))
  }
}
