import Messages
import Model

/// A request of another node that is being handled.
struct IncomingRequest {
  /// The header that routes the answer to the asker: the latest one, as the asker may have reconnected.
  var header: [UInt8]
  /// True if the request came from another machine; then the answer is sealed for `asker`.
  var isRemote = false
  var asker: SealPeer?
  var envelope: Envelope
  var topic: String
  var startedAt: ContinuousClock.Instant

  /// The connection over which the request came.
  var pipe: AnswerPipe { AnswerPipe(isRemote: isRemote, number: header.prefix(4)) }
}

/// The requests that other nodes send to this one: the handlers of each kind, the requests that are being handled, and
/// the answers that were given. This type decides; the node does the sending.
struct IncomingRequests {
  struct Handler {
    var isCommand: Bool
    /// True if answers are kept to be sent again; requests of the bus itself are handled again.
    var isKept = true
    var answer: @Sendable (Envelope) async throws -> [UInt8]
  }

  enum Action {
    /// Do nothing: the request is being handled, or waits for its handler to be registered.
    case wait
    case handle(Handler)
    case resend([UInt8])
    case refuse(LunaraError)
  }

  /// The largest number of requests that are handled at once; further ones are refused.
  static let limit = 512

  private let id: NodeID
  private var answers = AnswerTable()
  private var flow = AnswerFlow()
  var handlers: [String: Handler] = [:]
  var open: [String: IncomingRequest] = [:]
  /// The ids of the requests that wait for a handler, by kind: requests may come before the service is set up.
  private(set) var unserved: [String: [String]] = [:]
  /// The time until which requests wait for their handlers.
  var graceEnds = ContinuousClock.now

  init(of id: NodeID) { self.id = id }

  // MARK: - Handlers

  /// Adds the handler of a kind; returns the ids of the requests that waited for it.
  mutating func add(_ handler: Handler, for kind: String) -> [String] {
    handlers[kind] = handler
    return unserved.removeValue(forKey: kind) ?? []
  }

  /// Removes the requests that have no handler, after the time in which the service could register one.
  mutating func removeUnserved(at now: ContinuousClock.Instant) -> [(id: String, error: LunaraError)] {
    guard !unserved.isEmpty, graceEnds <= now else { return [] }
    defer { unserved = [:] }
    return unserved.flatMap { kind, ids in
      let error = LunaraError(
        "bus.unknownRequest", "\(id) does not answer \(kind). Are all services of one version?")
      return ids.map { ($0, error) }
    }
  }

  var nextDue: ContinuousClock.Instant? {
    guard !unserved.isEmpty else { return flow.nextDue }
    return min(graceEnds, flow.nextDue ?? graceEnds)
  }

  // MARK: - Requests and answers

  /// Handles a request that came in. A repeated request is handled once.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - isDisplaced: true if another node took this one's name, so that commands are refused.
  mutating func receive(_ request: IncomingRequest, isDisplaced: Bool) -> Action {
    let (id, kind) = (request.envelope.id, request.envelope.kind)
    let handler = handlers[kind]
    switch answers.received(id, isCommand: handler?.isCommand ?? false) {
    case .wait:
      open[id]?.header = request.header
      open[id]?.isRemote = request.isRemote
      open[id]?.asker = request.asker
      return .wait
    case .resend(let frame):
      flow.wasLost(request.pipe)
      return .resend(frame)
    case .lost: return .refuse(outcomeUnknown)
    case .refuse: return .refuse(busy)
    case .handle:
      if kind == Replay.kind { flow.pageArrived(request.pipe) }
      if isDisplaced, handler?.isCommand == true {
        answers.refused(id)
        return .refuse(NameOwnership.nameTaken(self.id, by: nil))
      }
      guard open.count < Self.limit else {
        answers.refused(id)
        return .refuse(busy)
      }
      open[id] = request
      if let handler { return .handle(handler) }
      unserved[kind, default: []].append(id)
      return .wait
    }
  }

  /// Keeps the answer to a request if its handler wants that; returns false if it was not kept.
  mutating func keep(
    _ frame: [UInt8]?, of request: IncomingRequest, _ handler: Handler?, at now: ContinuousClock.Instant
  ) -> Bool {
    let id = request.envelope.id
    guard let frame, let handler, handler.isKept else {
      answers.refused(id)
      return false
    }
    let patience = Duration.milliseconds(max(0, request.envelope.patience?.rawValue ?? 0))
    answers.answered(id, isCommand: handler.isCommand, with: frame, patience: patience, at: now)
    return true
  }

  /// Queues an answer; returns those that may be sent now, and true if others have to wait.
  mutating func enqueue(
    _ frame: [UInt8], to request: IncomingRequest, at now: ContinuousClock.Instant
  ) -> (due: [AnswerFlow.QueuedAnswer], mustWait: Bool) {
    let due = flow.enqueue(AnswerFlow.QueuedAnswer(frame: frame, request: request), at: now)
    return (due, flow.nextDue != nil)
  }

  mutating func dueAnswers(at now: ContinuousClock.Instant) -> [AnswerFlow.QueuedAnswer] {
    guard let due = flow.nextDue, due <= now else { return [] }
    return flow.due(at: now)
  }

  mutating func expire(at now: ContinuousClock.Instant) {
    answers.expire(at: now)
    flow.expire(at: now)
  }

  // MARK: - Errors

  var outcomeUnknown: LunaraError {
    LunaraError(
      "bus.outcomeUnknown",
      "\(id) restarted while this was asked of it; whether it was done is unknown. Check, and repeat it if it was not.")
  }

  private var busy: LunaraError { LunaraError("bus.busy", "\(id) has too much to do. Try again.") }
}
