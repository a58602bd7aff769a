public import Messages
import Model

/// How a node answers one kind of request.
struct Handler {
  var isCommand: Bool
  var answer: @Sendable (Envelope) async throws -> [UInt8]
}

/// A request that is being handled.
struct OpenRequest {
  /// The way back to who asked: the latest, as it may have reconnected.
  var header: [UInt8]
  var envelope: Envelope
  var topic: String
  var startedAt: ContinuousClock.Instant
}

/// Answering.
extension Node {
  /// How many requests a node handles at once before it refuses more.
  static let openLimit = 512

  /// Answers one kind of request from now on. A request sent twice is handled once; its answer is sent twice.
  public func serve<R: Request>(
    _ type: R.Type, _ handler: @escaping @Sendable (R, RequestContext) async throws -> R.Answer
  ) {
    handlers[R.kind] = Handler(isCommand: R.isCommand) { envelope in
      let request = try MessageCoding.decode(R.self, from: envelope.payload)
      let context = RequestContext(id: RequestID(envelope.id), from: envelope.node)
      return try MessageCoding.encode(try await handler(request, context))
    }
  }

  /// The requests that every node answers.
  func serveOwnRequests() {
    serve(ReadPresence.self) { [weak self] _, _ in
      guard let self else { throw Node.closedError }
      return await self.presence()
    }
    serve(Hello.self) { [weak self] hello, _ in
      guard let self else { throw Node.closedError }
      return await self.greeted(by: hello)
    }
    serve(ReadStates.self) { [weak self] request, _ in
      guard let self else { throw Node.closedError }
      return await self.texts(of: request.topics)
    }
    let (id, journal) = (id, journal)
    handlers[Replay.kind] = Handler(isCommand: false) { envelope in
      guard let journal else {
        throw LunaraError("bus.noJournal", "\(id) keeps no journal, so there is nothing to replay.")
      }
      let request = try MessageCoding.decode(Replay.self, from: envelope.payload)
      return Replay.encode(try await journal.page(from: request.start), from: id)
    }
  }

  private func greeted(by hello: Hello) -> NodePresence {
    perform(roster.greeted(by: hello, at: .now))
    return presence()
  }

  /// As many states as fit into one answer; the asker fetches the rest.
  private func texts(of topics: [String]) -> ReadStates.Answer {
    var texts: [String: String] = [:]
    var size = 0
    for topic in topics {
      guard let envelope = own.held[topic]?.envelope else { continue }
      let text = String(decoding: envelope.encoded(), as: UTF8.self)
      size += text.utf8.count
      if size > Frame.sizeLimit / 3, !texts.isEmpty { break }
      texts[topic] = text
    }
    return ReadStates.Answer(now: .now(), states: texts)
  }

  func readDesk() {
    guard let desk else { return }
    for _ in 0..<64 {
      let got: ()? = desk.receiveHeaded { body, header in
        do {
          let frame = try Frame(decoding: body)
          received(try Envelope(decoding: frame.body), topic: frame.topic, header: header)
        } catch {
          noteBadFrame(error)
        }
      }
      guard got != nil else { return }
    }
  }

  private func received(_ envelope: Envelope, topic: String, header: [UInt8]) {
    switch answers.received(envelope.id) {
    case .wait: openRequests[envelope.id]?.header = header
    case .resend(let frame): _ = desk?.send(frame, header: header)
    case .handle:
      openRequests[envelope.id] = OpenRequest(
        header: header, envelope: envelope, topic: topic, startedAt: .now)
      guard let handler = handlers[envelope.kind] else {
        let why = "\(id) does not answer \(envelope.kind). Are all services of one version?"
        return finish(envelope.id, with: .failure(LunaraError("bus.unknownRequest", why)))
      }
      if handler.isCommand, let target = envelope.target, target != epoch {
        let why = "\(id) restarted while this was asked of it; whether it was done is unknown. Look, and ask again."
        return finish(envelope.id, with: .failure(LunaraError("bus.outcomeUnknown", why)))
      }
      guard openRequests.count <= Self.openLimit else {
        return finish(envelope.id, with: .failure(LunaraError("bus.busy", "\(id) has too much to do. Try again.")))
      }
      Task {
        do {
          finish(envelope.id, with: .success(try await handler.answer(envelope)))
        } catch {
          finish(envelope.id, with: .failure(LunaraError(error)))
        }
      }
    }
  }

  private func finish(_ id: String, with result: Result<[UInt8], LunaraError>) {
    guard let open = openRequests.removeValue(forKey: id), !isClosed else { return }
    do {
      var frame: [UInt8]
      do {
        frame = try answer(open, with: result).encoded()
      } catch {
        frame = try answer(open, with: .failure(LunaraError(error))).encoded()
      }
      let now = ContinuousClock.now
      answers.answered(
        id, with: frame, until: now + .milliseconds(max(1000, min(60_000, open.envelope.patience?.rawValue ?? 0))))
      _ = desk?.send(frame, header: open.header)
      tellOfRequest(open, result: result, at: now)
    } catch {
      report(LunaraError(error))
    }
  }

  private func answer(_ open: OpenRequest, with result: Result<[UInt8], LunaraError>) throws -> Frame {
    let (kind, payload) =
      switch result {
      case .success(let payload): ("answer", payload)
      case .failure(let error): ("error", try MessageCoding.encode(error))
      }
    let envelope = Envelope(
      id: open.envelope.id, node: id, epoch: epoch, time: .now(), kind: kind, payload: payload)
    return Frame(topic: open.topic, body: envelope.encoded())
  }

  /// Leaves a trace of a handled request for taps; the bus's own requests leave none.
  private func tellOfRequest(_ open: OpenRequest, result: Result<[UInt8], LunaraError>, at now: ContinuousClock.Instant)
  {
    guard !open.envelope.kind.hasPrefix("bus.") else { return }
    var outcome = "done"
    if case .failure(let error) = result { outcome = error.code }
    emit(
      RequestHandled(
        request: open.envelope.kind, id: open.envelope.id, from: open.envelope.node,
        milliseconds: Double((now - open.startedAt).nanoseconds) / 1e6, outcome: outcome))
  }
}
