public import Messages
import Model

/// A raw REQ to one desk.
struct Line {
  let socket: Socket
  let descriptor: Int32
}

/// Asking.
extension Node {
  /// Asks a node and waits for its answer.
  ///
  /// - Parameters:
  ///   - patience: how long to wait; the question is repeated meanwhile, so a node that restarts within it still
  ///     answers.
  ///   - id: the id of a command that may have been sent before; a new one otherwise.
  /// - Throws: what the handler threw; `bus.unreachable` where nothing could be sent, `bus.timeout` where nothing came
  ///   back,
  ///   `bus.outcomeUnknown` where the node restarted while it handled a command, `bus.cancelled` with the task.
  public func request<R: Request>(
    _ request: R, to node: NodeID, within patience: Duration = .seconds(5), id requestID: RequestID? = nil
  ) async throws -> R.Answer {
    let payload = try MessageCoding.encode(request)
    let answer = try await ask(
      kind: R.kind, payload: payload, isCommand: R.isCommand, to: node, within: patience,
      id: requestID ?? .random())
    return try MessageCoding.decode(R.Answer.self, from: answer)
  }

  /// Asks with a payload that is JSON already; gives the answer's payload.
  func ask(
    kind: String, payload: [UInt8], isCommand: Bool, to node: NodeID, within patience: Duration, id requestID: RequestID
  ) async throws -> [UInt8] {
    guard !isClosed else { throw Self.closedError }
    // What a command is meant for: the node as it is now. After a restart it must not be run by one who cannot know
    // whether it was.
    let target = isCommand ? roster.peers[node]?.presence?.epoch : nil
    let envelope = Envelope(
      id: requestID.text, node: id, epoch: epoch, time: .now(), kind: kind, target: target,
      patience: patience.milliseconds, payload: payload)
    let topic = "\(node.role).\(node.name).\(kind.drop { $0 != "." }.dropFirst())."
    let frame = try Frame(topic: topic, body: envelope.encoded()).encoded()
    try openLine(to: node)
    let now = ContinuousClock.now
    let number = requests.add(id: requestID.text, to: node, frame: frame, deadline: now + patience, at: now)
    let answer = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiting[number] = continuation
        pursueRequests(at: now)
        reschedule()
      }
    } onCancel: {
      Task { await self.finish(number, throwing: LunaraError("bus.cancelled", "The request was given up.")) }
    }
    if answer.kind == "error" { throw try MessageCoding.decode(LunaraError.self, from: answer.payload) }
    return answer.payload
  }

  /// Sends what is due and gives up what is late.
  func pursueRequests(at now: ContinuousClock.Instant) {
    for action in requests.due(at: now) {
      switch action {
      case .send(let number):
        guard let entry = requests.pending[number] else { continue }
        let taken = lines[entry.node].map { $0.socket.send(entry.frame, header: number.bytes) } ?? false
        requests.sent(number, taken: taken, at: now)
      case .expire(let number):
        guard let entry = requests.pending[number] else { continue }
        finish(
          number,
          throwing: entry.wasSent
            ? LunaraError("bus.timeout", "\(entry.node) did not answer in time. Is it busy? `lunara status` shows.")
            : LunaraError(
              "bus.unreachable", "\(entry.node) cannot be reached. Is it running? `lunara status` shows who is."))
      }
    }
  }

  func finish(_ number: UInt32, throwing error: LunaraError) {
    guard requests.remove(number) != nil else { return }
    waiting.removeValue(forKey: number)?.resume(throwing: error)
  }

  private func openLine(to node: NodeID) throws {
    guard lines[node] == nil else { return }
    let socket = try Socket(.line, bufferSize: 1 << 20)
    _ = try socket.connect(directory.desk(of: node))
    let descriptor = try socket.descriptor()
    lines[node] = Line(socket: socket, descriptor: descriptor)
    thread.watch(descriptor) { [weak self] in self?.assumeIsolated { $0.readLine(of: node) } }
  }

  /// Closes the line to a node that restarted; what is still open goes out again over a fresh one.
  func closeLine(to node: NodeID) {
    guard let line = lines.removeValue(forKey: node) else { return }
    thread.ignore(line.descriptor)
    let open = requests.pending.values.contains { $0.node == node }
    guard open else { return }
    do { try openLine(to: node) } catch { report(LunaraError(error)) }
    requests.sendAgain(to: node, at: .now)
    reschedule()
  }

  func readLine(of node: NodeID) {
    guard let socket = lines[node]?.socket else { return }
    for _ in 0..<64 {
      let got: ()? = socket.receiveHeaded { body, header in
        guard let number = UInt32(bytes: header) else { return }
        do {
          let envelope = try Envelope(decoding: try Frame(decoding: body).body)
          guard let entry = requests.pending[number], entry.id == envelope.id else { return }
          _ = requests.remove(number)
          waiting.removeValue(forKey: number)?.resume(returning: envelope)
        } catch {
          noteBadFrame(error)
        }
      }
      guard got != nil else { return }
    }
  }

  func noteBadFrame(_ error: any Error) {
    badFrames += 1
    if badFrames & (badFrames - 1) == 0 { report(LunaraError(error)) }
  }
}

extension UInt32 {
  /// Big endian.
  var bytes: [UInt8] { [UInt8(self >> 24), UInt8(self >> 16 & 255), UInt8(self >> 8 & 255), UInt8(self & 255)] }

  init?(bytes: [UInt8]) {
    guard bytes.count == 4 else { return nil }
    self = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
