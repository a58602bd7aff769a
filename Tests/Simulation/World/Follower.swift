import Messages
import Model

@testable import Bus

/// A durable reader of the facts of all nodes with a role; follows `FactReaderLoop` and `DurableSink` step by step.
final class Follower {
  /// The facts of one node.
  private final class Trail {
    var backlog = FactReaderLoop.Backlog()
    var catchUp: FactCatchUp
    var isBusy = false
    var isCancelled = false
    var failures = 0
    var restsUntil = World.start
    /// The position at the first contact with a journal that is not read from its beginning.
    init(_ catchUp: FactCatchUp) { self.catchUp = catchUp }
  }

  let reader: String
  let role: String
  private var trails: [NodeID: Trail] = [:]
  private unowned let runner: Runner
  /// Stores the effect of a fact together with the cursor.
  private let effect: (ReceivedFact, inout Writer.Change) -> Void

  init(
    _ reader: String, of role: String, in runner: Runner,
    effect: @escaping (ReceivedFact, inout Writer.Change) -> Void
  ) {
    self.reader = reader
    self.role = role
    self.runner = runner
    self.effect = effect
  }

  /// Handles a live fact.
  func enqueue(_ fact: ReceivedFact) {
    guard let trail = trails[fact.node] else { return }
    trail.backlog.add(fact)
    wake(trail)
  }

  /// Handles a message with the end of a node's journal.
  func enqueue(head: JournalPosition, of node: NodeID) {
    let trail = trails[node] ?? Trail(FactCatchUp(of: node, as: reader, from: .oldest))
    trails[node] = trail
    trail.backlog.add(head: head)
    wake(trail)
  }

  func forget(_ node: NodeID) { trails.removeValue(forKey: node)?.isCancelled = true }

  /// The positions in a node's journal that a hello contains.
  func cursor(in journal: String) -> JournalPosition? {
    runner.place.disk.tables.cursors[Disk.CursorKey(reader: reader, journal: journal)]
  }

  private func wake(_ trail: Trail) {
    guard !trail.isBusy else { return }
    trail.isBusy = true
    runner.soon { _ in self.handleNext(trail) }
  }

  private func handleNext(_ trail: Trail) {
    while !trail.isCancelled, let batch = trail.backlog.removeBatch() {
      if trail.failures > 0, batch.head == nil || runner.world.now < trail.restsUntil { continue }
      return handle(.received(batch), trail, hasFailed: false)
    }
    trail.isBusy = false
  }

  private func handle(_ event: FactCatchUp.Event, _ trail: Trail, hasFailed: Bool) {
    guard !trail.isCancelled else { return }
    var waits = false
    var hasFailed = hasFailed
    for action in trail.catchUp.handle(event) {
      switch action {
      case .report(let error): runner.world.trace("\(runner.id): \(error.code)")
      case .giveUp(let error):
        runner.world.trace("\(runner.id) as \(reader) rests: \(error.code)")
        hasFailed = true
      case .recall, .fetch, .apply:
        waits = true
        perform(action, trail)
      }
    }
    if !waits { finish(trail, hasFailed: hasFailed) }
  }

  private func finish(_ trail: Trail, hasFailed: Bool) {
    trail.failures = hasFailed ? 1 : 0
    if hasFailed { trail.restsUntil = runner.world.now + FactReaderLoop.rest }
    trail.backlog.markRead(to: hasFailed ? nil : trail.catchUp.position)
    runner.soon { _ in self.handleNext(trail) }
  }

  private func perform(_ action: FactCatchUp.Action, _ trail: Trail) {
    let node = trail.catchUp.publisher
    switch action {
    case .recall(let journal):
      runner.world.trace("\(runner.id) as \(reader) looks up \(journal): \(self.cursor(in: journal)?.seq ?? 0)")
      runner.soon { _ in
        let place = FactPlace(here: self.cursor(in: journal))
        self.handle(.recalled(place), trail, hasFailed: false)
      }
    case .fetch(let start):
      runner.world.trace("\(runner.id) as \(reader) fetches from \(node): \(start)")
      runner.ask(.replay(start), kind: Replay.kind, to: node, within: .seconds(5)) { result in
        switch result {
        case .success(let answer):
          guard case .page(let page) = answer.body else { return }
          self.handle(.fetched(page), trail, hasFailed: false)
        case .failure(let refusal):
          self.handle(.failed(LunaraError(refusal.code, "It does not answer.")), trail, hasFailed: false)
        }
      }
    case .apply(let facts, let position, _): apply(facts, through: position, trail)
    case .report, .giveUp: break
    }
  }

  private func apply(_ facts: [ReceivedFact], through position: JournalPosition, _ trail: Trail) {
    if runner.world.isTroubled, runner.world.random.happens(20) {
      // The disk is full, or one of the facts cannot be stored at the moment.
      return runner.soon { _ in
        self.handle(.failed(LunaraError("storage.full", "It does not fit.")), trail, hasFailed: false)
      }
    }
    let (reader, effect) = (reader, effect)
    runner.world.trace(
      "\(runner.id) as \(reader) takes \(facts.map(\.id)) through \(position.journal) \(position.epoch).\(position.seq)"
    )
    runner.write(.process) { change in
      for fact in facts {
        change.put(
          .effect(Disk.Effect(reader: reader, journal: position.journal, fact: fact.id)))
        effect(fact, &change)
      }
      change.put(.cursor(Disk.CursorKey(reader: reader, journal: position.journal), position))
      return { _ in self.handle(.applied, trail, hasFailed: false) }
    }
  }
}
