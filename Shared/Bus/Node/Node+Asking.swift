public import Messages
import Model

/// Sending requests to other nodes, and the connections for them.
extension Node {
  /// Sends a request to a node and returns the answer.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - node: the node that is asked.
  ///   - patience: the time limit; the request is repeated meanwhile, so a node that restarts in that time still
  ///     answers.
  ///   - requestID: the id of a command that may have been sent before; nil for a new id.
  /// - Throws: the error of the handler; `bus.unreachable` if nothing could be sent, `bus.timeout` if no answer came,
  ///   `bus.outcomeUnknown` if the node restarted while it handled a command, `bus.cancelled` if the task was
  ///   cancelled, `bus.frameTooLarge` for more than 256 KiB.
  public func request<R: Request>(
    _ request: R, to node: NodeID, within patience: Duration = .seconds(5), id requestID: RequestID? = nil
  ) async throws -> R.Answer {
    let payload = try MessageCoding.encode(request)
    let answer = try await ask(
      kind: R.kind, payload: payload, isCommand: R.isCommand, to: node, within: patience, id: requestID ?? .random())
    return try MessageCoding.decode(R.Answer.self, from: answer.payload)
  }

  /// Sends a request whose payload is encoded already; returns the answer's envelope.
  func ask(
    kind: String, payload: [UInt8], isCommand: Bool = false, to node: NodeID, within patience: Duration,
    id requestID: RequestID = .random()
  ) async throws -> Envelope {
    let asked = envelope(kind, payload, id: requestID, within: patience)
    let answer = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Nothing else happens on the node within this closure. Outside it the task may be suspended at any `await`,
        // and an answer could come before its completion is registered.
        do {
          if Task.isCancelled { throw Self.cancelledError }
          let number = try add(asked, isCommand: isCommand, to: node, within: patience)
          transport.connections[node]?.isNeeded = true
          outgoing.completions[number] = { continuation.resume(with: $0) }
          sendDueRequests(at: .now)
          reschedule()
        } catch {
          continuation.resume(throwing: error)
        }
      }
    } onCancel: {
      Task { await self.cancel(asked.id) }
    }
    if answer.kind == "error" { throw try MessageCoding.decode(LunaraError.self, from: answer.payload) }
    return answer
  }

  func envelope(_ kind: String, _ payload: [UInt8], id: RequestID, within patience: Duration) -> Envelope {
    Envelope(
      id: id.text, node: self.id, epoch: epoch, time: .now(), kind: kind, patience: patience.milliseconds,
      payload: payload)
  }

  /// Adds a request to the table, from which it is sent; returns the number by which its answer is recognised.
  func add(_ request: Envelope, isCommand: Bool, to node: NodeID, within patience: Duration) throws -> UInt32 {
    guard !isClosed else { throw Self.closedError }
    // A command names the run for which it is meant: a later run may not know if it was carried out.
    var request = request
    if isCommand { request.targetRun = roster.run(of: node) }
    let frame = try Self.frame(request, to: node)
    try connect(to: node)
    let now = ContinuousClock.now
    meter.asked += 1
    return outgoing.table.add(
      id: request.id, to: node, isPage: request.kind == Replay.kind, command: isCommand ? request : nil, frame: frame,
      deadline: now + patience, at: now)
  }

  private static func frame(_ request: Envelope, to node: NodeID) throws -> [UInt8] {
    let rest = request.kind.drop { $0 != "." }.dropFirst()
    return try Frame(topic: "\(node.role).\(node.name).\(rest).", body: request.encoded()).encoded()
  }

  func sendDueRequests(at now: ContinuousClock.Instant) {
    for action in outgoing.table.due(at: now) {
      switch action {
      case .send(let number):
        retarget(number)
        guard let entry = outgoing.table.pending[number] else { continue }
        let isTaken = send(entry, number)
        if isTaken {
          meter.sent.requests.add(entry.frame.count)
          if entry.wasSent { meter.repeated += 1 }
        }
        outgoing.table.sent(number, taken: isTaken, at: now)
      case .expire(let number):
        guard let entry = outgoing.table.pending[number] else { continue }
        giveUp(
          number,
          entry.wasSent
            ? LunaraError("bus.timeout", "\(entry.node) did not answer in time. Is it busy? `lunara status` shows.")
            : LunaraError(
              "bus.unreachable", "\(entry.node) cannot be reached. Is it running? `lunara status` shows who is."))
      }
    }
  }

  /// Sends a request; returns false if no socket takes it, or if its node cannot open it yet.
  private func send(_ entry: RequestTable.Pending, _ number: UInt32) -> Bool {
    let node = entry.node
    reporting { try connect(to: node) }
    guard let connection = transport.connections[node] else { return false }
    var frame = entry.frame
    do {
      if connection.isRemote {
        let isHello = membership.hellos[node] == number
        // A node that has been silent for so long may have restarted; it cannot open frames that were sealed for its
        // former run.
        if !isHello, entry.pause >= .seconds(1), let session = remotePeers.sessions[node],
          session.seenAt + .seconds(1) < .now
        {
          remotePeers.sessions[node]?.isGreeted = false
        }
        guard let sealed = try remotePeers.seal(request: frame, for: node, isHello: isHello) else {
          sayHello(to: node)
          return false
        }
        frame = sealed
      }
      let socket =
        entry.isPage
        ? try transport.pageSocket(of: node, whenReady { $0.readPages(of: node) }) : connection.socket
      return socket?.send(frame, header: number.bytes) ?? false
    } catch {
      report(LunaraError(error))
      return false
    }
  }

  /// Addresses a command to the present run of its node, if no earlier run can have received it.
  private func retarget(_ number: UInt32) {
    guard let entry = outgoing.table.pending[number],
      let command = outgoing.table.retargeted(number, at: roster.run(of: entry.node))
    else { return }
    do {
      outgoing.table.replace(number, by: command, frame: try Self.frame(command, to: entry.node))
    } catch {
      giveUp(number, LunaraError(error))
    }
  }

  private func cancel(_ id: String) {
    for (number, entry) in outgoing.table.pending where entry.id == id { giveUp(number, Self.cancelledError) }
  }

  private func giveUp(_ number: UInt32, _ error: LunaraError) {
    guard outgoing.table.remove(number) != nil else { return }
    if error.code == "bus.timeout" || error.code == "bus.unreachable" { meter.timedOut += 1 }
    outgoing.completions.removeValue(forKey: number)?(.failure(error))
  }

  // MARK: - Connections

  /// Returns the route to a node; nil if none is known. The local route is preferred.
  func route(to node: NodeID) -> Route? {
    if let address = remotePeers.alternateAddresses[node] { return .remote(address) }
    if NodeLock.isHeld(directory.lock(of: node)) { return .local }
    guard let text = roster.peers[node]?.endpoints?.requests, let address = TCPAddress(text),
      remotePeers.mayDial(address)
    else { return nil }
    return .remote(text)
  }

  /// Opens a connection if there is none. If the address contains a name that is not resolved yet, the connection is
  /// opened at a later attempt to send.
  private func connect(to node: NodeID) throws {
    guard transport.connections[node] == nil else { return }
    // If no route is known, the node may still appear on this machine.
    let (address, isRemote): (String?, Bool) =
      switch route(to: node) ?? .local {
      case .local: (directory.requestAddress(of: node), false)
      case .remote(let address): (numeric(address), true)
      }
    guard let address else { return }
    try transport.connect(to: node, at: address, isRemote: isRemote, whenReady { $0.readAnswers(of: node) })
  }

  /// Replaces the connection to a node; its open requests are sent again at once.
  func reconnect(to node: NodeID) {
    guard transport.removeConnection(to: node), outgoing.table.isWaiting(for: node), !isClosed else { return }
    reporting { try connect(to: node) }
    outgoing.table.sendAgain(to: node, at: .now)
    reschedule()
  }

  /// Closes a connection that no request waits on: to a node that is gone it would be retried every second for ever.
  func closeIdleConnection(to node: NodeID) {
    if !outgoing.table.isWaiting(for: node) { transport.removeConnection(to: node) }
  }

  func closeIdlePageSockets() {
    let table = outgoing.table
    transport.closeIdlePageSockets { table.isWaitingForPage(of: $0) }
  }

  private func readAnswers(of node: NodeID) {
    guard let connection = transport.connections[node] else { return }
    readAnswers(from: connection.socket, of: node, isRemote: connection.isRemote)
  }

  private func readPages(of node: NodeID) {
    guard let connection = transport.connections[node], let pages = connection.pages else { return }
    readAnswers(from: pages.socket, of: node, isRemote: connection.isRemote)
  }

  private func readAnswers(from socket: Socket, of node: NodeID, isRemote: Bool) {
    drain(socket) { body, header in
      guard let number = UInt32(bytes: header), let pending = outgoing.table.pending[number] else { return }
      let envelope: Envelope
      if isRemote {
        let (frame, opened) = try remotePeers.open(body, on: .connection, answering: pending.id)
        envelope = try Envelope(decoding: frame.body)
        guard envelope.node == node, opened.map({ $0.sender.node == node }) ?? true else { return }
      } else {
        envelope = try Envelope(decoding: try Frame(decoding: body).body)
      }
      guard outgoing.table.answered(number, id: envelope.id, by: node) != nil else { return }
      transport.connections[node]?.epoch = envelope.epoch
      meter.answered += 1
      meter.received.answers.add(body.count)
      outgoing.completions.removeValue(forKey: number)?(.success(envelope))
    }
  }
}
