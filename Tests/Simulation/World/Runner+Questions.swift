import Messages
import Model

@testable import Bus

// Asking: as in `Node+Requests` and `Node+Lines`.
extension Runner {
  func ask(
    _ body: Question.Body, kind: String, isCommand: Bool = false, to node: NodeID, within patience: Duration,
    id: String? = nil, then: @escaping (Result<Answer, Refusal>) -> Void
  ) {
    let number = add(body, kind: kind, isCommand: isCommand, to: node, within: patience, id: id)
    lines[node]?.isNeeded = true
    waiting[number] = { result in
      guard case .success(let answer) = result, case .error(let code) = answer.body else { return then(result) }
      then(.failure(Refusal(code: code)))
    }
    pursueRequests()
    reschedule()
  }

  /// Puts a question on the table.
  func add(
    _ body: Question.Body, kind: String, isCommand: Bool, to node: NodeID, within patience: Duration, id: String?
  ) -> UInt32 {
    var envelope = Envelope(
      id: id ?? world.name("q"), node: self.id, epoch: epoch, time: place.wallClock, kind: kind,
      patience: Milliseconds(Int64(patience.microseconds / 1000)), payload: [])
    if isCommand { envelope.targetRun = roster.run(of: node) }
    openLine(to: node)
    let number = requests.add(
      id: envelope.id, to: node, command: isCommand ? envelope : nil, frame: [], deadline: world.now + patience,
      at: world.now)
    questions[number] = Question(asking: world.number(), envelope: envelope, body: body)
    return number
  }

  /// Sends what is due and gives up what is late.
  func pursueRequests() {
    for action in requests.due(at: world.now) {
      switch action {
      case .send(let number):
        guard let entry = requests.pending[number] else { continue }
        if let command = requests.retargeted(number, at: roster.run(of: entry.node)) {
          requests.replace(number, by: command, frame: [])
          questions[number]?.envelope = command
        }
        requests.sent(number, taken: send(number, to: entry.node), at: world.now)
      case .expire(let number):
        guard let entry = requests.remove(number) else { continue }
        questions[number] = nil
        waiting.removeValue(forKey: number)?(.failure(Refusal(code: entry.wasSent ? "bus.timeout" : "bus.unreachable")))
      }
    }
  }

  private func send(_ number: UInt32, to node: NodeID) -> Bool {
    guard let question = questions[number], let line = lines[node]?.channel else { return false }
    let (asker, from) = (self, place)
    return line.send { desk in
      // The answer goes back where the question came from, and drops where that pipe is gone.
      desk.received(question) { answer in
        let network = desk.world.network
        guard line.isOpen, asker.isAlive, !network.isCut(desk.place.index, from.index) else { return }
        let isLost = desk.world.clock < network.lossUntil && desk.world.dice.happens(network.loss)
        let delay =
          desk.world.clock < network.slowUntil
          ? desk.world.dice.between(5000, 900_000) : desk.world.dice.between(60, 1500)
        guard !isLost else { return }
        desk.place.heardUntil = max(desk.place.heardUntil, desk.world.clock + delay)
        asker.after(delay) { if line.isOpen { $0.answered(number, with: answer, over: line, by: node) } }
      }
    }
  }

  private func answered(_ number: UInt32, with answer: Answer, over line: Channel, by node: NodeID) {
    guard !isClosing, requests.answered(number, id: answer.id, by: node) != nil else { return }
    lines[node]?.epoch = answer.epoch
    questions[number] = nil
    waiting.removeValue(forKey: number)?(.success(answer))
  }

  private func openLine(to node: NodeID) {
    guard lines[node] == nil, let other = destination(of: node) else { return }
    lines[node] = Line(channel: Channel(from: place, to: other, in: world))
  }

  /// Ends the line to a node; what is still open goes out again over a fresh one, at once.
  func closeLine(to node: NodeID) {
    guard let line = lines.removeValue(forKey: node) else { return }
    line.channel.isOpen = false
    guard requests.isWaiting(for: node) else { return }
    openLine(to: node)
    requests.sendAgain(to: node, at: world.now)
    reschedule()
  }

  /// Ends a line that was to a former run of a node.
  func renewLine(to node: NodeID) {
    guard let epoch = lines[node]?.epoch, epoch != roster.epoch(of: node) else { return }
    closeLine(to: node)
  }

  func dropIdleLine(to node: NodeID) {
    guard !requests.isWaiting(for: node) else { return }
    lines.removeValue(forKey: node)?.channel.isOpen = false
  }
}
