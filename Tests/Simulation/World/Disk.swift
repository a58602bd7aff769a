import Messages
import Model

@testable import Bus

/// A service's database. Committed changes survive a kill; synced ones survive a power cut.
struct Disk {
  /// The contents of the tables.
  struct Tables {
    var identity: String?
    var epochs: [JournalIndex.Epoch] = []
    /// The facts by number.
    var facts: [JournaledFact] = []
    var cursors: [CursorKey: JournalPosition] = [:]
    /// The facts that took effect here, in order.
    var effects: [Effect] = []
    var taken: Set<Effect> = []
    var answers: [String: [UInt8]] = [:]
    /// The number of times that each command took effect.
    var commands: [String: Int] = [:]

    /// The last number that was used; 0 before the first.
    var head: Int64 { max(facts.last?.seq ?? 0, (epochs.last?.first ?? 1) - 1) }

    /// The index of the journal, as it is read at its opening.
    func index(of identity: String) -> JournalIndex {
      JournalIndex(identity: identity, epochs: epochs, oldest: facts.first?.seq ?? head + 1, head: head)
    }
  }

  struct CursorKey: Hashable {
    var reader: String
    var journal: String
  }

  struct Effect: Hashable {
    var reader: String
    var journal: String
    var fact: String
  }

  /// One written row.
  enum Row {
    case identity(String)
    case epoch(JournalIndex.Epoch)
    case fact(JournaledFact)
    case cursor(CursorKey, JournalPosition)
    case effect(Effect)
    case answer(String, [UInt8])
    case command(String)
  }

  private(set) var tables = Tables()
  private var synced = Tables()
  private var unsynced: [[Row]] = []

  mutating func commit(_ rows: [Row]) {
    Self.write(rows, to: &tables)
    unsynced.append(rows)
  }

  mutating func sync() {
    for rows in unsynced { Self.write(rows, to: &synced) }
    unsynced = []
  }

  /// Cuts the power: of the unsynced changes only the first ones remain. Returns the ids of the lost facts.
  mutating func losePower(keeping count: (Int) -> Int) -> [String] {
    let kept = count(unsynced.count)
    let lost = unsynced[kept...].joined().compactMap { row -> String? in
      if case .fact(let fact) = row { return fact.id }
      return nil
    }
    unsynced = Array(unsynced[..<kept])
    sync()
    tables = synced
    return lost
  }

  private static func write(_ rows: [Row], to tables: inout Tables) {
    for row in rows {
      switch row {
      case .identity(let identity): tables.identity = identity
      case .epoch(let epoch): tables.epochs.append(epoch)
      case .fact(let fact): tables.facts.append(fact)
      case .cursor(let key, let position): tables.cursors[key] = position
      case .effect(let effect):
        tables.effects.append(effect)
        tables.taken.insert(effect)
      case .answer(let id, let answer): tables.answers[id] = answer
      case .command(let id): tables.commands[id, default: 0] += 1
      }
    }
  }
}

/// The writer of a run's database: one transaction after the other, several of which may share one sync.
struct Writer {
  struct Job {
    var survival: Durability
    var body: (inout Change) -> (Runner) -> Void
  }

  /// The changes of a transaction.
  struct Change {
    private let place: SimulatedHost
    let epoch: Int64
    private(set) var rows: [Disk.Row] = []
    private(set) var facts: [JournaledFact] = []
    var survival: Durability
    private var head: Int64

    init(_ place: SimulatedHost, epoch: Int64, _ survival: Durability) {
      self.place = place
      head = place.disk.tables.head
      self.epoch = epoch
      self.survival = survival
    }

    /// The state before the transaction.
    var tables: Disk.Tables { place.disk.tables }

    mutating func put(_ row: Disk.Row) { rows.append(row) }

    /// Appends a fact as the journal does.
    mutating func append(_ id: String, kind: String, about payload: String, _ grade: Durability, at time: Timestamp) {
      if case .power = grade { survival = .power }
      head += 1
      let fact = JournaledFact(
        seq: head, epoch: epoch, id: id, kind: kind, time: time, payload: Array(payload.utf8))
      facts.append(fact)
      rows.append(.fact(fact))
    }
  }

  fileprivate var jobs: [Job] = []
  fileprivate var isBusy = false
}

extension Runner {
  /// Runs a transaction. The action that its body returns runs once the transaction is committed and durable.
  func write(_ survival: Durability, _ body: @escaping (inout Writer.Change) -> (Runner) -> Void) {
    writer.jobs.append(Writer.Job(survival: survival, body: body))
    if !writer.isBusy { work() }
  }

  private func work() {
    guard !writer.jobs.isEmpty else { return }
    writer.isBusy = true
    commit([], count: 1 + world.random.below(4))
  }

  private func commit(_ done: [(Runner) -> Void], count: Int, needsSync: Bool = false) {
    guard count > 0, !writer.jobs.isEmpty else { return finish(done, needsSync: needsSync) }
    after(world.random.between(20, 2000)) { runner in
      let job = runner.writer.jobs.removeFirst()
      var change = Writer.Change(runner.place, epoch: runner.epoch, job.survival)
      let after = job.body(&change)
      runner.checkCommit(change)
      runner.place.disk.commit(change.rows)
      for fact in change.facts {
        runner.world.trace("\(runner.id) wrote \(fact.id) as \(fact.epoch).\(fact.seq) \(change.survival)")
      }
      let (facts, survival) = (change.facts, change.survival)
      let acknowledge: (Runner) -> Void = { runner in
        for fact in facts { runner.sendQueue?.put(fact) }
        runner.soon(after)
      }
      runner.commit(done + [acknowledge], count: count - 1, needsSync: needsSync || survival == .power)
    }
  }

  private func finish(_ done: [(Runner) -> Void], needsSync: Bool) {
    let acknowledge: (Runner) -> Void = { runner in
      for action in done { action(runner) }
      runner.writer.isBusy = false
      runner.work()
    }
    guard needsSync else { return acknowledge(self) }
    after(world.random.between(100, 15_000)) { runner in
      runner.place.disk.sync()
      runner.soon(acknowledge)
    }
  }
}
