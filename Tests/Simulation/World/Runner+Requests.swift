import Messages
import Model

@testable import Bus

// Sending requests, as in `Node+Asking`.
extension Runner {
  func ask(
    _ body: Question.Body, kind: String, isCommand: Bool = false, to node: NodeID, within patience: Duration,
    id: String? = nil, then: @escaping (Result<Answer, Refusal>) -> Void
  ) {
    let number = add(body, kind: kind, isCommand: isCommand, to: node, within: patience, id: id)
    connections[node]?.isNeeded = true
    waiting[number] = { result in
      guard case .success(let answer) = result, case .error(let code) = answer.body else { return then(result) }
      then(.failure(Refusal(code: code)))
    }
    sendDueRequests()
    reschedule()
  }

  /// Adds a request to the table.
  func add(
    _ body: Question.Body, kind: String, isCommand: Bool, to node: NodeID, within patience: Duration, id: String?
  ) -> UInt32 {
    var envelope = Envelope(
      id: id ?? world.name("q"), node: self.id, epoch: epoch, time: place.wallClock, kind: kind,
      patience: Milliseconds(Int64(patience.microseconds / 1000)), payload: [])
    if isCommand { envelope.targetRun = roster.run(of: node) }
    openConnection(to: node)
    let number = requests.add(
      id: envelope.id, to: node, command: isCommand ? envelope : nil, frame: [], deadline: world.now + patience,
      at: world.now)
    questions[number] = Question(asking: world.number(), envelope: envelope, body: body)
    return number
  }

  /// Sends the due requests and gives up the late ones.
  func sendDueRequests() {
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
    guard let question = questions[number], let connection = connections[node]?.channel else { return false }
    let (asker, from) = (self, place)
    return connection.send { receiver in
      // The answer takes the connection of the request, and is dropped where that is gone.
      receiver.received(question) { answer in
        let network = receiver.world.network
        guard connection.isOpen, asker.isAlive, !network.isCut(receiver.place.index, from.index) else { return }
        let isLost = receiver.world.clock < network.lossUntil && receiver.world.random.happens(network.loss)
        let delay =
          receiver.world.clock < network.slowUntil
          ? receiver.world.random.between(5000, 900_000) : receiver.world.random.between(60, 1500)
        guard !isLost else { return }
        receiver.place.heardUntil = max(receiver.place.heardUntil, receiver.world.clock + delay)
        asker.after(delay) { if connection.isOpen { $0.answered(number, with: answer, over: connection, by: node) } }
      }
    }
  }

  private func answered(_ number: UInt32, with answer: Answer, over connection: Channel, by node: NodeID) {
    guard !isClosing, requests.answered(number, id: answer.id, by: node) != nil else { return }
    connections[node]?.epoch = answer.epoch
    questions[number] = nil
    waiting.removeValue(forKey: number)?(.success(answer))
  }

  private func openConnection(to node: NodeID) {
    guard connections[node] == nil, let other = destination(of: node) else { return }
    connections[node] = Connection(channel: Channel(from: place, to: other, in: world))
  }

  /// Closes the connection to a node; open requests are sent again at once over a new one.
  func reconnect(to node: NodeID) {
    guard let connection = connections.removeValue(forKey: node) else { return }
    connection.channel.isOpen = false
    guard requests.isWaiting(for: node) else { return }
    openConnection(to: node)
    requests.sendAgain(to: node, at: world.now)
    reschedule()
  }

  /// Closes a connection to a former run of a node.
  func renewConnection(to node: NodeID) {
    guard let epoch = connections[node]?.epoch, epoch != roster.epoch(of: node) else { return }
    reconnect(to: node)
  }

  func closeIdleConnection(to node: NodeID) {
    guard !requests.isWaiting(for: node) else { return }
    connections.removeValue(forKey: node)?.channel.isOpen = false
  }
}

// Answering requests, as in `Node+Answering`.
extension Runner {
  func received(_ question: Question, _ back: @escaping (Answer) -> Void) {
    guard isBound, !isClosing else { return }
    let id = question.envelope.id
    switch question.body {
    case .probe:
      guard status == .holder else { return }
      return reply(.presence(presence(), roster.entries), to: id, back)
    case .hello(let hello): return greet(hello, question, back)
    case .readStates(let topics):
      let states = topics.compactMap { own.held[$0]?.envelope }
      return soon { $0.reply(.states(states), to: id, back) }
    case .replay(let start): return soon { $0.replay(start, to: id, back) }
    case .command: break
    }
    guard status != .displaced else { return reply(.error("bus.nameTaken"), to: id, back) }
    switch answers.received(id, isCommand: true) {
    case .wait: openRequests[id]?.back = back
    case .resend(let handle): back(keptAnswers[Int(handle[0]) | Int(handle[1]) << 8])
    case .lost: reply(.error("bus.outcomeUnknown"), to: id, back)
    case .refuse: reply(.error("bus.busy"), to: id, back)
    case .handle:
      openRequests[id] = OpenQuestion(question: question, back: back)
      if isServing { soon { $0.handle(id) } } else { unserved.append(id) }
    }
  }

  private func reply(_ body: Answer.Body, to id: String, _ back: (Answer) -> Void) {
    back(Answer(id: id, node: self.id, epoch: epoch, body: body))
  }

  /// The service is set up: requests that waited for it are handled.
  func serve() {
    isServing = true
    for id in unserved { soon { $0.handle(id) } }
    unserved = []
  }

  private func handle(_ id: String) {
    guard let question = openRequests[id]?.question, case .command(let command) = question.body else { return }
    switch CommandVerdict(
      stored: place.disk.tables.answers[id], target: question.envelope.targetRun,
      run: NodeRun(epoch: epoch, journal: identity))
    {
    case .run: soon { $0.carryOut(command, question) }
    case .repeatAnswer: finish(id, .done)
    case .unknown: finish(id, .error("bus.outcomeUnknown"))
    }
  }

  /// Answers an open request, and stores the answer.
  func finish(_ id: String, _ body: Answer.Body) {
    guard let open = openRequests.removeValue(forKey: id), !isClosing else { return }
    let answer = Answer(id: id, node: self.id, epoch: epoch, body: body)
    open.back(answer)
    let handle = [UInt8(keptAnswers.count & 255), UInt8(keptAnswers.count >> 8)]
    keptAnswers.append(answer)
    let patience = Duration.milliseconds(open.question.envelope.patience?.rawValue ?? 0)
    answers.answered(id, isCommand: true, with: handle, patience: patience, at: world.now)
  }

  private func replay(_ start: ReplayStart, to id: String, _ back: (Answer) -> Void) {
    guard let identity, let sendQueue else { return reply(.error("bus.noJournal"), to: id, back) }
    let tables = place.disk.tables
    var index = tables.index(of: identity)
    index.head = sendQueue.head
    let beginning = index.beginning(of: start) { moment in
      index.first(since: moment) { seq in tables.facts.first { $0.seq >= seq }?.time }
    }
    let facts = tables.facts.drop { $0.seq < beginning.first }.prefix { $0.seq <= index.head }.prefix(7)
    let page = FactPage(
      facts: facts.map { ReceivedFact(envelope: $0.envelope(from: self.id, journal: identity)) },
      through: index.place(through: facts.last.map { ($0.seq, $0.epoch) }), head: index.head, oldest: index.oldest,
      missed: beginning.missed)
    reply(.page(page), to: id, back)
  }
}
