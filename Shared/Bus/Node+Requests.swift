public import Messages
import Model

/// Asking.
extension Node {
  /// Asks a node and waits for its answer.
  ///
  /// - Parameters:
  ///   - request: the question.
  ///   - node: who is asked.
  ///   - patience: how long to wait; the question is repeated meanwhile, so a node that restarts within it still
  ///     answers.
  ///   - requestID: the id of a command that may have been sent before; a new one otherwise.
  /// - Throws: what the handler threw; `bus.unreachable` where nothing could be sent, `bus.timeout` where nothing came
  ///   back, `bus.outcomeUnknown` where the node restarted while it handled a command, `bus.cancelled` with the task,
  ///   `bus.frameTooLarge` for more than 256 KiB.
  public func request<R: Request>(
    _ request: R, to node: NodeID, within patience: Duration = .seconds(5), id requestID: RequestID? = nil
  ) async throws -> R.Answer {
    let payload = try MessageCoding.encode(request)
    let answer = try await ask(
      kind: R.kind, payload: payload, isCommand: R.isCommand, to: node, within: patience, id: requestID ?? .random())
    return try MessageCoding.decode(R.Answer.self, from: answer.payload)
  }

  /// Asks with a payload that is JSON already; gives the answer's envelope.
  func ask(
    kind: String, payload: [UInt8], isCommand: Bool = false, to node: NodeID, within patience: Duration,
    id requestID: RequestID = .random()
  ) async throws -> Envelope {
    let asked = question(kind, payload, id: requestID, within: patience)
    let answer = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Within this closure nothing else happens on the node. Outside it the task may be suspended at any `await`, and
        // a question that were on the table by then could be answered with nobody waiting.
        do {
          if Task.isCancelled { throw Self.cancelledError }
          let number = try add(asked, isCommand: isCommand, to: node, within: patience)
          lines[node]?.isNeeded = true
          waiting[number] = { continuation.resume(with: $0) }
          pursueRequests(at: .now)
          reschedule()
        } catch {
          continuation.resume(throwing: error)
        }
      }
    } onCancel: {
      Task { await self.giveUp(asked.id) }
    }
    if answer.kind == "error" { throw try MessageCoding.decode(LunaraError.self, from: answer.payload) }
    return answer
  }

  func question(_ kind: String, _ payload: [UInt8], id: RequestID, within patience: Duration) -> Envelope {
    Envelope(
      id: id.text, node: self.id, epoch: epoch, time: .now(), kind: kind, patience: patience.milliseconds,
      payload: payload)
  }

  /// Puts a question on the table; it is sent when the table is pursued.
  func add(_ question: Envelope, isCommand: Bool, to node: NodeID, within patience: Duration) throws -> UInt32 {
    guard !isClosed else { throw Self.closedError }
    // What a command is meant for: the node as it is now. After a restart it must not be run by one who cannot know
    // whether it was.
    var question = question
    if isCommand { question.targetRun = roster.run(of: node) }
    let frame = try Self.frame(question, to: node)
    try openLine(to: node)
    let now = ContinuousClock.now
    meter.asked += 1
    return requests.add(
      id: question.id, to: node, isPage: question.kind == Replay.kind, aim: isCommand ? question : nil, frame: frame,
      deadline: now + patience, at: now)
  }

  private static func frame(_ question: Envelope, to node: NodeID) throws -> [UInt8] {
    let rest = question.kind.drop { $0 != "." }.dropFirst()
    return try Frame(topic: "\(node.role).\(node.name).\(rest).", body: question.encoded()).encoded()
  }

  /// Sends what is due and gives up what is late.
  func pursueRequests(at now: ContinuousClock.Instant) {
    for action in requests.due(at: now) {
      switch action {
      case .send(let number):
        aim(number)
        guard let entry = requests.pending[number] else { continue }
        let taken = send(entry, number)
        if taken {
          meter.said.requests.add(entry.frame.count)
          if entry.wasSent { meter.repeated += 1 }
        }
        requests.sent(number, taken: taken, at: now)
      case .expire(let number):
        guard let entry = requests.pending[number] else { continue }
        giveUp(
          number,
          entry.wasSent
            ? LunaraError("bus.timeout", "\(entry.node) did not answer in time. Is it busy? `lunara status` shows.")
            : LunaraError(
              "bus.unreachable", "\(entry.node) cannot be reached. Is it running? `lunara status` shows who is."))
      }
    }
  }

  /// Sends a question; false where no socket takes it, or where its node cannot open it yet.
  private func send(_ entry: RequestTable.Pending, _ number: UInt32) -> Bool {
    do { try openLine(to: entry.node) } catch { report(LunaraError(error)) }
    guard let line = lines[entry.node] else { return false }
    let isHello = greeting[entry.node] == number
    // Who is silent for so long may run anew and not open what is sealed for its former self.
    if line.isRemote, !isHello, entry.pause >= .seconds(1), let session = sessions[entry.node],
      session.seenAt + .seconds(1) < .now
    {
      sessions[entry.node]?.isGreeted = false
    }
    do {
      guard let frame = try sealed(question: entry.frame, to: entry.node, isHello: isHello) else {
        sayHello(to: entry.node)
        return false
      }
      let socket = entry.isPage ? try pageSocket(of: entry.node) : line.socket
      return socket?.send(frame, header: number.bytes) ?? false
    } catch {
      report(LunaraError(error))
      return false
    }
  }

  /// Means a command for the node as it runs now, while none of its runs can have got it.
  private func aim(_ number: UInt32) {
    guard let entry = requests.pending[number],
      let question = requests.reaimed(number, at: roster.run(of: entry.node))
    else { return }
    do {
      requests.aim(number, question, frame: try Self.frame(question, to: entry.node))
    } catch {
      giveUp(number, LunaraError(error))
    }
  }

  /// Gives up the questions with an id, as whoever asked was cancelled.
  private func giveUp(_ id: String) {
    for (number, entry) in requests.pending where entry.id == id { giveUp(number, Self.cancelledError) }
  }

  func giveUp(_ number: UInt32, _ error: LunaraError) {
    guard requests.remove(number) != nil else { return }
    if error.code == "bus.timeout" || error.code == "bus.unreachable" { meter.timedOut += 1 }
    waiting.removeValue(forKey: number)?(.failure(error))
  }

  func noteBadFrame(_ error: any Error) {
    if let refusal = error as? Sealer.Refusal { return noteRefused(refusal) }
    meter.badFrames += 1
    if meter.badFrames & (meter.badFrames - 1) == 0 { report(LunaraError(error)) }
  }
}
