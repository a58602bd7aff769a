import Messages
import Model

@testable import Bus

/// The writer of a run's database: one transaction after the other. Some wait together for one sync.
struct Writer {
  struct Job {
    var survival: Durability
    var body: (inout Change) -> (Runner) -> Void
  }

  /// A transaction that is being made.
  struct Change {
    private let place: Place
    let epoch: Int64
    private(set) var rows: [Disk.Row] = []
    private(set) var facts: [JournaledFact] = []
    var survival: Durability
    private var head: Int64

    init(_ place: Place, epoch: Int64, _ survival: Durability) {
      self.place = place
      head = place.disk.tables.head
      self.epoch = epoch
      self.survival = survival
    }

    /// What was committed before.
    var tables: Disk.Tables { place.disk.tables }

    mutating func put(_ row: Disk.Row) { rows.append(row) }

    /// Appends a fact, as the journal does.
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
  /// Runs a transaction; what its body gives is run once it has committed at its grade.
  func write(_ survival: Durability, _ body: @escaping (inout Writer.Change) -> (Runner) -> Void) {
    writer.jobs.append(Writer.Job(survival: survival, body: body))
    if !writer.isBusy { work() }
  }

  private func work() {
    guard !writer.jobs.isEmpty else { return }
    writer.isBusy = true
    commit([], count: 1 + world.dice.below(4))
  }

  private func commit(_ done: [(Runner) -> Void], count: Int, needsSync: Bool = false) {
    guard count > 0, !writer.jobs.isEmpty else { return finish(done, needsSync: needsSync) }
    after(world.dice.between(20, 2000)) { runner in
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
        for fact in facts { runner.outlet?.put(fact) }
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
    after(world.dice.between(100, 15_000)) { runner in
      runner.place.disk.sync()
      runner.soon(acknowledge)
    }
  }
}
