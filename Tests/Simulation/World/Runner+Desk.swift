import Messages
import Model

@testable import Bus

// Answering: as in `Node+Desk`.
extension Runner {
  func received(_ question: Question, _ back: @escaping (Answer) -> Void) {
    guard isBound, !isClosing else { return }
    let id = question.envelope.id
    switch question.body {
    case .knock:
      guard standing == .holder else { return }
      return reply(.presence(presence(), roster.entries), to: id, back)
    case .hello(let hello): return greet(hello, question, back)
    case .readStates(let topics):
      let states = topics.compactMap { own.held[$0]?.envelope }
      return soon { $0.reply(.states(states), to: id, back) }
    case .replay(let start): return soon { $0.replay(start, to: id, back) }
    case .command: break
    }
    guard standing != .displaced else { return reply(.error("bus.nameTaken"), to: id, back) }
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

  /// The service is set up: what waited for that is handled.
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

  /// Answers a request that was open, and keeps the answer.
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
    guard let identity, let outlet else { return reply(.error("bus.noJournal"), to: id, back) }
    let tables = place.disk.tables
    var index = tables.index(of: identity)
    index.head = outlet.head
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
